// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/scenario/model.hpp"
#include "sim/scenario/yaml_reader.hpp"

namespace perfsim {

/// An entry of `events`.
EventSpec load_event(YamlReader& yaml, const std::string& name, const YAML::Node& node,
                     const MachineConfig& machine);

} // namespace perfsim
