// SPDX-License-Identifier: Apache-2.0
// Subcommands of perfsim, one file each. Each returns the process' exit code.
#pragma once

#include "sim/scenario/loader.hpp"
#include "sim/scenario/report.hpp"

#include <string>
#include <vector>

namespace perfsim {

struct RunCommand {
    std::vector<std::string> paths;
    SearchPath machines;
    RunOptions options;
    u64 seeds = 1;
    u32 jobs = 1;
    bool json = false;
    bool check_determinism = false;
    std::string out_dir;
};

int run_command(const RunCommand& command);
int check_command(const std::vector<std::string>& paths, const SearchPath& machines);
int list_command(const std::string& what, const std::vector<std::string>& paths,
                 const SearchPath& machines);
int schema_command();
int show_command(const std::string& what, const std::string& name, const SearchPath& machines);

/// Scenario files under the paths, sorted within each directory; directories named `machines` are
/// left out. An empty directory or a missing path is an error message.
std::vector<std::string> discover(const std::vector<std::string>& paths,
                                  std::vector<std::string>& errors);

/// Loads a file; prints every error to standard error.
std::optional<LoadedScenario> load_file(const std::string& file, const SearchPath& machines);

} // namespace perfsim
