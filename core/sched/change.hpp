// SPDX-License-Identifier: Apache-2.0
// Steps of the control operations on one event or group. Owner rule: the caller runs on the
// context's CPU with interrupts off, or holds context.lock of a context that is on none (cpu is
// null then). The shape of a group changes under context.mutex as well.
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// Links a new event into its context, and into the group of `leader` unless that is itself, and
/// lets it count if it is enabled.
void attach_event(CpuState* cpu, Event& event, Event& leader);
/// Stops the event and takes it out of its context; its siblings stay what they are.
void detach_event(CpuState* cpu, Event& event, EventState state);
/// Takes the event out of its group; siblings of a leader go on by themselves. Before detach_event,
/// so that a context with siblings left is not taken for empty.
void leave_group(Event& event);

void enable_event(CpuState* cpu, Event& event);
void disable_event(CpuState* cpu, Event& event);
/// Linux PERF_IOC_FLAG_GROUP: the leader and every sibling.
void enable_group(CpuState* cpu, Event& leader);
void disable_group(CpuState* cpu, Event& leader);
/// Brings count and times up to date.
void refresh_event(Event& event);
void reset_event(Event& event);

} // namespace perfcore::inline PERFCORE_BINDING
