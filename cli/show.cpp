// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "sim/pmu_model/event_catalogue.hpp"
#include "sim/scenario/quantities.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

bool implements(const PmuConfig& pmu, u32 event)
{
    const u64 bits = event < 0x20 ? pmu.pmceid0 : pmu.pmceid1;
    return ((bits >> (event % 0x20)) & 1) != 0;
}

int show_machine(const std::string& name, const SearchPath& machines)
{
    Diagnostics diagnostics("perfsim");
    const auto machine = load_machine(name, machines, diagnostics, {});
    for (std::string const& message : diagnostics.messages())
        fmt::print(stderr, "{}\n", message);
    if (!machine)
        return kExitUsage;
    fmt::print("{}: {}\n  from {}\n", machine->name, machine->title, machine->source);
    u32 cpu = 0;
    for (ClusterConfig const& cluster : machine->clusters) {
        fmt::print("  CPUs {}-{}: {}, MIDR {:#010x}, {} MHz, capacity {}\n", cpu,
                   cpu + cluster.cpus - 1, cluster.core_type, cluster.midr,
                   cluster.frequency_hz / 1'000'000, cluster.capacity);
        for (u32 index = 0; index < cluster.cpus; ++index)
            fmt::print("    {} is {}, MPIDR affinity {:#05x}\n", cpu + index,
                       machine->cpu_name(cpu + index), cluster.mpidr[index]);
        cpu += cluster.cpus;
        if (cluster.pmu_name.empty()) {
            fmt::print("    no PMU described\n");
            continue;
        }
        fmt::print("    PMU {}: PMUVer {}, {} event counters and the cycle counter{}\n",
                   cluster.pmu_name, cluster.pmu.pmu_version, cluster.pmu.counters,
                   cluster.pmu_interrupt ? "" : ", no interrupt");
        fmt::print("    events:");
        for (EventName const& event : event_catalogue())
            if (implements(cluster.pmu, event.number))
                fmt::print(" {}", event.name);
        fmt::print("\n");
    }
    return kExitPass;
}

int show_event(const std::string& name, const SearchPath& machines)
{
    const EventName* event = find_event(name);
    if (const auto number = parse_u64(name); event == nullptr && number && *number < 0x40)
        event = find_event(static_cast<u32>(*number));
    if (event == nullptr) {
        std::vector<std::string> known;
        for (EventName const& entry : event_catalogue())
            known.push_back(entry.name);
        fmt::print(stderr, "perfsim: error: unknown event '{}'{}\n", name, suggestion(name, known));
        return kExitUsage;
    }
    fmt::print("{} ({:#04x}): {}\n", event->name, event->number, event->text);
    for (std::string const& machine_name : machine_names(machines)) {
        Diagnostics diagnostics(machine_name);
        const auto machine = load_machine(machine_name, machines, diagnostics, {});
        if (!machine)
            continue;
        for (ClusterConfig const& cluster : machine->clusters)
            fmt::print("  {:<16} {:<16} {}\n", machine_name, cluster.core_type,
                       implements(cluster.pmu, event->number) ? "yes" : "no");
    }
    return kExitPass;
}

} // namespace

int show_command(const std::string& what, const std::string& name, const SearchPath& machines)
{
    return what == "machine" ? show_machine(name, machines) : show_event(name, machines);
}

} // namespace perfsim
