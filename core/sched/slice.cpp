// SPDX-License-Identifier: Apache-2.0
#include "core/sched/slice.hpp"

#include "core/hal/assert.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

// Linux event_filter_match and pmu->filter: the wrong cluster or CPU leaves the event INACTIVE; its
// enabled time runs, its running time does not.
bool belongs_on(const CpuState& cpu, const Event& event)
{
    return event.pmu == cpu.pmu && (event.cpu < 0 || event.cpu == static_cast<i32>(cpu.cpu));
}

/// False: no counter is free.
bool start_event(CpuState& cpu, Event& event, u64 now)
{
    if (!event.ops->add(cpu, event))
        return false;
    event.set_state(EventState::Active, now);
    return true;
}

void stop_event(CpuState& cpu, Event& event, EventState next, u64 now)
{
    event.ops->remove(cpu, event);
    event.set_state(next, now);
}

// A counter has come free: CPU events have the first pick, then the running task's.
void fill(CpuState& cpu)
{
    schedule_in(cpu, cpu.context);
    if (cpu.task_context != nullptr)
        schedule_in(cpu, *cpu.task_context);
}

// An event wants a counter on its active context's CPU. CPU events come before task events (Linux
// ctx_sched_in order), so a CPU event that finds no counter takes one from the running task.
void start_or_reschedule(CpuState& cpu, Event& event, u64 now)
{
    if (!belongs_on(cpu, event) || start_event(cpu, event, now))
        return;
    if (event.task == nullptr && cpu.task_context != nullptr) {
        stop_context(cpu, *cpu.task_context);
        fill(cpu);
    }
}

void activate(CpuState& cpu, Context& context)
{
    PERFCORE_ASSERT(cpu.task_context == nullptr && context.active_cpu < 0 && !context.dead);
    context.activate(cpu.cpu);
    cpu.task_context = &context;
}

void deactivate(CpuState& cpu, Context& context)
{
    PERFCORE_ASSERT(cpu.task_context == &context);
    context.deactivate();
    cpu.task_context = nullptr;
}

} // namespace

void stop_context(CpuState& cpu, Context& context)
{
    const u64 now = context.now();
    for (Event* event = context.events.first(); event != nullptr; event = EventList::next(*event))
        if (event->state == EventState::Active)
            stop_event(cpu, *event, EventState::Inactive, now);
}

void schedule_in(CpuState& cpu, Context& context)
{
    const u64 now = context.now();
    for (Event* event = context.events.first(); event != nullptr; event = EventList::next(*event)) {
        if (event->state != EventState::Inactive || !belongs_on(cpu, *event))
            continue;
        // Linux flexible scheduling: after the first that does not fit, no other is tried.
        if (!start_event(cpu, *event, now))
            return;
    }
}

void context_switch_in(CpuState& cpu, Context& context)
{
    SpinGuard guard(context.lock);
    if (context.dead || context.events.empty() || context.active_cpu >= 0)
        return;
    activate(cpu, context);
    schedule_in(cpu, context);
}

void context_switch_out(CpuState& cpu, Context& context)
{
    SpinGuard guard(context.lock);
    if (context.active_cpu != static_cast<i32>(cpu.cpu))
        return;
    stop_context(cpu, context);
    deactivate(cpu, context);
}

void attach_event(CpuState* cpu, Event& event)
{
    Context& context = *event.context;
    context.events.push_back(event);
    if (cpu != nullptr && event.task != nullptr && context.active_cpu < 0)
        activate(*cpu, context);
    event.timestamp = context.now();
    if (!event.has(kAttrDisabled))
        enable_event(cpu, event);
}

void detach_event(CpuState* cpu, Event& event, EventState state)
{
    if (!EventList::contains(event))
        return;
    Context& context = *event.context;
    const bool had_counter = event.state == EventState::Active;
    PERFCORE_ASSERT(!had_counter || cpu != nullptr);
    if (had_counter)
        stop_event(*cpu, event, state, context.now());
    else
        event.set_state(state, context.now());
    context.events.remove(event);
    if (cpu != nullptr && event.task != nullptr && context.events.empty())
        deactivate(*cpu, context);
    if (had_counter)
        fill(*cpu);
}

void enable_event(CpuState* cpu, Event& event)
{
    // Linux __perf_event_enable: nothing to do for an event that is on, or whose task has gone.
    if (event.state >= EventState::Inactive || event.state <= EventState::Exit ||
        !EventList::contains(event))
        return;
    // One instant for both steps: an event that gets its counter at once ran all it was enabled.
    const u64 now = event.context->now();
    event.set_state(EventState::Inactive, now);
    if (cpu != nullptr)
        start_or_reschedule(*cpu, event, now);
}

void disable_event(CpuState* cpu, Event& event)
{
    if (event.state < EventState::Inactive)
        return;
    const u64 now = event.context->now();
    if (event.state != EventState::Active) {
        event.set_state(EventState::Off, now);
        return;
    }
    PERFCORE_ASSERT(cpu != nullptr);
    stop_event(*cpu, event, EventState::Off, now);
    fill(*cpu);
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
