// SPDX-License-Identifier: Apache-2.0
#include "core/event/event.hpp"

#include "core/event/facts.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

void mark_on(const Event& event, bool on)
{
    Hal::mark(on ? Site::Enabled : Site::Disabled, event.id, 0);
}

} // namespace

void Event::update_times(u64 now)
{
    const u64 delta = now - timestamp;
    timestamp = now;
    const EventState effective = effective_state();
    if (effective >= EventState::Inactive)
        enabled += delta;
    if (effective == EventState::Active)
        running += delta;
}

void Event::set_state(EventState next, u64 now)
{
    if (state == next)
        return;
    update_times(now);
    const bool was_on = state >= EventState::Inactive;
    const bool turns_on = next >= EventState::Inactive;
    const bool leader_on = leads() || leader->state >= EventState::Inactive;
    if (was_on == turns_on) {
        state = next;
        return;
    }
    for (Event* each = siblings.first(); each != nullptr; each = SiblingList::next(*each))
        each->update_times(now);
    state = next;
    if (leader_on)
        mark_on(*this, turns_on);
    for (Event* each = siblings.first(); each != nullptr; each = SiblingList::next(*each))
        if (each->state >= EventState::Inactive)
            mark_on(*each, turns_on);
}

void Event::set_leader(Event& next, u64 now)
{
    // What was off because of the old leader was off until now, and no longer.
    update_times(now);
    const bool was_on = is_on();
    leader = &next;
    if (is_on() != was_on)
        mark_on(*this, !was_on);
}

void Event::join(Event& new_leader)
{
    leader = &new_leader;
    new_leader.siblings.push_back(*this);
    ++new_leader.sibling_count;
}

void Event::leave_group(u64 now)
{
    if (!leads()) {
        leader->siblings.remove(*this);
        --leader->sibling_count;
        set_leader(*this, now);
        return;
    }
    while (Event* sibling = siblings.first()) {
        siblings.remove(*sibling);
        sibling->set_leader(*sibling, now);
    }
    sibling_count = 0;
}

EventFacts facts(const Event& event)
{
    EventFacts facts;
    facts.id = event.id;
    facts.state = static_cast<i32>(event.state);
    facts.pmu_type = event.pmu->type;
    facts.event_number = event.counter.hw_event().number;
    facts.enabled = event.enabled;
    facts.running = event.running;
    facts.count = event.counter.count();
    facts.sample_period = event.counter.sampling() ? event.attr.sample_period : 0;
    facts.armed_events = event.counter.armed_events();
    facts.samples = event.samples;
    facts.lost = event.lost;
    facts.reported_events = event.counter.reported_events();
    facts.missed_events = event.counter.missed_events();
    facts.progress = event.counter.progress();
    facts.samples_discarded = event.discarded;
    return facts;
}

} // namespace perfcore::inline PERFCORE_BINDING
