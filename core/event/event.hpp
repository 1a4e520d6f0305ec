// SPDX-License-Identifier: Apache-2.0
// Terminology
//   event     what perf_event_open returns: an attr bound to one PMU and to a task, a CPU or both
//   counter   a hardware counter; an event has one only while it is ACTIVE
//   context   the events of one task, or the cpu-bound events of one CPU
//   PMU type  a kind of hardware PMU; one per CPU cluster
//   slice     the time between a task's switch_in and switch_out
//
// Who may touch what (DESIGN rule 2): the fields under "scheduling" belong to the CPU the context
// is active on, with interrupts off; when the context is on no CPU they belong to context.lock.
// Becoming active or inactive takes that lock. sched/remote.hpp is the way in from elsewhere.
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

    // Scheduling.
    ListLink<Event> context_link; ///< membership pins nothing; removed before the event is freed
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

    /// Brings enabled and running up to context time `now` (Linux perf_event_update_time).
    void update_times(u64 now);
    /// Enters a state; time until `now` counts for the old one.
    void set_state(EventState next, u64 now);
};

/// What a PMU does for the scheduler. AI, on the CPU concerned, interrupts off.
struct PmuOps {
    /// Gives the event a counter and lets it count. False: none is free.
    bool (*add)(CpuState& cpu, Event& event);
    /// Stops it and takes the counter away; its count is complete.
    void (*remove)(CpuState& cpu, Event& event);
    /// Folds what an active event has counted so far.
    void (*update)(Event& event);
};

/// The operations of the cluster PMUs.
extern const PmuOps kHardwarePmuOps;

} // namespace perfcore::inline PERFCORE_BINDING
