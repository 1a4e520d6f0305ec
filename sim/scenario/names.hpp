// SPDX-License-Identifier: Apache-2.0
// The names of a scenario, collected before anything that refers to them is compiled.
#pragma once

#include "sim/scenario/model.hpp"
#include "sim/scenario/yaml_reader.hpp"

namespace perfsim {

class Names {
public:
    Names(YamlReader& yaml, Scenario& scenario) : m_yaml(yaml), m_scenario(scenario) {}

    /// First pass over processes: threads, and what their programs name.
    void collect(const YAML::Node& processes);

    /// Index of a name, kNone (and an error at node) if there is none.
    u32 function(const YAML::Node& node);
    u32 event(const YAML::Node& node);
    u32 thread(const YAML::Node& node);
    u32 mark(const YAML::Node& node);
    u32 handle(const YAML::Node& node);
    u32 ring(const YAML::Node& node);

    /// "cortex-a55/0" or a number; kNone and an error otherwise.
    u32 cpu(const YAML::Node& node, const MachineConfig& machine);

private:
    void collect_ops(const YAML::Node& list, u32 depth);
    u32 find(const YAML::Node& node, const char* kind, const std::vector<std::string>& known);

    YamlReader& m_yaml;
    Scenario& m_scenario;
};

inline constexpr u32 kRepeatDepthMax = 4;

} // namespace perfsim
