// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/attr_loader.hpp"

#include "sim/pmu_model/event_catalogue.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

using namespace perfcore;

constexpr u64 kAll = ~u64{0};

struct Named {
    const char* name;
    u64 value;
};

const std::vector<Named> kTypes = {
    {"hardware", PERF_TYPE_HARDWARE},
    {"software", PERF_TYPE_SOFTWARE},
    {"tracepoint", PERF_TYPE_TRACEPOINT},
    {"hw_cache", PERF_TYPE_HW_CACHE},
    {"raw", PERF_TYPE_RAW},
    {"breakpoint", PERF_TYPE_BREAKPOINT},
};

const std::vector<Named> kHardware = {
    {"cycles", PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_COUNT_HW_CACHE_MISSES},
    {"branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_COUNT_HW_BUS_CYCLES},
    {"stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES},
};

const std::vector<Named> kSampleTypes = {
    {"ip", PERF_SAMPLE_IP},         {"tid", PERF_SAMPLE_TID},
    {"time", PERF_SAMPLE_TIME},     {"addr", PERF_SAMPLE_ADDR},
    {"read", PERF_SAMPLE_READ},     {"callchain", PERF_SAMPLE_CALLCHAIN},
    {"id", PERF_SAMPLE_ID},         {"cpu", PERF_SAMPLE_CPU},
    {"period", PERF_SAMPLE_PERIOD}, {"stream_id", PERF_SAMPLE_STREAM_ID},
    {"raw", PERF_SAMPLE_RAW},       {"identifier", PERF_SAMPLE_IDENTIFIER},
};

const std::vector<Named> kReadFormats = {
    {"enabled", PERF_FORMAT_TOTAL_TIME_ENABLED},
    {"running", PERF_FORMAT_TOTAL_TIME_RUNNING},
    {"id", PERF_FORMAT_ID},
    {"group", PERF_FORMAT_GROUP},
    {"lost", PERF_FORMAT_LOST},
};

const std::vector<Named> kBits = {
    {"disabled", kAttrDisabled},
    {"inherit", kAttrInherit},
    {"pinned", kAttrPinned},
    {"exclusive", kAttrExclusive},
    {"exclude_user", kAttrExcludeUser},
    {"exclude_kernel", kAttrExcludeKernel},
    {"exclude_hv", kAttrExcludeHv},
    {"exclude_idle", kAttrExcludeIdle},
    {"exclude_host", kAttrExcludeHost},
    {"exclude_guest", kAttrExcludeGuest},
    {"sample_id_all", kAttrSampleIdAll},
    {"enable_on_exec", kAttrEnableOnExec},
    {"comm", kAttrComm},
    {"task", kAttrTask},
    {"mmap", kAttrMmap},
    {"mmap2", kAttrMmap2},
    {"watermark", kAttrWatermark},
    {"write_backward", kAttrWriteBackward},
};

std::vector<std::string> names_of(const std::vector<Named>& table)
{
    std::vector<std::string> names;
    for (Named const& entry : table)
        names.push_back(entry.name);
    return names;
}

const Named* find(const std::vector<Named>& table, const std::string& name)
{
    for (Named const& entry : table)
        if (name == entry.name)
            return &entry;
    return nullptr;
}

bool is_number(const std::string& text)
{
    return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

u64 flags(YamlReader& yaml, const YAML::Node& node, const char* what,
          const std::vector<Named>& table)
{
    u64 bits = 0;
    for (YAML::Node const& item : yaml.scalars(node, what)) {
        if (is_number(item.Scalar())) {
            bits |= yaml.integer(item, what, 0, kAll).value_or(0);
            continue;
        }
        const Named* entry = find(table, item.Scalar());
        if (entry == nullptr)
            yaml.error(item, fmt::format("unknown {} '{}'{}", what, item.Scalar(),
                                         suggestion(item.Scalar(), names_of(table))));
        else
            bits |= entry->value;
    }
    return bits;
}

void load_type(YamlReader& yaml, const YAML::Node& node, const MachineConfig& machine,
               EventSpec& spec)
{
    const std::string type = yaml.text(node, "type").value_or("");
    if (is_number(type)) {
        constexpr u64 kTypeMax = 0xffff'ffff;
        spec.attr.type = static_cast<u32>(yaml.integer(node, "type", 0, kTypeMax).value_or(0));
        return;
    }
    if (const Named* named = find(kTypes, type)) {
        spec.attr.type = static_cast<u32>(named->value);
        return;
    }
    std::vector<std::string> known = names_of(kTypes);
    for (ClusterConfig const& cluster : machine.clusters) {
        if (cluster.pmu_name.empty())
            continue;
        known.push_back(cluster.pmu_name);
        if (type == cluster.pmu_name)
            spec.pmu = type;
    }
    if (spec.pmu.empty())
        yaml.error(node, fmt::format("unknown event type '{}' on machine {}{}", type, machine.name,
                                     suggestion(type, known)));
}

void load_config(YamlReader& yaml, const YAML::Node& node, EventSpec& spec)
{
    const std::string config = yaml.text(node, "config").value_or("0");
    if (is_number(config)) {
        spec.attr.config = yaml.integer(node, "config", 0, kAll).value_or(0);
        return;
    }
    if (spec.pmu.empty() && spec.attr.type == PERF_TYPE_HARDWARE) {
        if (const Named* named = find(kHardware, config))
            spec.attr.config = named->value;
        else
            yaml.error(node, fmt::format("unknown hardware event '{}'{}", config,
                                         suggestion(config, names_of(kHardware))));
        return;
    }
    if (const EventName* event = find_event(config)) {
        spec.attr.config = event->number;
        return;
    }
    std::vector<std::string> known;
    for (EventName const& event : event_catalogue())
        known.push_back(event.name);
    yaml.error(node, fmt::format("unknown event '{}'{}", config, suggestion(config, known)));
}

} // namespace

EventSpec load_event(YamlReader& yaml, const std::string& name, const YAML::Node& node,
                     const MachineConfig& machine)
{
    EventSpec spec;
    spec.name = name;
    spec.position = YamlReader::position(node);
    spec.attr.size = PERF_ATTR_SIZE_VER8;
    if (!yaml.object(node, "event", fmt::format("event '{}'", name)))
        return spec;
    PerfEventAttr& attr = spec.attr;
    load_type(yaml, node["type"], machine, spec);
    load_config(yaml, node["config"], spec);
    const auto word = [&](const char* key, u64& out) {
        if (node[key])
            out = yaml.integer(node[key], key, 0, kAll).value_or(0);
    };
    const auto half = [&](const char* key, u32& out) {
        constexpr u64 kHalfMax = 0xffff'ffff;
        if (node[key])
            out = static_cast<u32>(yaml.integer(node[key], key, 0, kHalfMax).value_or(0));
    };
    word("config1", attr.config1);
    word("config2", attr.config2);
    half("size", attr.size);
    half("wakeup_events", attr.wakeup_events);
    word("sample_period", attr.sample_period);
    if (node["sample_freq"]) {
        if (node["sample_period"])
            yaml.error(node["sample_freq"], "sample_period and sample_freq exclude each other");
        word("sample_freq", attr.sample_period);
        attr.bits |= kAttrFreq;
    }
    if (node["sample_type"])
        attr.sample_type = flags(yaml, node["sample_type"], "sample_type", kSampleTypes);
    if (node["read_format"])
        attr.read_format = flags(yaml, node["read_format"], "read_format", kReadFormats);
    for (Named const& bit : kBits)
        if (node[bit.name] && yaml.boolean(node[bit.name], bit.name).value_or(false))
            attr.bits |= bit.value;
    return spec;
}

} // namespace perfsim
