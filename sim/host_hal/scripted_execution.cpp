// SPDX-License-Identifier: Apache-2.0
// How time passes on the scripted machine: user code, idling, timers and the PMU interrupt.
#include "sim/host_hal/scripted_machine.hpp"

#include "core/hooks/hooks.hpp"

#include <algorithm>

namespace perfsim {

namespace {

constexpr u32 kInstRetired = 0x08;
constexpr u32 kCpuCycles = 0x11;
constexpr u64 kCodeBase = 0x400000;

} // namespace

void ScriptedMachine::execute(u64 instructions, u64 cycles_per_instruction)
{
    while (instructions != 0) {
        PmuModel& model = pmu();
        u64 run = model.next_overflow(ExceptionLevel::El0, [&](u32 event, u64 n) -> u64 {
            if (event == kInstRetired)
                return n;
            return event == kCpuCycles ? (n + cycles_per_instruction - 1) / cycles_per_instruction
                                       : kNever;
        });
        run = std::min({run, instructions, until_timer()});
        model.advance(ExceptionLevel::El0, [&](u32 event) -> u64 {
            return event == kInstRetired ? run
                   : event == kCpuCycles ? run * cycles_per_instruction
                                         : 0;
        });
        time_ns += run;
        instructions -= run;
        take_pmu_interrupt();
        fire_timers();
    }
}

void ScriptedMachine::idle(u64 ns)
{
    while (ns != 0) {
        const u64 run = std::min(ns, until_timer());
        time_ns += run;
        ns -= run;
        fire_timers();
    }
}

u64 ScriptedMachine::until_timer() const
{
    u64 earliest = kNever;
    for (const host::TimerState* timer : m_cpus[m_cpu].timers)
        earliest = std::min(earliest, timer->deadline_ns - std::min(timer->deadline_ns, time_ns));
    // One whose instant passed while another CPU was current fires after the next instruction.
    return std::max<u64>(earliest, 1);
}

void ScriptedMachine::fire_timers()
{
    const std::vector<host::TimerState*> armed = m_cpus[m_cpu].timers;
    for (host::TimerState* timer : armed) {
        if (timer->cpu < 0 || timer->deadline_ns > time_ns)
            continue;
        timer_cancel(*timer);
        m_irqs_on = false;
        m_in_interrupt = true;
        timer->fn(timer->arg);
        m_in_interrupt = false;
        m_irqs_on = true;
    }
}

void ScriptedMachine::take_pmu_interrupt()
{
    if (!m_irqs_on || m_in_interrupt || !m_cpus[m_cpu].line_enabled || !pmu().line())
        return;
    m_irqs_on = false;
    m_in_interrupt = true;
    m_frame = Frame{};
    m_frame.pc = kCodeBase;
    hooks::pmu_irq();
    m_in_interrupt = false;
    m_irqs_on = true;
}

void ScriptedMachine::timer_arm(host::TimerState& timer, u64 deadline_ns)
{
    step();
    if (timer.cpu >= 0)
        problem("a timer is armed twice");
    timer.cpu = static_cast<i32>(m_cpu);
    timer.deadline_ns = deadline_ns;
    m_cpus[m_cpu].timers.push_back(&timer);
}

void ScriptedMachine::timer_cancel(host::TimerState& timer)
{
    step();
    if (timer.cpu < 0)
        return;
    std::vector<host::TimerState*>& armed = m_cpus[static_cast<u32>(timer.cpu)].timers;
    armed.erase(std::remove(armed.begin(), armed.end(), &timer), armed.end());
    timer.cpu = -1;
}

} // namespace perfsim
