// SPDX-License-Identifier: Apache-2.0
// A kernel in a few lines: opens an instructions event on itself, "executes", reads, exits.
#include "core/abi/perf_event.hpp"
#include "core/control/control.hpp"
#include "core/hooks/hooks.hpp"

#include <cstdio>

using namespace perfcore;

int main()
{
    Subsystem& subsystem = *hooks::init().value();
    Hal::irqs = false;
    hooks::cpu_up();
    Hal::irqs = true;
    PerfEventAttr attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.size = sizeof attr;
    const auto fd = control::open(subsystem, reinterpret_cast<u64>(&attr), 0, -1, -1, 0);
    Hal::counters[0] += 12345; // the event has the lowest counter
    Hal::clock += 1000;
    u64 values[3] = {};
    const auto bytes = control::read(*static_cast<Event*>(Hal::file), reinterpret_cast<u64>(values),
                                     sizeof values);
    std::printf("fd %d, %lld bytes: value %llu, enabled %llu ns, running %llu ns\n", fd.value(),
                static_cast<long long>(bytes.value()), static_cast<unsigned long long>(values[0]),
                static_cast<unsigned long long>(values[1]),
                static_cast<unsigned long long>(values[2]));
    control::release(*static_cast<Event*>(Hal::file));
    hooks::exit(&Hal::task);
    hooks::shutdown(subsystem);
    return values[0] == 12345 && values[1] == 1000 && values[2] == 1000 ? 0 : 1;
}
