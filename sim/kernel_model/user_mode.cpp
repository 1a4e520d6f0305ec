// SPDX-License-Identifier: Apache-2.0
// User code on a CPU: a phase is parked with the instant of its next event (its end, a predicted
// overflow, an early preemption of the random schedule) and split when an interrupt arrives sooner.
#include "sim/kernel_model/world.hpp"

namespace perfsim {

void World::advance_user(Cpu& cpu, u64 position)
{
    Task& task = *cpu.current;
    Phase& phase = task.phase;
    if (position == phase.done())
        return;
    const auto count = [&](u32 event) { return phase.events_until(event, position); };
    cpu.pmu.advance(ExceptionLevel::El0, count);
    observe([&](Observer& o) { o.on_execute(cpu.index, view(task), count); });
    phase.advance_to(position);
    task.user.pc = phase.pc();
    update_line(cpu);
}

// For an observer elsewhere: what has certainly happened by now.
void World::sync(Cpu& cpu)
{
    if (cpu.park == Park::User)
        advance_user(cpu, std::min(cpu.current->phase.position_at(m_now), cpu.stop_position));
}

u64 World::counter_total(u32 cpu, u32 counter)
{
    sync(m_cpus[cpu]);
    return m_cpus[cpu].pmu.total(counter);
}

void World::run_user(const Function& function, u64 instructions)
{
    Task& task = current();
    task.phase = Phase(function, instructions);
    task.user = Frame{};
    task.user.pc = task.phase.pc();
    for (;;) {
        service_interrupts();
        give_up_if_failed();
        if (task.phase.finished())
            break;
        Cpu& cpu = active();
        Phase& phase = task.phase;
        phase.resume(m_machine.clusters[cpu.cluster], m_now);
        u64 stop = cpu.pmu.next_overflow(
            ExceptionLevel::El0, [&](u32 event, u64 n) { return phase.position_after(event, n); });
        stop = std::min(stop, phase.total());
        bool preempt = false;
        constexpr u64 kEarlyStopOneIn = 4;
        if (random() && m_schedule.one_in(kEarlyStopOneIn)) {
            const u64 early = phase.done() + 1 + m_schedule.below(phase.total() - phase.done());
            preempt = early < stop;
            stop = std::min(stop, early);
        }
        cpu.stop_position = stop;
        const u64 planned = stop;
        push(phase.instant(stop), DeviceEvent::UserStop, cpu.index, ++cpu.stop_generation);
        cpu.in_user = true;
        m_module.core(cpu.index).user.write(true);
        park(Park::User);
        m_module.core(cpu.index).user.write(false);
        advance_user(cpu, cpu.stop_position);
        // Still in user mode: an interrupt taken here interrupts user code.
        if (preempt && cpu.stop_position == planned)
            cpu.need_resched = true;
        service_interrupts();
        active().in_user = false;
    }
}

// kernel.cost: model. One HAL call of kernel code: instructions and cycles the PMU sees at EL1.
void World::charge_kernel(Cpu& cpu)
{
    constexpr u64 kInstructionsPerCall = 20;
    constexpr u64 kCyclesPerCall = 24;
    constexpr u64 kPsPerSecond = 1'000'000'000'000;
    constexpr u32 kInstRetired = 0x08;
    constexpr u32 kCpuCycles = 0x11;
    if (!cpu.online)
        return;
    cpu.pmu.advance(ExceptionLevel::El1, [](u32 event) -> u64 {
        return event == kInstRetired ? kInstructionsPerCall
               : event == kCpuCycles ? kCyclesPerCall
                                     : 0;
    });
    update_line(cpu);
    const u64 frequency = m_machine.clusters[cpu.cluster].frequency_hz;
    cpu.ready_at = m_now + (kCyclesPerCall * kPsPerSecond + frequency - 1) / frequency;
}

} // namespace perfsim
