// SPDX-License-Identifier: Apache-2.0
#include "core/sched/rotate.hpp"

#include "core/hal/assert.hpp"
#include "core/sched/group.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

/// The group whose turn is over: the first that is on; if none is, the first that could be (Linux
/// ctx_event_to_rotate).
Event* group_to_rotate(CpuState& cpu, Context& context)
{
    Event* first = nullptr;
    for (Event* leader = context.groups_of(GroupKind::Flexible).first(); leader != nullptr;
         leader = GroupList::next(*leader)) {
        if (!belongs_on(cpu, *leader))
            continue;
        if (leader->state == EventState::Active)
            return leader;
        if (first == nullptr)
            first = leader;
    }
    return first;
}

void move_to_tail(Context& context, Event& leader)
{
    GroupList& groups = context.groups_of(GroupKind::Flexible);
    groups.remove(leader);
    groups.push_back(leader);
}

/// Linux perf_rotate_context. CPU groups come before task groups, so when they move the task's must
/// make room first. False: nobody waits.
bool rotate(CpuState& cpu)
{
    Context& own = cpu.context;
    Context* task = cpu.task_context;
    const bool rotate_cpu = own.rotate;
    const bool rotate_task = task != nullptr && task->rotate;
    if (!rotate_cpu && !rotate_task)
        return false;
    Event* cpu_group = rotate_cpu ? group_to_rotate(cpu, own) : nullptr;
    Event* task_group = rotate_task ? group_to_rotate(cpu, *task) : nullptr;
    const ContextInstant own_instant(&own);
    const ContextInstant task_instant(task);
    own.rotate = false; // set again by whoever finds no counter

    const bool move_task = task != nullptr && (task_group != nullptr || cpu_group != nullptr);
    if (move_task)
        schedule_out(cpu, *task, GroupKind::Flexible);
    if (cpu_group != nullptr) {
        schedule_out(cpu, own, GroupKind::Flexible);
        move_to_tail(own, *cpu_group);
        schedule_in(cpu, own, GroupKind::Flexible);
    }
    if (task_group != nullptr)
        move_to_tail(*task, *task_group);
    if (move_task)
        schedule_in(cpu, *task, GroupKind::Flexible);
    return true;
}

/// Deadlines are multiples of the interval on the perf clock, as hrtimer_forward_now has them.
void arm(CpuState& cpu)
{
    const u64 interval = cpu.pmu->mux_interval_ns;
    cpu.mux_timer.arm((Hal::now_ns() / interval + 1) * interval);
}

void on_timer(void* argument)
{
    assert_interrupt();
    CpuState& cpu = *static_cast<CpuState*>(argument);
    if (cpu.pmu != nullptr && rotate(cpu))
        arm(cpu);
    else
        cpu.mux_running = false;
}

} // namespace

void init_rotation(CpuState& cpu)
{
    cpu.mux_timer.init(on_timer, &cpu);
    cpu.mux_running = false;
}

void stop_rotation(CpuState& cpu)
{
    if (cpu.mux_running)
        cpu.mux_timer.cancel();
    cpu.mux_running = false;
}

void start_rotation(CpuState& cpu)
{
    if (cpu.mux_running)
        return;
    cpu.mux_running = true;
    arm(cpu);
}

} // namespace perfcore::inline PERFCORE_BINDING
