// SPDX-License-Identifier: Apache-2.0
#include "sim/pmu_model/event_catalogue.hpp"
#include "sim/scenario/loader.hpp"
#include "sim/scenario/yaml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace perfsim {

namespace fs = std::filesystem;

namespace {

constexpr u64 kAll = ~u64{0};

void load_pmu(YamlReader& yaml, const YAML::Node& node, ClusterConfig& cluster)
{
    if (!yaml.object(node, "pmu", "pmu"))
        return;
    constexpr u64 kVersionMax = 15;
    constexpr u64 kCountersMax = 31;
    cluster.pmu_name = yaml.text(node["name"], "name").value_or("");
    cluster.pmu.pmu_version = static_cast<perfcore::u8>(
        yaml.integer(node["version"], "version", 0, kVersionMax).value_or(0));
    cluster.pmu.counters =
        static_cast<u32>(yaml.integer(node["counters"], "counters", 0, kCountersMax).value_or(0));
    if (node["idcode"])
        cluster.pmu.idcode =
            static_cast<perfcore::u8>(yaml.integer(node["idcode"], "idcode", 0, 0xff).value_or(0));
    if (node["interrupt"])
        cluster.pmu_interrupt = yaml.boolean(node["interrupt"], "interrupt").value_or(true);
    std::vector<std::string> known;
    for (EventName const& event : event_catalogue())
        known.push_back(event.name);
    for (YAML::Node const& item : yaml.scalars(node["events"], "events")) {
        const EventName* event = find_event(item.Scalar());
        if (event == nullptr)
            yaml.error(item, fmt::format("unknown event '{}'{}", item.Scalar(),
                                         suggestion(item.Scalar(), known)));
        else if (event->number < 0x20)
            cluster.pmu.pmceid0 |= u64{1} << event->number;
        else
            cluster.pmu.pmceid1 |= u64{1} << (event->number - 0x20);
    }
}

ClusterConfig load_cluster(YamlReader& yaml, const YAML::Node& node)
{
    ClusterConfig cluster;
    if (!yaml.object(node, "cluster", "cluster"))
        return cluster;
    constexpr u64 kFrequencyMax = 10'000'000'000;
    cluster.core_type = yaml.text(node["core"], "core").value_or("");
    cluster.midr = yaml.integer(node["midr"], "midr", 0, kAll).value_or(0);
    cluster.frequency_hz =
        yaml.integer(node["frequency_hz"], "frequency_hz", 1, kFrequencyMax).value_or(1);
    if (node["capacity"])
        cluster.capacity =
            static_cast<u32>(yaml.integer(node["capacity"], "capacity", 1, 1024).value_or(1024));
    for (YAML::Node const& item : yaml.scalars(node["mpidr"], "mpidr"))
        cluster.mpidr.push_back(yaml.integer(item, "mpidr", 0, kAll).value_or(0));
    cluster.cpus = static_cast<u32>(cluster.mpidr.size());
    if (cluster.cpus == 0)
        yaml.error(node["mpidr"], "a cluster has at least one CPU");
    if (node["pmu"])
        load_pmu(yaml, node["pmu"], cluster);
    else
        cluster.pmu.pmu_version = 0;
    return cluster;
}

std::string machine_file(const std::string& name, const SearchPath& path)
{
    for (std::string const& directory : path) {
        const fs::path file = fs::path(directory) / (name + ".yaml");
        std::error_code error;
        if (fs::is_regular_file(file, error))
            return file.string();
    }
    return "";
}

} // namespace

std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
        diagnostics.error({}, "no such file");
        return std::nullopt;
    }
    if (fs::is_directory(status)) {
        diagnostics.error({}, "is a directory");
        return std::nullopt;
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        diagnostics.error({}, "cannot be opened for reading");
        return std::nullopt;
    }
    // One byte more than allowed tells too large from just fitting, whatever the file is.
    std::string text(kFileBytesMax + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad()) {
        diagnostics.error({}, "cannot be read");
        return std::nullopt;
    }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

std::vector<std::string> machine_names(const SearchPath& path)
{
    std::vector<std::string> names;
    for (std::string const& directory : path) {
        std::error_code error;
        for (auto const& entry : fs::directory_iterator(directory, error))
            if (entry.path().extension() == ".yaml")
                names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::optional<MachineConfig> load_machine(const std::string& name, const SearchPath& path,
                                          Diagnostics& diagnostics, Position asked_at)
{
    const bool plain = name.find('/') == std::string::npos && name.find("..") == std::string::npos;
    const std::string file = plain ? machine_file(name, path) : "";
    if (file.empty()) {
        diagnostics.error(asked_at, fmt::format("unknown machine '{}'{}", name,
                                                suggestion(name, machine_names(path))));
        return std::nullopt;
    }
    Diagnostics own(file);
    MachineConfig machine;
    machine.name = name;
    if (const auto text = read_file(file, own)) {
        YamlReader yaml(own);
        const YAML::Node root = yaml.parse(*text);
        if (own.ok() && yaml.object(root, "machine", "the machine")) {
            yaml.integer(root["perfsim_machine"], "perfsim_machine", 1, 1);
            machine.title = yaml.text(root["title"], "title").value_or("");
            machine.source = yaml.text(root["source"], "source").value_or("");
            if (yaml.list(root["clusters"], "clusters"))
                for (auto const& node : root["clusters"])
                    machine.clusters.push_back(load_cluster(yaml, node));
            const u32 cpus = machine.cpu_count();
            if (cpus == 0 || cpus > perfcore::kMaxCpus)
                yaml.error(root["clusters"],
                           fmt::format("a machine has 1 to {} CPUs", perfcore::kMaxCpus));
        }
    }
    if (own.ok())
        return machine;
    for (std::string const& message : own.messages())
        diagnostics.error(asked_at, fmt::format("machine '{}': {}", name, message));
    return std::nullopt;
}

} // namespace perfsim
