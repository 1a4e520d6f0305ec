// SPDX-License-Identifier: Apache-2.0
// Rotation: flexible groups that do not all fit take turns, each PMU's groups on a timer of their
// own (Linux perf_mux_hrtimer_handler). A CPU has one cluster PMU, so there is one timer per CPU.
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// A, on the CPU: before its first event / after its last.
void init_rotation(CpuState& cpu);
void stop_rotation(CpuState& cpu);

/// Owner rule: some flexible group found no counter: rotate at the next multiple of the interval.
void start_rotation(CpuState& cpu);

} // namespace perfcore::inline PERFCORE_BINDING
