// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace perfsim {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> files_under(const std::string& directory, std::string& error)
{
    std::vector<std::string> files;
    std::error_code code;
    fs::recursive_directory_iterator walk(directory, code);
    for (; !code && walk != fs::recursive_directory_iterator(); walk.increment(code)) {
        std::error_code ignored;
        if (walk->is_directory(ignored) && walk->path().filename() == "machines")
            walk.disable_recursion_pending();
        else if (walk->is_regular_file(ignored) && walk->path().extension() == ".yaml")
            files.push_back(walk->path().string());
    }
    if (code)
        error = fmt::format("{}: error: cannot be searched: {}", directory, code.message());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

std::vector<std::string> discover(const std::vector<std::string>& paths,
                                  std::vector<std::string>& errors)
{
    std::vector<std::string> files;
    for (std::string const& path : paths) {
        std::error_code code;
        if (!fs::is_directory(path, code)) {
            files.push_back(path);
            continue;
        }
        std::string error;
        const std::vector<std::string> found = files_under(path, error);
        if (found.empty() && error.empty())
            error = fmt::format("{}: error: no scenario in it; scenarios are files named *.yaml "
                                "outside a folder 'machines'",
                                path);
        if (!error.empty())
            errors.push_back(error);
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

std::optional<LoadedScenario> load_file(const std::string& file, const SearchPath& machines)
{
    Diagnostics diagnostics(file);
    std::optional<LoadedScenario> loaded;
    if (const auto text = read_file(file, diagnostics))
        loaded = load_scenario(*text, machines, diagnostics);
    for (std::string const& message : diagnostics.messages())
        fmt::print(stderr, "{}\n", message);
    return loaded;
}

} // namespace perfsim
