// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/schema.hpp"

#include <nlohmann/json.hpp>

namespace perfsim {

const std::vector<SchemaKey>& schema()
{
    using enum ValueKind;
    static const std::vector<SchemaKey> keys = {
        {"scenario", "perfsim", Integer, true, "version of the form: 1"},
        {"scenario", "name", Text, true, "a sentence that says what must hold"},
        {"scenario", "why", Text, false, "rules, rows and arithmetic behind the expected values"},
        {"scenario", "machine", Text, true, "name of a file in machines/"},
        {"scenario", "needs", Map, false, "what a target must have; without it: SKIP"},
        {"scenario", "kernel", Map, false, "settings of the simulated kernel"},
        {"scenario", "functions", Map, true, "user code by name"},
        {"scenario", "events", Map, false, "attrs by name"},
        {"scenario", "processes", Map, true, "threads by process, programs by thread"},
        {"scenario", "faults", List, false, "what goes wrong on purpose"},
        {"scenario", "expect", Map, true, "what must hold"},

        {"needs", "cpus", Integer, false, "CPUs"},
        {"needs", "clusters", Integer, false, "clusters"},
        {"needs", "events", List, false, "events every cluster's PMU must implement"},

        {"kernel", "hz", Integer, false, "ticks per second, 1..10000; default 250"},
        {"kernel", "mux_ms", Integer, false, "rotation interval in ms; default 4"},
        {"kernel", "paranoid", Integer, false, "kernel.perf_event_paranoid; default 1"},
        {"kernel", "cost", Text, false,
         "zero (default): kernel code takes no time; model: it does"},
        {"kernel", "slice", Time, false, "time slice; default one tick"},
        {"kernel", "time_limit", Time, false, "world time that counts as a hang; default 60 s"},

        {"function", "calls", List, false, "functions it calls"},
        {"function", "cpi", Map, false, "cycles per instruction by core type; default 1"},
        {"function", "rates", Map, false, "other events per instruction by event name"},

        {"event", "type", Text, true, "hardware, raw, ..., a PMU name or a number"},
        {"event", "config", Text, true, "generic name, Arm event name or number"},
        {"event", "config1", Integer, false, "attr.config1"},
        {"event", "config2", Integer, false, "attr.config2"},
        {"event", "size", Integer, false, "attr.size; default 136"},
        {"event", "sample_period", Integer, false, "events per sample; 0: counting"},
        {"event", "sample_freq", Integer, false, "samples per second; sets freq"},
        {"event", "sample_type", List, false, "ip, tid, time, addr, id, cpu, period, ..."},
        {"event", "read_format", List, false, "enabled, running, id, group, lost"},
        {"event", "wakeup_events", Integer, false, "attr.wakeup_events"},
        {"event", "disabled", Boolean, false, "starts OFF"},
        {"event", "inherit", Boolean, false, "attr bit"},
        {"event", "pinned", Boolean, false, "attr bit"},
        {"event", "exclusive", Boolean, false, "attr bit"},
        {"event", "exclude_user", Boolean, false, "does not count at EL0"},
        {"event", "exclude_kernel", Boolean, false, "does not count at EL1"},
        {"event", "exclude_hv", Boolean, false, "attr bit"},
        {"event", "exclude_idle", Boolean, false, "attr bit"},
        {"event", "exclude_host", Boolean, false, "attr bit"},
        {"event", "exclude_guest", Boolean, false, "attr bit"},
        {"event", "sample_id_all", Boolean, false, "trailer on every record but samples"},
        {"event", "enable_on_exec", Boolean, false, "attr bit"},
        {"event", "comm", Boolean, false, "attr bit"},
        {"event", "task", Boolean, false, "attr bit"},
        {"event", "mmap", Boolean, false, "attr bit"},
        {"event", "mmap2", Boolean, false, "attr bit"},
        {"event", "watermark", Boolean, false, "attr bit"},
        {"event", "write_backward", Boolean, false, "attr bit"},

        {"process", "perfmon", Boolean, false, "has CAP_PERFMON; default true"},

        {"thread", "cpus", List, false, "CPUs it may use; default all"},
        {"thread", "run", List, true, "its program"},

        {"op", "run", Map, false, "execute user code"},
        {"op", "mark", Text, false, "raise a mark"},
        {"op", "wait", Text, false, "wait for a mark, or never"},
        {"op", "at", Time, false, "wait for world time"},
        {"op", "sleep", Time, false, "sleep"},
        {"op", "yield", Text, false, "let others run; value: once"},
        {"op", "setaffinity", List, false, "CPUs to use from now on"},
        {"op", "open", Map, false, "perf_event_open(2)"},
        {"op", "ioctl", Map, false, "ioctl(2)"},
        {"op", "read", Map, false, "read(2)"},
        {"op", "mmap", Map, false, "mmap(2)"},
        {"op", "munmap", Text, false, "munmap(2) of a ring"},
        {"op", "drain", Map, false, "take the records of a ring"},
        {"op", "close", Text, false, "close(2)"},
        {"op", "exit", Text, false, "leave now; value: thread"},
        {"op", "repeat", Map, false, "a list of operations several times"},

        {"op.run", "insn", Integer, true, "instructions"},
        {"op.run", "in", Text, true, "function"},
        {"op.open", "event", Text, true, "entry of events"},
        {"op.open", "as", Text, true, "name of the descriptor"},
        {"op.open", "task", Text, false, "thread, self, none (default) or a pid"},
        {"op.open", "cpu", Text, false, "CPU; default any (-1)"},
        {"op.open", "group", Text, false, "descriptor of the group leader"},
        {"op.open", "flags", List, false, "no_group, output, cgroup, cloexec"},
        {"op.ioctl", "event", Text, true, "descriptor"},
        {"op.ioctl", "do", Text, true, "ENABLE, DISABLE, RESET, ID, ... or a number"},
        {"op.ioctl", "arg", Integer, false, "argument (of PERIOD the period itself); default 0"},
        {"op.ioctl", "as", Text, false, "name of the observation"},
        {"op.read", "event", Text, true, "descriptor"},
        {"op.read", "as", Text, false, "name of the observation"},
        {"op.read", "size", Integer, false, "bytes asked for; default enough"},
        {"op.mmap", "event", Text, true, "descriptor"},
        {"op.mmap", "as", Text, true, "name of the ring"},
        {"op.mmap", "pages", Integer, true, "data pages behind the user page"},
        {"op.mmap", "prot", Text, false, "rw (default) or r"},
        {"op.drain", "ring", Text, true, "name of the ring"},
        {"op.drain", "as", Text, false, "name of the observation; equal names accumulate"},
        {"op.repeat", "times", Integer, true, "1..100000"},
        {"op.repeat", "do", List, true, "operations"},

        {"fault", "ipi_delay", Time, false, "cross-CPU interrupts arrive this much later"},
        {"fault", "pmu_irq_latency", Time, false, "the PMU interrupt arrives this much later"},
        {"fault", "alloc_fail", Integer, false, "the nth allocation of the core fails"},
        {"fault", "cpu_off", Text, false, "this CPU goes offline"},
        {"fault", "cpu", Text, false, "CPU concerned; default every CPU"},
        {"fault", "to", Text, false, "the same, for ipi_delay"},
        {"fault", "after", Text, false, "mark from which on; default the start"},
        {"fault", "at", Time, false, "cpu_off: this long after the mark or the start"},

        {"expect", "always", List, false, "on every target"},
        {"expect", "simulation", List, false, "in the simulator, under any schedule"},
        {"expect", "ordered", List, false, "in the simulator's ordered schedule only"},

        {"machine", "perfsim_machine", Integer, true, "version of the form: 1"},
        {"machine", "title", Text, true, "one line"},
        {"machine", "source", Text, true, "where the numbers come from"},
        {"machine", "clusters", List, true, "clusters in order of CPU number"},

        {"cluster", "core", Text, true, "core type; CPUs are CORE/0, CORE/1, ..."},
        {"cluster", "midr", Integer, true, "MIDR_EL1"},
        {"cluster", "mpidr", List, true, "MPIDR_EL1 affinity, one per CPU"},
        {"cluster", "frequency_hz", Integer, true, "core clock"},
        {"cluster", "capacity", Integer, false, "relative, 1024 for the largest"},
        {"cluster", "pmu", Map, false, "PMU node; none: no PMU described"},

        {"pmu", "name", Text, true, "Linux PMU name"},
        {"pmu", "version", Integer, true, "ID_AA64DFR0_EL1.PMUVer"},
        {"pmu", "counters", Integer, true, "event counters, 0..31"},
        {"pmu", "idcode", Integer, false, "PMCR_EL0.IDCODE"},
        {"pmu", "events", List, true, "common events it implements, by Arm name"},
        {"pmu", "interrupt", Boolean, false, "has an overflow interrupt; default 1"},
    };
    return keys;
}

std::vector<std::string> keys_of(const std::string& object)
{
    std::vector<std::string> keys;
    for (SchemaKey const& key : schema())
        if (object == key.object)
            keys.push_back(key.key);
    return keys;
}

const SchemaKey* find_key(const std::string& object, const std::string& key)
{
    for (SchemaKey const& candidate : schema())
        if (object == candidate.object && key == candidate.key)
            return &candidate;
    return nullptr;
}

namespace {

using Json = nlohmann::ordered_json;

Json value_schema(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Integer:
        return {{"type", {"integer", "string"}}};
    case ValueKind::Boolean:
        return {{"enum", {0, 1, true, false}}};
    case ValueKind::List:
        return {{"type", "array"}};
    case ValueKind::Map:
        return {{"type", "object"}};
    case ValueKind::Text:
    case ValueKind::Time:
    case ValueKind::Ratio:
        return {{"type", {"string", "integer"}}};
    }
    return Json::object();
}

Json object_schema(const std::string& object)
{
    Json properties = Json::object();
    Json required = Json::array();
    for (SchemaKey const& key : schema()) {
        if (object != key.object)
            continue;
        Json value = value_schema(key.kind);
        value["description"] = key.text;
        properties[key.key] = value;
        if (key.required)
            required.push_back(key.key);
    }
    return {{"type", "object"},
            {"properties", properties},
            {"required", required},
            {"additionalProperties", false}};
}

} // namespace

std::string json_schema()
{
    Json root = object_schema("scenario");
    Json document = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                     {"title", "perfsim scenario"}};
    document.update(root);
    Json& properties = document["properties"];
    for (const char* object : {"needs", "kernel", "expect"})
        properties[object].update(object_schema(object));
    for (const auto& [key, object] :
         {std::pair{"functions", "function"}, std::pair{"events", "event"}})
        properties[key]["additionalProperties"] = object_schema(object);
    properties["faults"]["items"] = object_schema("fault");
    Json thread = object_schema("thread");
    Json op = object_schema("op");
    op["minProperties"] = 1;
    op["maxProperties"] = 1;
    for (const char* name : {"run", "open", "ioctl", "read", "mmap", "drain", "repeat"})
        op["properties"][name].update(object_schema(std::string("op.") + name));
    op["properties"]["repeat"]["properties"]["do"]["items"] = {{"$ref", "#/$defs/op"}};
    thread["properties"]["run"]["items"] = {{"$ref", "#/$defs/op"}};
    Json process = object_schema("process");
    process["additionalProperties"] = thread;
    properties["processes"]["additionalProperties"] = process;
    document["$defs"]["op"] = op;
    return document.dump(2) + "\n";
}

} // namespace perfsim
