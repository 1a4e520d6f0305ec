// SPDX-License-Identifier: Apache-2.0
// Groups onto counters and off again. Owner rule: on the CPU, interrupts off; the context is active
// on it.
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// Whether an event may count on this CPU: its PMU, and its CPU if it is bound to one (Linux
/// event_filter_match, pmu filter). Elsewhere it stays INACTIVE: enabled time runs, running does
/// not.
bool belongs_on(const CpuState& cpu, const Event& event);

/// Takes the counters of one event, or of a group, away.
void stop_event(CpuState& cpu, Event& event, EventState next, u64 now);
void stop_group(CpuState& cpu, Event& leader, u64 now);

/// Gives the context's groups of a kind their turn, in list order (Linux pmu_groups_sched_in):
/// after the first that finds no counters no other is tried. A pinned group that cannot go on turns
/// to ERROR; a flexible one asks for rotation.
void schedule_in(CpuState& cpu, Context& context, GroupKind kind);
/// Takes the counters of all its groups of a kind away; they wait, INACTIVE.
void schedule_out(CpuState& cpu, Context& context, GroupKind kind);

} // namespace perfcore::inline PERFCORE_BINDING
