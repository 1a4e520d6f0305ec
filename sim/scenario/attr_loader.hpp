// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/scenario/model.hpp"
#include "sim/scenario/yaml_reader.hpp"

namespace perfsim {

/// An entry of `events`.
EventSpec load_event(YamlReader& yaml, const std::string& name, const YAML::Node& node,
                     const MachineConfig& machine);

/// Bytes read(2) returns for a read_format.
u64 read_size(u64 read_format);

} // namespace perfsim
