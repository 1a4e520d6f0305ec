// SPDX-License-Identifier: Apache-2.0
// What a context switch does to events, and what has to happen when one of them changes. Owner
// rule.
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// A: the task's context leaves this CPU / comes onto it. Takes context.lock.
void context_switch_out(CpuState& cpu, Context& context);
void context_switch_in(CpuState& cpu, Context& context);

/// A task context goes on the CPU / off it; its groups have no counters.
void activate(CpuState& cpu, Context& context);
void deactivate(CpuState& cpu, Context& context);

/// A group of the context on this CPU has been enabled: whoever comes after it in order of priority
/// gives its counters up and everybody gets a turn (Linux ctx_resched).
void reschedule(CpuState& cpu, const Event& leader);

} // namespace perfcore::inline PERFCORE_BINDING
