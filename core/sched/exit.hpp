// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// P, on behalf of the exiting task: detaches all its events (they stay readable, state EXIT) and
/// drops its context.
void exit_task_context(Subsystem& subsystem, Hal::Task* task);

/// A, on the CPU that goes away: its cpu-bound events go OFF and leave the context.
void exit_cpu_context(CpuState& cpu);

} // namespace perfcore::inline PERFCORE_BINDING
