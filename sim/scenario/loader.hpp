// SPDX-License-Identifier: Apache-2.0
// From files to checked, compiled scenarios and machines.
#pragma once

#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/model.hpp"

#include <optional>

namespace perfsim {

/// Where machine files are looked for, in order.
using SearchPath = std::vector<std::string>;

/// The text of a file, or an error.
std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics);

/// A machine by name. Errors name the file; an unknown name lists what there is.
std::optional<MachineConfig> load_machine(const std::string& name, const SearchPath& path,
                                          Diagnostics& diagnostics, Position asked_at);

/// Machine names found on the path, sorted.
std::vector<std::string> machine_names(const SearchPath& path);

struct LoadedScenario {
    Scenario scenario;
    MachineConfig machine;
};

/// Nothing, and messages in diagnostics, if anything is wrong. `file` is the name used in messages.
std::optional<LoadedScenario> load_scenario(const std::string& text, const SearchPath& path,
                                            Diagnostics& diagnostics);

} // namespace perfsim
