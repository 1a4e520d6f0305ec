// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "sim/pmu_model/event_catalogue.hpp"

#include <fmt/format.h>

namespace perfsim {

int list_command(const std::string& what, const std::vector<std::string>& paths,
                 const SearchPath& machines)
{
    if (what == "events") {
        for (EventName const& event : event_catalogue())
            fmt::print("{:#04x}  {:<24} {}\n", event.number, event.name, event.text);
        return kExitPass;
    }
    int code = kExitPass;
    if (what == "machines") {
        for (std::string const& name : machine_names(machines)) {
            Diagnostics diagnostics(name);
            if (const auto machine = load_machine(name, machines, diagnostics, {}))
                fmt::print("{:<16} {}\n", name, machine->title);
            for (std::string const& message : diagnostics.messages()) {
                fmt::print(stderr, "{}\n", message);
                code = kExitUsage;
            }
        }
        return code;
    }
    std::vector<std::string> errors;
    for (std::string const& file : discover(paths, errors)) {
        if (const auto loaded = load_file(file, machines))
            fmt::print("{:<48} {}\n", file, loaded->scenario.name);
        else
            code = kExitUsage;
    }
    for (std::string const& error : errors)
        fmt::print(stderr, "{}\n", error);
    return errors.empty() ? code : int{kExitUsage};
}

} // namespace perfsim
