// SPDX-License-Identifier: Apache-2.0
#include "core/sched/exit.hpp"

#include "core/hal/assert.hpp"
#include "core/sched/change.hpp"
#include "core/sched/group.hpp"
#include "core/sched/rotate.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

/// Groups keep their shape, and so what a group read returns. Linux dissolves those of a CPU that
/// goes away; here it goes away without context.mutex, which a reader of the group may hold.
u64 detach_all(CpuState& cpu, Context& context, EventState state)
{
    u64 count = 0;
    for (GroupKind kind : kGroupKinds) {
        schedule_out(cpu, context, kind);
        while (Event* leader = context.groups_of(kind).first()) {
            for (Event* sibling = leader->siblings.first(); sibling != nullptr;
                 sibling = SiblingList::next(*sibling)) {
                detach_event(&cpu, *sibling, state);
                ++count;
            }
            detach_event(&cpu, *leader, state);
            ++count;
        }
    }
    return count;
}

} // namespace

void exit_task_context(Subsystem& subsystem, Hal::Task* task)
{
    assert_process();
    PERFCORE_ASSERT(task == Hal::current());
    MutexGuard open_guard(Hal::task_open_mutex(task));
    Context* context = static_cast<Context*>(Hal::task_slot(task));
    if (context == nullptr)
        return;
    u64 detached = 0;
    {
        MutexGuard context_guard(context->mutex);
        // One step for this CPU: a switch in between would find no context and leave the counters
        // counting for the next task.
        IrqGuard irqs_off;
        SpinGuard guard(context->lock);
        detached = detach_all(this_cpu(), *context, EventState::Exit);
        context->dead = true;
        Hal::task_slot(task) = nullptr;
    }
    subsystem.remove_task_events(detached);
    context_put(*context);
}

void exit_cpu_context(CpuState& cpu)
{
    SpinGuard guard(cpu.context.lock);
    detach_all(cpu, cpu.context, EventState::Off);
    cpu.context.deactivate();
    stop_rotation(cpu);
}

} // namespace perfcore::inline PERFCORE_BINDING
