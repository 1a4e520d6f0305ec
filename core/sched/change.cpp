// SPDX-License-Identifier: Apache-2.0
#include "core/sched/change.hpp"

#include "core/hal/assert.hpp"
#include "core/sched/group.hpp"
#include "core/sched/slice.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

// Linux __perf_event_enable: a sibling of a group that is not on waits for its leader.
void run_enabled(CpuState* cpu, Event& event)
{
    if (cpu == nullptr || !event.attached || !belongs_on(*cpu, event))
        return;
    if (event.leads() || event.leader->state == EventState::Active)
        reschedule(*cpu, *event.leader);
}

/// True: it was off and is not any more. ERROR is left by enabling only.
bool turn_on(Event& event, u64 now)
{
    if (event.state >= EventState::Inactive || event.state <= EventState::Exit || !event.attached)
        return false;
    event.set_state(EventState::Inactive, now);
    return true;
}

void turn_off(CpuState* cpu, Event& event, EventState next, u64 now)
{
    PERFCORE_ASSERT(cpu != nullptr || event.state != EventState::Active);
    if (event.state == EventState::Active)
        stop_event(*cpu, event, next, now);
    else
        event.set_state(next, now);
}

} // namespace

void attach_event(CpuState* cpu, Event& event, Event& leader)
{
    Context& context = *event.context;
    const ContextInstant instant(&context);
    if (&leader != &event)
        event.join(leader);
    else
        context.groups_of(kind_of(event)).push_back(event);
    event.attached = true;
    if (cpu != nullptr && event.task != nullptr && context.active_cpu < 0)
        activate(*cpu, context);
    const u64 now = context.now();
    event.timestamp = now;
    if (!event.has(kAttrDisabled) && turn_on(event, now))
        run_enabled(cpu, event);
}

void detach_event(CpuState* cpu, Event& event, EventState state)
{
    if (!event.attached)
        return;
    Context& context = *event.context;
    turn_off(cpu, event, state, context.now());
    event.attached = false;
    if (GroupList::contains(event))
        context.groups_of(kind_of(event)).remove(event);
    if (cpu != nullptr && event.task != nullptr && context.empty())
        deactivate(*cpu, context);
}

void leave_group(Event& event)
{
    Context& context = *event.context;
    for (Event* sibling = event.siblings.first(); sibling != nullptr;
         sibling = SiblingList::next(*sibling))
        if (sibling->attached)
            context.groups_of(kind_of(*sibling)).push_back(*sibling);
    event.leave_group(context.now());
}

void enable_event(CpuState* cpu, Event& event)
{
    const ContextInstant instant(event.context);
    if (turn_on(event, event.context->now()))
        run_enabled(cpu, event);
}

void disable_event(CpuState* cpu, Event& event)
{
    if (event.state < EventState::Inactive)
        return;
    const u64 now = event.context->now();
    // With its leader a group loses its counters; the siblings' own state stays.
    if (event.leads() && event.state == EventState::Active)
        stop_group(*cpu, event, now);
    turn_off(cpu, event, EventState::Off, now);
}

void enable_group(CpuState* cpu, Event& leader)
{
    const ContextInstant instant(leader.context);
    const u64 now = leader.context->now();
    bool changed = false;
    for_each_member(leader, [&](Event& event) { changed = turn_on(event, now) || changed; });
    if (changed)
        run_enabled(cpu, leader);
}

void disable_group(CpuState* cpu, Event& leader)
{
    const ContextInstant instant(leader.context);
    for_each_member(leader, [&](Event& event) { disable_event(cpu, event); });
}

void refresh_event(Event& event)
{
    if (event.state == EventState::Active)
        event.ops->update(event);
    event.update_times(event.context->now());
}

void reset_event(Event& event)
{
    // Fold first: what was counted before the reset must not come back with the next update.
    if (event.state == EventState::Active)
        event.ops->update(event);
    event.counter.reset_count();
    Hal::mark(Site::Reset, event.id, 0);
}

} // namespace perfcore::inline PERFCORE_BINDING
