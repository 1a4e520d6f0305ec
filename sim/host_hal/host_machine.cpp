// SPDX-License-Identifier: Apache-2.0
#include "sim/host_hal/host_machine.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace perfcore::host {

namespace {
HostMachine* s_machine = nullptr;
}

HostMachine& machine()
{
    if (s_machine == nullptr) {
        std::fputs("perfcore: the host HAL was used with no machine set (set_machine)\n", stderr);
        std::abort();
    }
    return *s_machine;
}

HostMachine* set_machine(HostMachine* machine)
{
    return std::exchange(s_machine, machine);
}

} // namespace perfcore::host
