// SPDX-License-Identifier: Apache-2.0
// CPUs, cross-CPU calls, deferred work, timers and indexed PMU registers of the HAL.
#include "hw/aarch64/kernel/kernel.hpp"

namespace perfcore::inline aarch64_binding {

using kernel::Cpu;
using kernel::cpus;
using kernel::this_cpu;

u32 Hal::cpu_id()
{
    return this_cpu().id;
}

u32 Hal::cpu_count()
{
    return kernel::cpu_total;
}

bool Hal::cpu_online(u32 cpu)
{
    return cpu < kernel::cpu_total && cpus[cpu].online.load(MemoryOrder::Acquire) != 0;
}

CpuInfo Hal::cpu_info(u32 cpu)
{
    return {cpus[cpu].midr, cpus[cpu].mpidr, 0};
}

u32 Hal::pmu_node_count()
{
    return 1;
}

PmuNode Hal::pmu_node(u32)
{
    PmuNode node;
    node.name = "armv8_pmuv3";
    node.has_interrupt = true;
    for (u32 cpu = 0; cpu < kernel::cpu_total; ++cpu)
        node.cpus.set(cpu);
    return node;
}

void*& Hal::cpu_slot()
{
    return this_cpu().slot;
}

void*& Hal::cpu_slot_of(u32 cpu)
{
    return cpus[cpu].slot;
}

ExecContext Hal::context()
{
    u64 daif = 0;
    asm volatile("mrs %0, daif" : "=r"(daif));
    constexpr u64 kIrqMasked = 1u << 7;
    ExecContext context;
    context.irqs_on = (daif & kIrqMasked) == 0;
    if (!context.irqs_on) {
        const Cpu& cpu = this_cpu();
        if (cpu.atomic_depth != 0)
            context.level = ExecContext::Level::Atomic;
        else if (cpu.interrupt_depth != 0)
            context.level = ExecContext::Level::Interrupt;
    }
    return context;
}

CallResult Hal::call(u32 target, Fn fn, void* arg)
{
    if (!cpu_online(target))
        return CallResult::Offline;
    const u64 flags = irq_save();
    Cpu& here = this_cpu();
    if (target == here.id) {
        ++here.atomic_depth;
        fn(arg);
        --here.atomic_depth;
        irq_restore(flags);
        return CallResult::Done;
    }
    irq_restore(flags);
    kernel::CallRequest request;
    request.fn = fn;
    request.arg = arg;
    Cpu& other = cpus[target];
    const u64 lock_flags = other.calls_lock.lock();
    request.next = other.calls;
    other.calls = &request;
    other.calls_lock.unlock(lock_flags);
    kernel::gic::send(target);
    // Interrupts are on: calls that come in meanwhile are served by the interrupt.
    while (request.done.load(MemoryOrder::Acquire) == 0)
        relax();
    return CallResult::Done;
}

void Hal::call_async(u32 target, CallSlot& slot)
{
    if (slot.queued.exchange(1, MemoryOrder::AcquireRelease) != 0)
        return;
    Cpu& other = cpus[target];
    const u64 flags = other.calls_lock.lock();
    slot.next = other.async_calls;
    other.async_calls = &slot;
    other.calls_lock.unlock(flags);
    kernel::gic::send(target);
}

void Hal::defer(Work& work)
{
    if (work.queued.exchange(1, MemoryOrder::AcquireRelease) != 0)
        return;
    Cpu& cpu = this_cpu();
    work.next = cpu.deferred;
    cpu.deferred = &work;
    kernel::gic::send(cpu.id);
}

// Run by the main task where it waits (run_process_work).
void Hal::defer_process(Work& work)
{
    if (work.queued.exchange(1, MemoryOrder::AcquireRelease) != 0)
        return;
    const u64 flags = kernel::process_work_lock.lock();
    work.next = kernel::process_work;
    kernel::process_work = &work;
    kernel::process_work_lock.unlock(flags);
}

u64 Hal::now_ns()
{
    return kernel::clock::now_ns();
}

bool Hal::clock_read(i32 id, u64& out)
{
    constexpr i32 CLOCK_MONOTONIC = 1;
    constexpr i32 CLOCK_MONOTONIC_RAW = 4;
    out = now_ns();
    return id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW;
}

ClockUser Hal::clock_user()
{
    return {};
}

u64 Hal::tick_ns()
{
    return kernel::clock::kTickNs;
}

void Hal::Timer::arm(u64 deadline_ns)
{
    cancel();
    m_deadline_ns = deadline_ns;
    Cpu& cpu = this_cpu();
    next = cpu.timers;
    cpu.timers = this;
    kernel::clock::program_timers();
}

void Hal::Timer::cancel()
{
    for (Timer** at = &this_cpu().timers; *at != nullptr; at = &(*at)->next) {
        if (*at != this)
            continue;
        *at = next;
        next = nullptr;
        kernel::clock::program_timers();
        return;
    }
}

void Hal::pmu_irq(bool on)
{
    kernel::gic::enable(kernel::gic::kPmuPpi, on);
}

// PMSELR_EL0 selects the counter for PMXEVCNTR_EL0 and PMXEVTYPER_EL0. One isb instead of a jump
// table of 31 direct registers each: these calls happen when counters change hands, and interrupts
// are off, so the selection cannot change in between.
namespace {

void select(u32 n)
{
    Hal::pmu_write<PmuReg::PMSELR_EL0>(n);
    Hal::isb();
}

} // namespace

u64 Hal::evcntr_read(u32 n)
{
    select(n);
    u64 value = 0;
    asm volatile("mrs %0, pmxevcntr_el0" : "=r"(value));
    return value;
}

void Hal::evcntr_write(u32 n, u64 value)
{
    select(n);
    asm volatile("msr pmxevcntr_el0, %0" : : "r"(value));
}

u64 Hal::evtyper_read(u32 n)
{
    select(n);
    u64 value = 0;
    asm volatile("mrs %0, pmxevtyper_el0" : "=r"(value));
    return value;
}

void Hal::evtyper_write(u32 n, u64 value)
{
    select(n);
    asm volatile("msr pmxevtyper_el0, %0" : : "r"(value));
}

} // namespace perfcore::inline aarch64_binding
