// SPDX-License-Identifier: Apache-2.0
// The way in to an event from anywhere (Linux event_function_call): the operation runs where the
// owner rule allows it, now, and has happened when event_call returns.
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// An operation under the owner rule. cpu is null when the event's context is on no CPU.
using EventFn = void (*)(CpuState* cpu, Event& event, void* arg);

/// P, no spin lock held: runs fn on the CPU where the event's context is active, or here under
/// context.lock if it is on none. Retries while the task moves.
void event_call(Event& event, EventFn fn, void* arg);

} // namespace perfcore::inline PERFCORE_BINDING
