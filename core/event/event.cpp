// SPDX-License-Identifier: Apache-2.0
#include "core/event/event.hpp"

#include "core/event/facts.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

void Event::update_times(u64 now)
{
    const u64 delta = now - timestamp;
    timestamp = now;
    if (state >= EventState::Inactive)
        enabled += delta;
    if (state == EventState::Active)
        running += delta;
}

void Event::set_state(EventState next, u64 now)
{
    update_times(now);
    const bool was_on = state >= EventState::Inactive;
    const bool is_on = next >= EventState::Inactive;
    state = next;
    if (was_on != is_on)
        Hal::mark(is_on ? Site::Enabled : Site::Disabled, id, 0);
}

EventFacts facts(const Event& event)
{
    EventFacts facts;
    facts.id = event.id;
    facts.state = static_cast<i32>(event.state);
    facts.pmu_type = event.pmu->type;
    facts.event_number = event.counter.event_number();
    facts.enabled = event.enabled;
    facts.running = event.running;
    facts.count = event.counter.count();
    facts.sample_period = event.counter.sampling() ? event.attr.sample_period : 0;
    facts.armed_events = event.counter.armed_events();
    facts.samples = event.samples;
    facts.lost = event.lost;
    facts.missed_events = event.counter.missed_events();
    facts.progress = event.counter.progress();
    facts.samples_discarded = event.discarded;
    return facts;
}

} // namespace perfcore::inline PERFCORE_BINDING
