// SPDX-License-Identifier: Apache-2.0
// Interrupts: raised by devices at their instant, taken on the current task's stack where they are
// unmasked, at a HAL call or at an instruction boundary of user code.
#include "sim/kernel_model/world.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

constexpr u64 kKernelPc = 0xffff'8000'8000'0000;
constexpr u64 kPstateEl1h = 0x5;
// A handler that leaves its interrupt asserted comes back for ever, in no time.
constexpr u32 kInterruptsAtOneInstant = 10'000;

} // namespace

bool World::interrupt_pending(const Cpu& cpu) const
{
    return cpu.gic.pending() || !cpu.deferred.empty() || !cpu.async_calls.empty() ||
           !cpu.timers.empty();
}

void World::kick(Cpu& cpu)
{
    switch (cpu.park) {
    case Park::Idle:
        make_ready(cpu, m_now);
        break;
    case Park::Call:
        make_ready(cpu, m_now);
        break;
    case Park::User: {
        // Taken at the first instruction boundary from now on.
        Phase& phase = cpu.current->phase;
        const u64 boundary = phase.boundary_at(m_now);
        if (boundary >= cpu.stop_position)
            break;
        cpu.stop_position = boundary;
        push(phase.instant(boundary), DeviceEvent::UserStop, cpu.index, ++cpu.stop_generation);
        break;
    }
    case Park::Running: // looks for itself at its next step
    case Park::Spin:    // interrupts are off
    case Park::Off:
        break;
    }
}

void World::update_line(Cpu& cpu)
{
    const bool line = cpu.pmu.line();
    if (line == cpu.line)
        return;
    cpu.line = line;
    ++cpu.line_generation;
    m_module.core(cpu.index).pmu_line.write(line);
    if (!line) {
        cpu.gic.set_pmu_line(false);
        return;
    }
    const u64 latency = fault_time(FaultKind::PmuIrqLatency, cpu.index);
    if (latency == 0) {
        cpu.gic.set_pmu_line(true);
        kick(cpu);
    } else {
        push(m_now + latency, DeviceEvent::PmuVisible, cpu.index, cpu.line_generation);
    }
}

void World::raise_call(Cpu& cpu)
{
    const u64 delay = fault_time(FaultKind::IpiDelay, cpu.index);
    if (delay != 0) {
        push(m_now + delay, DeviceEvent::SgiArrival, cpu.index, 0);
        return;
    }
    cpu.gic.raise_call();
    kick(cpu);
}

void World::request_resched(Cpu& cpu)
{
    cpu.need_resched = true;
    // A CPU that executes kernel code looks for itself; a parked one needs an interrupt.
    if (cpu.park != Park::Running) {
        cpu.gic.raise_call();
        kick(cpu);
    }
}

void World::set_irqs(bool on)
{
    active().irqs_on = on;
    if (on)
        service_interrupts();
}

void World::service_interrupts()
{
    for (;;) {
        Cpu& cpu = active();
        if (!cpu.irqs_on || cpu.in_interrupt || !interrupt_pending(cpu))
            break;
        if (cpu.interrupts_at != m_now) {
            cpu.interrupts_at = m_now;
            cpu.interrupts_there = 0;
        }
        if (++cpu.interrupts_there > kInterruptsAtOneInstant) {
            fail(FailureKind::Liveness, "interrupt storm",
                 fmt::format("CPU {} took {} interrupts at one instant (PMOVSSET {:#x})", cpu.index,
                             kInterruptsAtOneInstant, cpu.pmu.read(PmuReg::PMOVSSET_EL0)));
            abandon();
        }
        take_interrupt(cpu);
    }
    preempt_if_needed();
}

void World::take_interrupt(Cpu& cpu)
{
    ++m_result.stats.interrupts;
    Task& task = *cpu.current;
    cpu.irqs_on = false;
    cpu.in_interrupt = true;
    const bool from_user = cpu.in_user;
    if (from_user) {
        cpu.frame = task.user;
    } else {
        cpu.frame = Frame{};
        cpu.frame.pc = kKernelPc;
        cpu.frame.pstate = kPstateEl1h;
    }
    cpu.frame_valid = true;
    cpu.in_user = false;

    if (cpu.gic.pending()) {
        switch (cpu.gic.acknowledge()) {
        case kPmuIntid:
            observe([&](Observer& o) { o.on_interrupt(cpu.index, "pmu"); });
            perfcore::hooks::pmu_irq();
            break;
        case kCallIntid:
            handle_calls(cpu);
            break;
        default:
            handle_tick(cpu);
            break;
        }
    }
    while (!cpu.timers.empty()) {
        auto* timer = cpu.timers.front();
        cpu.timers.pop_front();
        timer->fn(timer->arg);
    }
    while (!cpu.async_calls.empty() || !cpu.deferred.empty()) {
        auto& list = cpu.async_calls.empty() ? cpu.deferred : cpu.async_calls;
        auto* work = list.front();
        list.pop_front();
        work->queued = false;
        work->fn(work->arg);
    }
    cpu.frame_valid = false;
    cpu.in_interrupt = false;
    cpu.in_user = from_user;
    cpu.irqs_on = true;
}

void World::handle_calls(Cpu& cpu)
{
    while (!cpu.calls.empty()) {
        CallRequest* request = cpu.calls.front();
        cpu.calls.pop_front();
        observe([&](Observer& o) { o.on_interrupt(cpu.index, "call"); });
        // A call function runs in atomic context, not as an interrupt handler (HAL contract).
        cpu.in_interrupt = false;
        ++cpu.atomic_depth;
        request->fn(request->arg);
        --cpu.atomic_depth;
        cpu.in_interrupt = true;
        request->done = true;
        Cpu& caller = m_cpus[request->caller];
        if (caller.park == Park::Call)
            make_ready(caller, m_now);
    }
}

void World::start_tick(Cpu& cpu)
{
    if (cpu.ticking)
        return;
    constexpr u64 kPsPerSecond = 1'000'000'000'000;
    const u64 period = kPsPerSecond / m_scenario.kernel.hz;
    const u64 next = (m_now / period + 1) * period;
    cpu.ticking = true;
    push(next, DeviceEvent::Tick, cpu.index, ++cpu.tick_generation);
}

void World::handle_tick(Cpu& cpu)
{
    perfcore::hooks::tick();
    const Task& task = *cpu.current;
    if (!cpu.run_queue.empty() && m_now - task.slice_start_ps >= m_scenario.kernel.slice_ps)
        cpu.need_resched = true;
}

} // namespace perfsim
