// SPDX-License-Identifier: Apache-2.0
#include "sim/pmu_model/event_catalogue.hpp"
#include "sim/scenario/attr_loader.hpp"
#include "sim/scenario/expect.hpp"
#include "sim/scenario/loader.hpp"
#include "sim/scenario/program_loader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfsim {

namespace {

constexpr u64 kCodeBase = 0x400000;
constexpr u64 kCodeStep = 0x1000;
constexpr u64 kCodeSize = 0x100;

class ScenarioLoader {
public:
    ScenarioLoader(YamlReader& yaml, Scenario& scenario, const MachineConfig& machine)
        : m_yaml(yaml), m_scenario(scenario), m_machine(machine), m_names(yaml, scenario)
    {
    }

    void load(const YAML::Node& root)
    {
        m_scenario.name = m_yaml.text(root["name"], "name").value_or("");
        if (root["why"])
            m_scenario.why = m_yaml.text(root["why"], "why").value_or("");
        if (root["needs"])
            load_needs(root["needs"]);
        if (root["kernel"])
            load_kernel(root["kernel"]);
        load_functions(root["functions"]);
        if (root["events"] && m_yaml.names(root["events"], "events"))
            for (auto const& entry : root["events"])
                m_scenario.events.push_back(
                    load_event(m_yaml, entry.first.Scalar(), entry.second, m_machine));
        const YAML::Node processes = root["processes"];
        if (!m_yaml.names(processes, "processes"))
            return;
        m_names.collect(processes);
        if (m_scenario.threads.empty())
            m_yaml.error(processes, "a scenario needs at least one thread");
        ProgramLoader(m_yaml, m_names, m_scenario, m_machine).load(processes);
        if (root["faults"] && m_yaml.list(root["faults"], "faults"))
            for (auto const& node : root["faults"])
                load_fault(node);
        load_expectations(root["expect"]);
    }

private:
    void load_needs(const YAML::Node& node)
    {
        if (!m_yaml.object(node, "needs", "needs"))
            return;
        if (node["cpus"])
            m_scenario.needs.cpus = static_cast<u32>(
                m_yaml.integer(node["cpus"], "cpus", 1, perfcore::kMaxCpus).value_or(1));
        if (node["clusters"])
            m_scenario.needs.clusters = static_cast<u32>(
                m_yaml.integer(node["clusters"], "clusters", 1, perfcore::kMaxCpus).value_or(1));
        if (node["events"])
            for (YAML::Node const& item : m_yaml.scalars(node["events"], "events"))
                m_scenario.needs.events.push_back(event_number(item));
    }

    u32 event_number(const YAML::Node& node)
    {
        const std::string name = m_yaml.text(node, "event").value_or("");
        if (const EventName* event = find_event(name))
            return event->number;
        std::vector<std::string> known;
        for (EventName const& event : event_catalogue())
            known.push_back(event.name);
        m_yaml.error(node, fmt::format("unknown event '{}'{}", name, suggestion(name, known)));
        return 0;
    }

    void load_kernel(const YAML::Node& node)
    {
        if (!m_yaml.object(node, "kernel", "kernel"))
            return;
        KernelConfig& kernel = m_scenario.kernel;
        constexpr u64 kHzMax = 10'000;
        constexpr u64 kMuxMax = 10'000;
        if (node["hz"])
            kernel.hz = static_cast<u32>(m_yaml.integer(node["hz"], "hz", 1, kHzMax).value_or(250));
        if (node["mux_ms"])
            kernel.mux_ms =
                static_cast<u32>(m_yaml.integer(node["mux_ms"], "mux_ms", 1, kMuxMax).value_or(4));
        if (node["paranoid"])
            kernel.paranoid = static_cast<i32>(
                m_yaml.signed_integer(node["paranoid"], "paranoid", -1, 4).value_or(1));
        if (node["cost"]) {
            const std::string cost = m_yaml.text(node["cost"], "cost").value_or("");
            if (cost != "zero" && cost != "model")
                m_yaml.error(node["cost"], fmt::format("cost is zero or model, not '{}'", cost));
            kernel.cost_model = cost == "model";
        }
        if (node["slice"])
            kernel.slice_ps = m_yaml.time_ps(node["slice"], "slice").value_or(0);
        if (node["time_limit"])
            kernel.time_limit_ps = m_yaml.time_ps(node["time_limit"], "time_limit").value_or(1);
    }

    void load_functions(const YAML::Node& node)
    {
        if (!m_yaml.names(node, "functions"))
            return;
        for (auto const& entry : node) {
            Function function;
            function.name = entry.first.Scalar();
            function.address = kCodeBase + kCodeStep * m_scenario.functions.size();
            function.size = kCodeSize;
            m_scenario.functions.push_back(function);
        }
        u32 index = 0;
        for (auto const& entry : node)
            load_function(entry.second, m_scenario.functions[index++]);
        check_call_cycles(node);
    }

    void load_function(const YAML::Node& node, Function& function)
    {
        if (!m_yaml.object(node, "function", fmt::format("function '{}'", function.name)))
            return;
        if (node["calls"])
            for (YAML::Node const& item : m_yaml.scalars(node["calls"], "calls")) {
                const u32 callee = m_names.function(item);
                if (callee != kNone)
                    function.calls.push_back(callee);
            }
        if (node["cpi"] && m_yaml.names(node["cpi"], "cpi"))
            for (auto const& entry : node["cpi"])
                load_cpi(entry.first, entry.second, function);
        if (node["rates"] && m_yaml.names(node["rates"], "rates"))
            for (auto const& entry : node["rates"])
                function.rates[event_number(entry.first)] =
                    m_yaml.ratio(entry.second, "a rate").value_or(Ratio{});
    }

    void load_cpi(const YAML::Node& key, const YAML::Node& value, Function& function)
    {
        std::vector<std::string> known;
        for (ClusterConfig const& cluster : m_machine.clusters)
            known.push_back(cluster.core_type);
        const std::string core = key.Scalar();
        if (std::find(known.begin(), known.end(), core) == known.end())
            m_yaml.error(key, fmt::format("machine {} has no core type '{}'{}", m_machine.name,
                                          core, suggestion(core, known)));
        const Ratio ratio = m_yaml.ratio(value, "cpi").value_or(Ratio{});
        if (ratio.num == 0)
            m_yaml.error(value, "an instruction takes time: cpi is above 0");
        else
            function.cpi[core] = ratio;
    }

    void check_call_cycles(const YAML::Node& node)
    {
        const auto& functions = m_scenario.functions;
        // Walking more levels than there are functions means going round.
        for (u32 start = 0; start < functions.size(); ++start) {
            std::vector<u32> level = {start};
            std::vector<bool> seen(functions.size(), false);
            while (!level.empty()) {
                std::vector<u32> next;
                for (u32 function : level)
                    for (u32 callee : functions[function].calls) {
                        if (callee == start) {
                            m_yaml.error(node[functions[start].name],
                                         fmt::format("function '{}' calls itself in the end",
                                                     functions[start].name));
                            return;
                        }
                        if (!seen[callee])
                            next.push_back(callee);
                        seen[callee] = true;
                    }
                level = next;
            }
        }
    }

    void load_fault(const YAML::Node& node)
    {
        if (!m_yaml.object(node, "fault", "fault"))
            return;
        Fault fault;
        fault.position = YamlReader::position(node);
        u32 kinds = 0;
        if (node["ipi_delay"]) {
            ++kinds;
            fault.kind = FaultKind::IpiDelay;
            fault.time_ps = m_yaml.time_ps(node["ipi_delay"], "ipi_delay").value_or(0);
        }
        if (node["pmu_irq_latency"]) {
            ++kinds;
            fault.kind = FaultKind::PmuIrqLatency;
            fault.time_ps = m_yaml.time_ps(node["pmu_irq_latency"], "pmu_irq_latency").value_or(0);
        }
        if (node["alloc_fail"]) {
            ++kinds;
            constexpr u64 kNthMax = 1'000'000;
            fault.kind = FaultKind::AllocFail;
            fault.nth = static_cast<u32>(
                m_yaml.integer(node["alloc_fail"], "alloc_fail", 1, kNthMax).value_or(1));
        }
        if (node["cpu_off"]) {
            ++kinds;
            fault.kind = FaultKind::CpuOff;
            fault.cpu = m_names.cpu(node["cpu_off"], m_machine);
            if (fault.cpu == 0)
                m_yaml.error(node["cpu_off"], "CPU 0 cannot go offline: the kernel boots on it");
            if (node["at"])
                fault.time_ps = m_yaml.time_ps(node["at"], "at").value_or(0);
        } else if (node["at"]) {
            m_yaml.error(node["at"], "'at' goes with cpu_off");
        }
        if (kinds != 1)
            m_yaml.error(node, "a fault is exactly one of ipi_delay, pmu_irq_latency, alloc_fail, "
                               "cpu_off");
        for (const char* key : {"cpu", "to"})
            if (node[key])
                fault.cpu = m_names.cpu(node[key], m_machine);
        if (node["after"])
            fault.after_mark = m_names.mark(node["after"]);
        m_scenario.faults.push_back(fault);
    }

    void load_expectations(const YAML::Node& node)
    {
        if (!m_yaml.object(node, "expect", "expect"))
            return;
        for (const auto& [key, scope] :
             {std::pair{"always", Scope::Always}, std::pair{"simulation", Scope::Simulation},
              std::pair{"ordered", Scope::Ordered}}) {
            if (!node[key])
                continue;
            for (YAML::Node const& item : m_yaml.scalars(node[key], key)) {
                Expectation expectation{item.Scalar(), scope, YamlReader::position(item)};
                const std::string problem = check_expectation(expectation.text, m_scenario);
                if (!problem.empty())
                    m_yaml.error(item, problem);
                m_scenario.expect.push_back(expectation);
            }
        }
        if (m_scenario.expect.empty())
            m_yaml.error(node, "a scenario expects at least one thing");
    }

    YamlReader& m_yaml;
    Scenario& m_scenario;
    const MachineConfig& m_machine;
    Names m_names;
};

} // namespace

std::optional<LoadedScenario> load_scenario(const std::string& text, const SearchPath& path,
                                            Diagnostics& diagnostics)
{
    YamlReader yaml(diagnostics);
    const YAML::Node root = yaml.parse(text);
    if (!diagnostics.ok() || !yaml.object(root, "scenario", "the scenario"))
        return std::nullopt;
    yaml.integer(root["perfsim"], "perfsim", 1, 1);
    const std::string machine_name = yaml.text(root["machine"], "machine").value_or("");
    const auto machine =
        load_machine(machine_name, path, diagnostics, YamlReader::position(root["machine"]));
    if (!machine)
        return std::nullopt;
    LoadedScenario loaded{{}, *machine};
    loaded.scenario.file = diagnostics.file();
    loaded.scenario.machine = machine_name;
    ScenarioLoader(yaml, loaded.scenario, loaded.machine).load(root);
    if (!diagnostics.ok())
        return std::nullopt;
    return loaded;
}

} // namespace perfsim
