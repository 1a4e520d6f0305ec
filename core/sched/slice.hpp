// SPDX-License-Identifier: Apache-2.0
// Events onto counters and off again: what a context switch does, and the steps control operations
// use on the owning CPU. Everything here obeys the owner rule: the caller either runs on the
// context's CPU with interrupts off, or holds context.lock of a context that is on none.
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// A: the task's context leaves this CPU / comes onto it. Takes context.lock.
void context_switch_out(CpuState& cpu, Context& context);
void context_switch_in(CpuState& cpu, Context& context);

/// Takes the counters of the context's active events away; they wait, INACTIVE.
void stop_context(CpuState& cpu, Context& context);

/// Gives counters to the context's waiting events, in order of opening, until one does not fit.
void schedule_in(CpuState& cpu, Context& context);

// Steps on one event under the owner rule; cpu is null when its context is on no CPU.

/// Links a new event into its context and starts it unless it was opened disabled.
void attach_event(CpuState* cpu, Event& event);
/// Stops the event and unlinks it; `state` is Off or Exit.
void detach_event(CpuState* cpu, Event& event, EventState state);
void enable_event(CpuState* cpu, Event& event);
void disable_event(CpuState* cpu, Event& event);
/// Brings count and times up to date.
void refresh_event(Event& event);
void reset_event(Event& event);

} // namespace perfcore::inline PERFCORE_BINDING
