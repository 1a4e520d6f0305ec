// SPDX-License-Identifier: Apache-2.0
// Time and the baton. Candidates are CPUs with code to run and instants of devices; the earliest
// wins, devices before code. Which of several CPUs ready at the same instant goes first: the one
// that is running, then the lowest number (ordered); any of them (random).
#include "sim/kernel_model/world.hpp"

#include <fmt/format.h>

namespace perfsim {

void World::push(u64 instant, DeviceEvent kind, u32 cpu, u64 generation, void* object)
{
    const u64 order = random() ? m_schedule.next() : ++m_order;
    m_queue.push({instant, order, kind, cpu, generation, object});
}

void World::make_ready(Cpu& cpu, u64 at)
{
    at = std::max(at, m_now);
    if (cpu.ready) {
        if (at >= cpu.ready_at)
            return;
        m_ready.erase({cpu.ready_at, cpu.index});
    }
    cpu.ready = true;
    cpu.ready_at = at;
    m_ready.insert({at, cpu.index});
}

Cpu& World::dispatch()
{
    for (;;) {
        const bool have_ready = !m_ready.empty();
        if (!m_queue.empty() && (!have_ready || m_queue.top().instant <= m_ready.begin()->first)) {
            const QueuedEvent event = m_queue.pop();
            m_now = std::max(m_now, event.instant);
            if (m_now > m_start + m_scenario.kernel.time_limit_ps)
                fail(FailureKind::Liveness, "liveness",
                     fmt::format("world time passed its limit of {} us",
                                 m_scenario.kernel.time_limit_ps / 1'000'000));
            give_up_if_failed();
            handle(event);
            continue;
        }
        if (!have_ready) {
            fail(FailureKind::Liveness, "deadlock",
                 "nothing can run any more; " + waiting_report());
            abandon();
        }
        m_now = std::max(m_now, m_ready.begin()->first);
        u32 candidates = 0;
        for (auto it = m_ready.begin(); it != m_ready.end() && it->first <= m_now; ++it)
            ++candidates;
        auto chosen = m_ready.begin();
        if (random() && candidates > 1)
            std::advance(chosen, m_schedule.below(candidates));
        else if (m_give_way && candidates > 1)
            chosen = chosen->second == m_active->index ? std::next(chosen) : chosen;
        else if (m_active != nullptr && m_active->ready && m_active->ready_at <= m_now)
            chosen = m_ready.find({m_active->ready_at, m_active->index});
        m_give_way = false;
        Cpu& cpu = m_cpus[chosen->second];
        m_ready.erase(chosen);
        cpu.ready = false;
        return cpu;
    }
}

void World::resume_stack(Stack& next)
{
    Stack& me = m_stacks.current();
    if (&next == &me) {
        m_stacks.advance_to(m_clock_offset + m_now);
    } else {
        ++m_result.stats.switches;
        m_stacks.switch_to(me, next, m_clock_offset + m_now);
    }
    give_up_if_failed();
}

void World::park(Park why)
{
    Cpu& me = active();
    me.park = why;
    Cpu& next = dispatch();
    m_active = &next;
    next.park = Park::Running;
    resume_stack(*next.current->stack);
}

void World::maybe_yield()
{
    Cpu& cpu = active();
    // A CPU whose own time ran ahead (cost model) lets everything earlier happen first.
    make_ready(cpu, cpu.ready_at);
    park(Park::Running);
}

void World::step()
{
    give_up_if_failed();
    Cpu& cpu = active();
    if (++m_result.stats.hal_calls > m_options.step_limit) {
        fail(FailureKind::Liveness, "liveness",
             fmt::format("more than {} HAL calls; {}", m_options.step_limit, waiting_report()));
        abandon();
    }
    cpu.ready_at = m_now;
    if (m_scenario.kernel.cost_model)
        charge_kernel(cpu);
    constexpr u64 kYieldOneIn = 8;
    if (cpu.ready_at > m_now || (random() && m_schedule.one_in(kYieldOneIn)))
        maybe_yield();
    service_interrupts();
}

void World::give_up_if_failed()
{
    if (m_failed || m_over)
        abandon();
}

void World::abandon()
{
    m_failed = m_failed || !m_over;
    m_stacks.abandon();
}

Stack* World::after_abandon()
{
    return m_stacks.any_busy();
}

void World::handle(const QueuedEvent& event)
{
    Cpu& cpu = m_cpus[event.cpu];
    switch (event.kind) {
    case DeviceEvent::UserStop:
        if (cpu.in_user && cpu.stop_generation == event.generation)
            make_ready(cpu, event.instant);
        break;
    case DeviceEvent::Tick:
        if (cpu.tick_generation != event.generation)
            break;
        cpu.ticking = false;
        if (cpu.online && !cpu.current->ids.idle) {
            cpu.gic.raise_timer();
            start_tick(cpu);
            kick(cpu);
        }
        break;
    case DeviceEvent::PmuVisible:
        if (cpu.line && cpu.line_generation == event.generation) {
            cpu.gic.set_pmu_line(true);
            kick(cpu);
        }
        break;
    case DeviceEvent::SgiArrival:
        cpu.gic.raise_call();
        kick(cpu);
        break;
    case DeviceEvent::Timer: {
        auto* timer = static_cast<perfcore::host::TimerState*>(event.object);
        if (timer->cpu == static_cast<i32>(event.cpu) && timer->generation == event.generation) {
            timer->cpu = -1;
            cpu.timers.push_back(timer);
            kick(cpu);
        }
        break;
    }
    case DeviceEvent::Wake: {
        Task* task = static_cast<Task*>(event.object);
        if (task->waiting == WaitKind::Time && task->wake_generation == event.generation)
            wake(*task);
        break;
    }
    case DeviceEvent::CpuOff:
        // Too late once the world ends: the core may be going already.
        if (cpu.online && !m_draining) {
            cpu.off_requested = true;
            request_resched(cpu);
        }
        break;
    }
}

std::string World::waiting_report()
{
    std::string text;
    for (auto& task : m_tasks) {
        if (task->state != TaskState::Blocked || task->waiting == WaitKind::WorldEnd ||
            task->waiting == WaitKind::Work)
            continue;
        text += fmt::format("{}{} ({}) waits for {}", text.empty() ? "" : "; ", task->ids.comm,
                            task->ids.tid, task->waiting_name);
        if (task->waiting == WaitKind::Mutex) {
            const auto* mutex = static_cast<const perfcore::host::MutexState*>(task->waiting_mutex);
            const Task* holder = static_cast<const Task*>(mutex->holder);
            if (holder != nullptr)
                text += fmt::format(" held by {} ({})", holder->ids.comm, holder->ids.tid);
        }
        if (task->waiting == WaitKind::Mark)
            text += " " + m_scenario.marks[task->waiting_mark];
    }
    for (Cpu const& cpu : m_cpus)
        if (cpu.park == Park::Spin || cpu.park == Park::Call)
            text += fmt::format("{}CPU {} waits for a {}", text.empty() ? "" : "; ", cpu.index,
                                cpu.park == Park::Spin ? "spin lock" : "call");
    return text.empty() ? "no thread is waiting" : text;
}

} // namespace perfsim
