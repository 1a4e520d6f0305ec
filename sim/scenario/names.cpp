// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/names.hpp"

#include "sim/scenario/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfsim {

namespace {

template <typename T>
std::vector<std::string> names_of(const std::vector<T>& list)
{
    std::vector<std::string> names;
    for (T const& entry : list)
        names.push_back(entry.name);
    return names;
}

} // namespace

void Names::collect(const YAML::Node& processes)
{
    for (auto const& process : processes) {
        if (!process.second.IsMap())
            continue;
        const u32 index = static_cast<u32>(m_scenario.processes.size());
        m_scenario.processes.push_back({process.first.Scalar(), {}, true});
        for (auto const& thread : process.second) {
            const std::string name = thread.first.IsScalar() ? thread.first.Scalar() : "";
            if (find_key("process", name) != nullptr)
                continue;
            for (Thread const& known : m_scenario.threads)
                if (known.name == name)
                    m_yaml.error(
                        thread.first,
                        fmt::format("thread '{}' is there twice; names are per file", name));
            Thread entry;
            entry.name = name;
            entry.process = index;
            entry.position = YamlReader::position(thread.first);
            m_scenario.processes[index].threads.push_back(
                static_cast<u32>(m_scenario.threads.size()));
            m_scenario.threads.push_back(entry);
            if (thread.second.IsMap() && thread.second["run"])
                collect_ops(thread.second["run"], 0);
        }
    }
}

void Names::collect_ops(const YAML::Node& list, u32 depth)
{
    if (!list.IsSequence() || depth > kRepeatDepthMax)
        return;
    for (auto const& op : list) {
        if (!op.IsMap())
            continue;
        if (op["mark"] && op["mark"].IsScalar()) {
            const std::string name = op["mark"].Scalar();
            auto& marks = m_scenario.marks;
            if (std::find(marks.begin(), marks.end(), name) == marks.end())
                marks.push_back(name);
        }
        if (op["open"] && op["open"].IsMap() && op["open"]["as"] && op["open"]["as"].IsScalar()) {
            const YAML::Node as = op["open"]["as"];
            for (Handle const& known : m_scenario.handles)
                if (known.name == as.Scalar())
                    m_yaml.error(as, fmt::format("descriptor '{}' is opened twice", as.Scalar()));
            m_scenario.handles.push_back({as.Scalar(), kNone});
        }
        if (op["mmap"] && op["mmap"].IsMap() && op["mmap"]["as"] && op["mmap"]["as"].IsScalar()) {
            const YAML::Node as = op["mmap"]["as"];
            for (RingName const& known : m_scenario.rings)
                if (known.name == as.Scalar())
                    m_yaml.error(as, fmt::format("ring '{}' is mapped twice", as.Scalar()));
            m_scenario.rings.push_back({as.Scalar(), kNone});
        }
        if (op["repeat"] && op["repeat"].IsMap() && op["repeat"]["do"])
            collect_ops(op["repeat"]["do"], depth + 1);
    }
}

u32 Names::find(const YAML::Node& node, const char* kind, const std::vector<std::string>& known)
{
    const std::string name = m_yaml.text(node, kind).value_or("");
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end())
        return static_cast<u32>(found - known.begin());
    if (node.IsScalar())
        m_yaml.error(node, fmt::format("unknown {} '{}'{}", kind, name, suggestion(name, known)));
    return kNone;
}

u32 Names::function(const YAML::Node& node)
{
    return find(node, "function", names_of(m_scenario.functions));
}

u32 Names::event(const YAML::Node& node)
{
    return find(node, "event", names_of(m_scenario.events));
}

u32 Names::thread(const YAML::Node& node)
{
    return find(node, "thread", names_of(m_scenario.threads));
}

u32 Names::mark(const YAML::Node& node)
{
    return find(node, "mark", m_scenario.marks);
}

u32 Names::handle(const YAML::Node& node)
{
    return find(node, "descriptor", names_of(m_scenario.handles));
}

u32 Names::ring(const YAML::Node& node)
{
    return find(node, "ring", names_of(m_scenario.rings));
}

u32 Names::cpu(const YAML::Node& node, const MachineConfig& machine)
{
    const std::string text = m_yaml.text(node, "CPU").value_or("");
    const u32 cpus = machine.cpu_count();
    const auto slash = text.find('/');
    if (slash == std::string::npos) {
        const auto number = parse_u64(text);
        if (number && *number < cpus)
            return static_cast<u32>(*number);
    } else {
        // The nth CPU of a core type, over all clusters of it.
        auto nth = parse_u64(text.substr(slash + 1));
        for (u32 cpu = 0; nth && cpu < cpus; ++cpu) {
            if (machine.clusters[machine.cluster_of(cpu)].core_type != text.substr(0, slash))
                continue;
            if (*nth == 0)
                return cpu;
            --*nth;
        }
    }
    std::vector<std::string> known;
    for (u32 cpu = 0; cpu < cpus; ++cpu)
        known.push_back(machine.cpu_name(cpu));
    if (node.IsScalar())
        m_yaml.error(node, fmt::format("machine {} has no CPU '{}'; it has 0 to {}{}", machine.name,
                                       text, cpus - 1, suggestion(text, known)));
    return kNone;
}

} // namespace perfsim
