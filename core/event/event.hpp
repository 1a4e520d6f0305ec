// SPDX-License-Identifier: Apache-2.0
// Terminology
//   event     what perf_event_open returns: an attr bound to one PMU and to a task, a CPU or both
//   group     a leader and its siblings, which have counters all together or not at all; an event
//             alone is a group of one and its own leader
//   counter   a hardware counter; an event has one only while it is ACTIVE
//   context   the events of one task, or the cpu-bound events of one CPU
//   PMU type  a kind of hardware PMU; one per CPU cluster
//   slice     the time between a task's switch_in and switch_out
//
// Who may touch what (DESIGN rule 2): the fields under "scheduling" belong to the CPU the context
// is active on, with interrupts off; when the context is on no CPU they belong to context.lock.
// Becoming active or inactive takes that lock. sched/remote.hpp is the way in from elsewhere. The
// shape of a group changes under both that rule and context.mutex, so either is enough to look.
#pragma once

#include "core/abi/perf_event.hpp"
#include "core/base/list.hpp"
#include "core/hal/hal.hpp"
#include "core/pmu/hw_counter.hpp"
#include "core/pmu/pmu_type.hpp"

namespace perfcore::inline PERFCORE_BINDING {

struct Context;
struct CpuState;
struct PmuOps;
struct Subsystem;
class Ring;

/// Linux enum perf_event_state.
enum class EventState : i32 {
    Active = 1,   ///< has a counter
    Inactive = 0, ///< enabled, waiting for its task, CPU or a counter
    Off = -1,
    Error = -2,
    Exit = -3, ///< its task has exited
};

class Event {
public:
    Event(Subsystem& subsystem_in, u64 id_in) : subsystem(subsystem_in), id(id_in) {}

    // Fixed after open.
    Subsystem& subsystem;
    const u64 id;
    PerfEventAttr attr;
    const PmuType* pmu = nullptr;
    const PmuOps* ops = nullptr;
    Context* context = nullptr; ///< counted reference
    Hal::Task* task = nullptr;  ///< counted reference; null: cpu-bound
    i32 cpu = -1;               ///< CPU it is bound to; -1: any its task runs on

    // Group. Siblings in order of joining; membership pins nothing.
    Event* leader = this;
    ListLink<Event> sibling_link;
    List<Event, &Event::sibling_link> siblings;
    u32 sibling_count = 0;

    // Scheduling.
    ListLink<Event> group_link; ///< leaders: place in Context::groups; membership pins nothing
    bool attached = false;      ///< belongs to its context, and so may count
    EventState state = EventState::Off;
    HwCounter counter;
    u64 timestamp = 0; ///< context time at which the times below were brought up to date
    u64 enabled = 0;   ///< ns of context time in state >= Inactive
    u64 running = 0;   ///< ns of context time in state Active
    i32 owner_pid = 0; ///< task events: identity captured when the counter was armed
    i32 owner_tid = 0;
    Ring* ring = nullptr; ///< where samples go; null: dropped
    u64 samples = 0;      ///< written to a ring
    u64 lost = 0;         ///< dropped by a full ring (PERF_FORMAT_LOST)
    u64 discarded = 0;    ///< made while there was no ring

    // Mapping.
    Hal::Mutex map_mutex{"event.map_mutex"};
    Ring* mapped_ring = nullptr; ///< the ring mappings refer to; guarded by map_mutex

    [[nodiscard]] bool has(u64 attr_bit) const { return (attr.bits & attr_bit) != 0; }
    [[nodiscard]] bool leads() const { return leader == this; }

    /// What the state amounts to: nobody is on in a group whose leader is off (Linux
    /// __perf_effective_state).
    [[nodiscard]] EventState effective_state() const
    {
        return leader->state <= EventState::Off ? leader->state : state;
    }
    [[nodiscard]] bool is_on() const { return effective_state() >= EventState::Inactive; }

    /// Brings enabled and running up to context time `now` (Linux perf_event_update_time).
    void update_times(u64 now);
    /// Enters a state; time until `now` counts for the old one, of the siblings too if the leader
    /// takes them along (Linux perf_event_set_state).
    void set_state(EventState next, u64 now);
    /// Joins / leaves a group. A leader that leaves sets its siblings free (Linux
    /// perf_group_attach, perf_group_detach).
    void join(Event& new_leader);
    void leave_group(u64 now);

private:
    void set_leader(Event& next, u64 now);
};

using SiblingList = List<Event, &Event::sibling_link>;

/// Calls fn(Event&) for the leader, then for its siblings in order of joining.
template <typename Fn>
void for_each_member(Event& leader, Fn&& fn)
{
    fn(leader);
    for (Event* sibling = leader.siblings.first(); sibling != nullptr;) {
        Event* next = SiblingList::next(*sibling);
        fn(*sibling);
        sibling = next;
    }
}

/// What a PMU does for the scheduler. AI, on the CPU concerned, interrupts off.
struct PmuOps {
    /// Finds a counter for the event, touching none. False: none is free.
    bool (*reserve)(CpuState& cpu, Event& event);
    /// Gives a counter back that was reserved and not started.
    void (*cancel)(CpuState& cpu, Event& event);
    /// Lets the event count on the counter reserved for it.
    void (*start)(CpuState& cpu, Event& event);
    /// Stops it and takes the counter away; its count is complete.
    void (*stop)(CpuState& cpu, Event& event);
    /// Folds what an active event has counted so far.
    void (*update)(Event& event);
};

/// The operations of the cluster PMUs.
extern const PmuOps kHardwarePmuOps;

} // namespace perfcore::inline PERFCORE_BINDING
