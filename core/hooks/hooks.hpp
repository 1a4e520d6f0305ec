// SPDX-License-Identifier: Apache-2.0
// What a kernel calls at its own events. The context each hook runs in stands with it: P process,
// A atomic (interrupts off), I interrupt.
#pragma once

#include "core/base/result.hpp"
#include "core/base/settings.hpp"
#include "core/hal/hal.hpp"

namespace perfcore::inline PERFCORE_BINDING {

class Event;
struct Subsystem;

namespace hooks {

/// P, once, before any other hook: allocates the subsystem and its per-CPU parts and stores the
/// latter in Hal::cpu_slot_of(cpu). The kernel keeps the pointer for control::open.
Result<Subsystem*> init();

/// PAI: the values behind the kernel.perf_* sysctls, for the kernel to set and to show.
Settings& settings(Subsystem& subsystem);

/// PAI: what the PMU's perf_event_mux_interval_ms in sysfs says, from the next rotation on. EINVAL
/// for 0, ENOENT for an unknown type.
Result<void> set_mux_interval(Subsystem& subsystem, u32 pmu_type, u32 milliseconds);

/// P: the reverse; every event must have been released and every task context dropped.
void shutdown(Subsystem& subsystem);

/// A, on the CPU that comes up (boot CPU included): brings the PMU to a known state (its registers
/// are UNKNOWN at reset) and learns what it has. No event of this CPU counts before.
void cpu_up();

/// A, on the CPU that goes away, no task of a user on it any more: its CPU events go OFF.
void cpu_down();

/// I: the PMU interrupt of this CPU. Returns false if no counter of ours had overflowed.
bool pmu_irq();

/// A, interrupts off, scheduler locks may be held: prev stops / next starts running on this CPU.
/// Hal::current() is prev in switch_out and next in switch_in. Hal::task_cpu(next) names this CPU
/// before switch_in, with a full barrier in between; that of prev does so until after switch_out.
void switch_out(Hal::Task* prev);
void switch_in(Hal::Task* next);

/// I: the periodic tick of this CPU. Nothing of this core hangs on it yet; frequency mode and
/// throttling will.
void tick();

/// P, on behalf of the exiting task itself, before it gives up its address space: its events stop
/// and stay readable. Hal::task_ids(task).exiting is true from before this call on.
void exit(Hal::Task* task);

/// P: a mapping made by control::mmap goes away.
void vma_close(Event& event);

} // namespace hooks
} // namespace perfcore::inline PERFCORE_BINDING
