// SPDX-License-Identifier: Apache-2.0
#include "core/sched/group.hpp"

#include "core/hal/assert.hpp"
#include "core/sched/rotate.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

/// All members that are enabled, or none (Linux group_sched_in). Counters are reserved before any
/// is touched, so a group that does not fit disturbs no register.
bool start_group(CpuState& cpu, Event& leader, u64 now)
{
    const auto wants = [](const Event& event) { return event.state == EventState::Inactive; };
    bool fits = true;
    for_each_member(leader, [&](Event& event) {
        fits = fits && (!wants(event) || event.ops->reserve(cpu, event));
    });
    if (!fits) {
        for_each_member(leader, [&](Event& event) {
            if (event.counter.reserved())
                event.ops->cancel(cpu, event);
        });
        return false;
    }
    for_each_member(leader, [&](Event& event) {
        if (!wants(event))
            return;
        event.ops->start(cpu, event);
        event.set_state(EventState::Active, now);
    });
    cpu.exclusive = cpu.exclusive || leader.has(kAttrExclusive);
    return true;
}

} // namespace

bool belongs_on(const CpuState& cpu, const Event& event)
{
    return event.pmu == cpu.pmu && (event.cpu < 0 || event.cpu == static_cast<i32>(cpu.cpu));
}

void stop_event(CpuState& cpu, Event& event, EventState next, u64 now)
{
    if (event.state == EventState::Active) {
        event.ops->stop(cpu, event);
        if (event.has(kAttrExclusive))
            cpu.exclusive = false;
    }
    event.set_state(next, now);
}

void stop_group(CpuState& cpu, Event& leader, u64 now)
{
    for_each_member(leader, [&](Event& event) {
        if (event.state == EventState::Active)
            stop_event(cpu, event, EventState::Inactive, now);
    });
}

void schedule_in(CpuState& cpu, Context& context, GroupKind kind)
{
    bool& scheduled = context.scheduled[static_cast<u32>(kind)];
    if (scheduled)
        return;
    scheduled = true;
    if (context.groups_of(kind).empty())
        return;
    const u64 now = context.now();
    bool room = true;
    bool others_on = false;
    for (Event* leader = context.groups_of(kind).first(); leader != nullptr;
         leader = GroupList::next(*leader)) {
        if (leader->state <= EventState::Off || !belongs_on(cpu, *leader))
            continue;
        // A sibling set free by its leader's close may still be on.
        if (leader->state == EventState::Active) {
            others_on = true;
            continue;
        }
        // Linux group_can_go_on: an exclusive group keeps all others off, and goes on only where no
        // other of its list is on.
        const bool may = room && !cpu.exclusive && !(leader->has(kAttrExclusive) && others_on);
        if (may && start_group(cpu, *leader, now)) {
            others_on = true;
            continue;
        }
        room = false;
        if (kind == GroupKind::Pinned) {
            leader->set_state(EventState::Error, now);
        } else {
            context.rotate = true;
            start_rotation(cpu);
        }
    }
}

void schedule_out(CpuState& cpu, Context& context, GroupKind kind)
{
    context.scheduled[static_cast<u32>(kind)] = false;
    if (kind == GroupKind::Flexible)
        context.rotate = false;
    if (context.groups_of(kind).empty())
        return;
    const u64 now = context.now();
    for (Event* leader = context.groups_of(kind).first(); leader != nullptr;
         leader = GroupList::next(*leader))
        stop_group(cpu, *leader, now);
}

} // namespace perfcore::inline PERFCORE_BINDING
