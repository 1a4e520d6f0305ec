// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

#include <fmt/format.h>

namespace perfsim {

int check_command(const std::vector<std::string>& paths, const SearchPath& machines)
{
    std::vector<std::string> errors;
    const std::vector<std::string> files = discover(paths, errors);
    for (std::string const& error : errors)
        fmt::print(stderr, "{}\n", error);
    std::size_t bad = errors.size();
    for (std::string const& file : files)
        if (!load_file(file, machines))
            ++bad;
        else
            fmt::print("{}: good\n", file);
    return bad == 0 ? kExitPass : kExitUsage;
}

} // namespace perfsim
