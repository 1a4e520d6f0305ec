// SPDX-License-Identifier: Apache-2.0
#include "core/sched/slice.hpp"

#include "core/hal/assert.hpp"
#include "core/sched/group.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

// Order of priority (Linux perf_event_sched_in): CPU pinned, task pinned, CPU flexible, task
// flexible. A kind that is on already keeps what it has.
void schedule_all(CpuState& cpu)
{
    for (GroupKind kind : kGroupKinds) {
        schedule_in(cpu, cpu.context, kind);
        if (cpu.task_context != nullptr)
            schedule_in(cpu, *cpu.task_context, kind);
    }
}

} // namespace

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

void reschedule(CpuState& cpu, const Event& leader)
{
    const ContextInstant own(&cpu.context);
    const ContextInstant task(cpu.task_context);
    const bool pinned = kind_of(leader) == GroupKind::Pinned;
    const bool of_cpu = leader.task == nullptr;
    if (cpu.task_context != nullptr) {
        if (pinned)
            schedule_out(cpu, *cpu.task_context, GroupKind::Pinned);
        schedule_out(cpu, *cpu.task_context, GroupKind::Flexible);
    }
    if (of_cpu && pinned)
        schedule_out(cpu, cpu.context, GroupKind::Pinned);
    if (of_cpu || pinned)
        schedule_out(cpu, cpu.context, GroupKind::Flexible);
    schedule_all(cpu);
}

void context_switch_in(CpuState& cpu, Context& context)
{
    SpinGuard guard(context.lock);
    if (context.dead || context.empty() || context.active_cpu >= 0)
        return;
    const ContextInstant own(&cpu.context);
    const ContextInstant instant(&context);
    activate(cpu, context);
    // The task's pinned groups come before the CPU's flexible ones.
    if (!context.groups_of(GroupKind::Pinned).empty())
        schedule_out(cpu, cpu.context, GroupKind::Flexible);
    schedule_all(cpu);
}

void context_switch_out(CpuState& cpu, Context& context)
{
    SpinGuard guard(context.lock);
    if (context.active_cpu != static_cast<i32>(cpu.cpu))
        return;
    const ContextInstant instant(&context);
    schedule_out(cpu, context, GroupKind::Pinned);
    schedule_out(cpu, context, GroupKind::Flexible);
    deactivate(cpu, context);
}

} // namespace perfcore::inline PERFCORE_BINDING
