// SPDX-License-Identifier: Apache-2.0
// Facts about an event for oracles, tests and debuggers: a racy copy without any lock. Not ABI.
#pragma once

#include "core/hal/hal.hpp"

namespace perfcore::inline PERFCORE_BINDING {

class Event;

struct EventFacts {
    u64 id = 0;
    i32 state = 0;        ///< Linux perf_event_state numbers: 1 ACTIVE, 0 INACTIVE, -1 OFF ...
    u32 pmu_type = 0;     ///< attr.type of the PMU it is bound to
    u32 event_number = 0; ///< PMUv3 event it counts
    u64 enabled = 0;      ///< ns, at the last update
    u64 running = 0;
    u64 count = 0;             ///< folded count; an active event's live part is not in it
    u64 sample_period = 0;     ///< 0: counting event
    u64 armed_events = 0;      ///< all events counted since open, RESET or not; folded
    u64 samples = 0;           ///< samples written to a ring
    u64 lost = 0;              ///< samples lost to a full ring (PERF_FORMAT_LOST)
    u64 reported_events = 0;   ///< events of the periods that made a sample, written or lost
    u64 missed_events = 0;     ///< events in crossings that made no sample (DESIGN rule 7)
    u64 progress = 0;          ///< events into the current period
    u64 samples_discarded = 0; ///< samples with no ring to go to; their events are in missed_events
};

EventFacts facts(const Event& event);

} // namespace perfcore::inline PERFCORE_BINDING
