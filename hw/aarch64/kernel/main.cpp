// SPDX-License-Identifier: Apache-2.0
// Boot: the first CPU sets up devices and the core, starts the second behind a readiness barrier,
// and runs the image's program; the second runs the tasks it is handed.
#include "core/hooks/hooks.hpp"
#include "hw/aarch64/kernel/kernel.hpp"

extern "C" void secondary_start();

namespace kernel {

Cpu cpus[kCpusMax];
u32 cpu_total = 1;

namespace {

constexpr u32 kCpusWanted = 2;

void init_cpu(u32 id)
{
    Cpu& cpu = cpus[id];
    cpu.id = id;
    asm volatile("mrs %0, midr_el1" : "=r"(cpu.midr));
    asm volatile("mrs %0, mpidr_el1" : "=r"(cpu.mpidr));
    asm volatile("msr tpidr_el1, %0" : : "r"(&cpu));
    // No FP or SIMD at EL1 or EL0.
    asm volatile("msr cpacr_el1, xzr\n\tisb");
    init_tasks(id);
    gic::init_cpu(id);
    gic::enable(gic::kCallSgi, true);
}

// The core's part of bringing a CPU up; interrupts are masked since reset.
void bring_up()
{
    Cpu& cpu = this_cpu();
    ++cpu.atomic_depth;
    hooks::cpu_up();
    --cpu.atomic_depth;
    clock::start_tick();
    cpu.online.store(1, MemoryOrder::Release);
    asm volatile("msr daifclr, #2" : : : "memory");
}

} // namespace

Subsystem* subsystem = nullptr;

extern "C" void kernel_main(u64 id, u64 boot_level)
{
    psci::use_smc(boot_level == 2);
    gic::init_distributor();
    init_cpu(static_cast<u32>(id));
    put("perfcore image: entered at EL");
    put_number(boot_level);
    put("\n");
    cpu_total = kCpusWanted;
    // hooks::init is process context: interrupts on. Nothing raises any yet.
    asm volatile("msr daifclr, #2" : : : "memory");
    const Result<Subsystem*> made = hooks::init();
    asm volatile("msr daifset, #2" : : : "memory");
    if (!made.ok())
        Hal::panic("hooks::init failed", __FILE__, __LINE__);
    subsystem = made.value();
    bring_up();
    for (u32 cpu = 1; cpu < kCpusWanted; ++cpu) {
        const i64 result = psci::cpu_on(cpu, reinterpret_cast<u64>(&secondary_start), cpu);
        if (result != 0)
            Hal::panic("PSCI CPU_ON failed", __FILE__, __LINE__);
        while (!Hal::cpu_online(cpu))
            Hal::relax();
    }
    self_test();
}

extern "C" void secondary_main(u64 id, u64)
{
    init_cpu(static_cast<u32>(id));
    bring_up();
    Cpu& cpu = this_cpu();
    for (;;) {
        const u64 next = cpu.next_task.exchange(0, MemoryOrder::AcquireRelease);
        if (next != 0)
            run_user_task(*reinterpret_cast<Task*>(next));
        else
            asm volatile("wfi" : : : "memory");
    }
}

} // namespace kernel
