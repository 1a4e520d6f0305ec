// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/scenario/names.hpp"

namespace perfsim {

/// Compiles the programs of all threads; names have been collected.
class ProgramLoader {
public:
    ProgramLoader(YamlReader& yaml, Names& names, Scenario& scenario, const MachineConfig& machine)
        : m_yaml(yaml), m_names(names), m_scenario(scenario), m_machine(machine)
    {
    }

    void load(const YAML::Node& processes);

private:
    void load_thread(const YAML::Node& node, Thread& thread);
    void load_list(const YAML::Node& list, std::vector<Op>& out, u32 depth);
    void load_op(const YAML::Node& node, std::vector<Op>& out, u32 depth);
    bool load_simple(const std::string& key, const YAML::Node& value, Op& op);
    void load_open(const YAML::Node& node, Op& op);
    void load_ioctl(const YAML::Node& node, Op& op);
    void load_read(const YAML::Node& node, Op& op);
    void load_mmap(const YAML::Node& node, Op& op);
    void load_repeat(const YAML::Node& node, std::vector<Op>& out, u32 depth);
    std::vector<u32> cpus(const YAML::Node& node);

    YamlReader& m_yaml;
    Names& m_names;
    Scenario& m_scenario;
    const MachineConfig& m_machine;
};

} // namespace perfsim
