// SPDX-License-Identifier: Apache-2.0
// Faults a scenario asks for, and the marks that start them.
#include "sim/kernel_model/world.hpp"

namespace perfsim {

bool World::fault_on(const Fault& fault) const
{
    return fault.after_mark == kNone || m_marks[fault.after_mark];
}

u64 World::fault_time(FaultKind kind, u32 cpu) const
{
    u64 time = 0;
    for (Fault const& fault : m_scenario.faults)
        if (fault.kind == kind && (fault.cpu == kNone || fault.cpu == cpu) && fault_on(fault))
            time = std::max(time, fault.time_ps);
    return time;
}

bool World::allocation_fails()
{
    bool fails = false;
    for (u32 index = 0; index < m_scenario.faults.size(); ++index) {
        const Fault& fault = m_scenario.faults[index];
        if (fault.kind == FaultKind::AllocFail && fault_on(fault) && m_subsystem != nullptr)
            fails |= ++m_fault_allocations[index] == fault.nth;
    }
    return fails;
}

void World::raise_mark(u32 mark)
{
    m_marks[mark] = true;
    for (Fault const& fault : m_scenario.faults)
        if (fault.kind == FaultKind::CpuOff && fault.after_mark == mark)
            push(m_now + fault.time_ps, DeviceEvent::CpuOff, fault.cpu, 0);
    // Each wake changes the list.
    for (bool woken = true; woken;) {
        woken = false;
        for (Task* task : m_blocked) {
            if (task->waiting != WaitKind::Mark || task->waiting_mark != mark)
                continue;
            wake(*task);
            woken = true;
            break;
        }
    }
}

// The idle task's work once its CPU is to go: nobody else is here any more.
void World::take_cpu_off(Cpu& cpu)
{
    cpu.irqs_on = false;
    ++cpu.atomic_depth;
    perfcore::hooks::cpu_down();
    --cpu.atomic_depth;
    cpu.online = false;
    cpu.off_requested = false;
    m_module.core(cpu.index).online.write(false);
    observe([&](Observer& o) { o.on_cpu_online(cpu.index, false); });
    // Calls that arrived too late are answered: the CPU will not run them.
    while (!cpu.calls.empty()) {
        CallRequest* request = cpu.calls.front();
        cpu.calls.pop_front();
        request->offline = true;
        Cpu& caller = m_cpus[request->caller];
        if (caller.park == Park::Call)
            make_ready(caller, m_now);
    }
    park(Park::Off);
}

} // namespace perfsim
