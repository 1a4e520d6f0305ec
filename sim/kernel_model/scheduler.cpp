// SPDX-License-Identifier: Apache-2.0
// Round robin with affinity: a task wakes on an idle CPU it may use (its last one first), an idle
// CPU pulls waiting tasks, a slice ends at a tick. The random schedule also preempts and migrates
// where interrupts and preemption are on, inside perf calls too.
#include "sim/kernel_model/world.hpp"

#include <algorithm>

namespace perfsim {

bool World::may_run_on(const Task& task, u32 cpu) const
{
    return m_cpus[cpu].online && !m_cpus[cpu].off_requested && task.allowed.test(cpu);
}

void World::enqueue(Task& task, u32 target)
{
    const u32 cpus = static_cast<u32>(m_cpus.size());
    const auto is_idle = [&](u32 cpu) {
        return m_cpus[cpu].current->ids.idle && m_cpus[cpu].run_queue.empty();
    };
    u32 chosen = kNone;
    if (target != kNone && may_run_on(task, target)) {
        chosen = target;
    } else {
        std::vector<u32>& allowed = m_scratch;
        allowed.clear();
        for (u32 cpu = 0; cpu < cpus; ++cpu)
            if (may_run_on(task, cpu))
                allowed.push_back(cpu);
        // Affinity is broken rather than a task lost when its last CPU goes away.
        if (allowed.empty())
            for (u32 cpu = 0; cpu < cpus; ++cpu)
                if (m_cpus[cpu].online && !m_cpus[cpu].off_requested) {
                    allowed.push_back(cpu);
                    task.allowed.set(cpu);
                }
        if (random()) {
            chosen = allowed[m_schedule.below(allowed.size())];
        } else if (may_run_on(task, task.last_cpu) && is_idle(task.last_cpu)) {
            chosen = task.last_cpu;
        } else {
            const auto load = [&](u32 cpu) {
                return m_cpus[cpu].run_queue.size() + (m_cpus[cpu].current->ids.idle ? 0 : 1);
            };
            chosen = *std::min_element(allowed.begin(), allowed.end(),
                                       [&](u32 a, u32 b) { return load(a) < load(b); });
        }
    }
    Cpu& cpu = m_cpus[chosen];
    cpu.run_queue.push_back(&task);
    if (cpu.current->ids.idle)
        request_resched(cpu);
}

void World::wake(Task& task)
{
    if (task.state != TaskState::Blocked)
        return;
    task.waiting = WaitKind::None;
    ++task.wake_generation;
    m_blocked.erase(std::remove(m_blocked.begin(), m_blocked.end(), &task), m_blocked.end());
    task.state = TaskState::Runnable;
    // A task that is still switching out is queued when its stack is free.
    if (!task.on_cpu)
        enqueue(task);
}

void World::block(WaitKind kind, const char* name)
{
    Task& task = current();
    task.waiting = kind;
    task.waiting_name = name;
    task.state = TaskState::Blocked;
    m_blocked.push_back(&task);
    schedule();
}

Task* World::steal(Cpu& cpu)
{
    for (Cpu& other : m_cpus) {
        if (&other == &cpu)
            continue;
        for (Task* task : other.run_queue) {
            if (!may_run_on(*task, cpu.index))
                continue;
            other.run_queue.erase(std::find(other.run_queue.begin(), other.run_queue.end(), task));
            return task;
        }
    }
    return nullptr;
}

Task& World::pick_next(Cpu& cpu)
{
    if (cpu.off_requested) {
        // Whoever waits here goes elsewhere; the idle task takes the CPU down.
        while (!cpu.run_queue.empty()) {
            Task* task = cpu.run_queue.front();
            cpu.run_queue.pop_front();
            enqueue(*task);
        }
        return *cpu.idle;
    }
    if (!cpu.run_queue.empty()) {
        const u64 index = random() ? m_schedule.below(cpu.run_queue.size()) : 0;
        Task* task = cpu.run_queue[index];
        cpu.run_queue.erase(cpu.run_queue.begin() + static_cast<std::ptrdiff_t>(index));
        return *task;
    }
    Task& previous = *cpu.current;
    if (previous.state == TaskState::Running && !previous.ids.idle)
        return previous;
    Task* stolen = steal(cpu);
    return stolen != nullptr ? *stolen : *cpu.idle;
}

bool World::tasks_waiting_for(const Cpu& cpu) const
{
    for (Cpu const& other : m_cpus)
        for (const Task* task : other.run_queue)
            if (may_run_on(*task, cpu.index))
                return true;
    return false;
}

void World::begin_switch(Cpu& cpu, Task& next, u32 target)
{
    Task& previous = *cpu.current;
    ++m_result.stats.context_switches;
    ++cpu.atomic_depth;
    perfcore::hooks::switch_out(&hal_task(previous));
    --cpu.atomic_depth;
    observe([&](Observer& o) { o.on_switch_out(cpu.index, view(previous)); });
    previous.cpu = -1;
    previous.last_cpu = cpu.index;
    if (previous.state == TaskState::Running)
        previous.state = TaskState::Runnable;
    cpu.in_user = false;
    cpu.switched_from = &previous;
    cpu.switched_to_cpu = target;
    cpu.current = &next;
    next.state = TaskState::Running;
    next.cpu = static_cast<i32>(cpu.index);
    next.on_cpu = true;
    next.slice_start_ps = m_now;
}

void World::finish_switch()
{
    Cpu& cpu = active();
    Task* previous = cpu.switched_from;
    cpu.switched_from = nullptr;
    previous->on_cpu = false;
    if (previous->state == TaskState::Runnable && !previous->ids.idle)
        enqueue(*previous, cpu.switched_to_cpu);
    Task& task = *cpu.current;
    observe([&](Observer& o) { o.on_switch_in(cpu.index, view(task)); });
    ++cpu.atomic_depth;
    perfcore::hooks::switch_in(&hal_task(task));
    --cpu.atomic_depth;
    if (!task.ids.idle)
        start_tick(cpu);
}

void World::schedule(u32 target)
{
    Cpu& cpu = active();
    const bool irqs = cpu.irqs_on;
    cpu.irqs_on = false;
    cpu.need_resched = false;
    Task& previous = *cpu.current;
    // A task sent elsewhere, or not allowed here any more, cannot stay.
    const bool leave = (target != kNone && target != cpu.index) ||
                       (!previous.ids.idle && !may_run_on(previous, cpu.index));
    if (leave && previous.state == TaskState::Running)
        previous.state = TaskState::Runnable;
    Task& next = pick_next(cpu);
    if (&next == &previous) {
        previous.state = TaskState::Running;
    } else {
        begin_switch(cpu, next, target);
        resume_stack(*next.stack);
        finish_switch();
    }
    active().irqs_on = irqs;
    if (irqs)
        service_interrupts();
}

void World::preempt_if_needed()
{
    Cpu& cpu = active();
    Task& task = *cpu.current;
    if (!cpu.irqs_on || cpu.in_interrupt || cpu.atomic_depth != 0 || task.preempt_count != 0 ||
        task.ids.idle || task.state != TaskState::Running)
        return;
    u32 target = kNone;
    if (random() && !task.ids.kernel) {
        constexpr u64 kPreemptOneIn = 64;
        constexpr u64 kMigrateOneIn = 2;
        if (m_schedule.one_in(kPreemptOneIn))
            cpu.need_resched = true;
        if (cpu.need_resched && m_schedule.one_in(kMigrateOneIn)) {
            const u32 candidate = static_cast<u32>(m_schedule.below(m_cpus.size()));
            if (may_run_on(task, candidate))
                target = candidate;
        }
    }
    if (cpu.need_resched)
        schedule(target);
}

void World::mutex_lock(perfcore::host::MutexState& lock)
{
    Task& task = current();
    while (lock.holder != nullptr) {
        task.waiting_mutex = &lock;
        block(WaitKind::Mutex, lock.name);
    }
    lock.holder = &task;
}

void World::mutex_unlock(perfcore::host::MutexState& lock)
{
    lock.holder = nullptr;
    for (Task* task : m_blocked) {
        if (task->waiting == WaitKind::Mutex && task->waiting_mutex == &lock) {
            wake(*task);
            break;
        }
    }
}

} // namespace perfsim
