// SPDX-License-Identifier: Apache-2.0
#include "core/hooks/hooks.hpp"

#include "core/control/control.hpp"
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"
#include "core/pmu/registers.hpp"
#include "core/sample/overflow.hpp"
#include "core/sched/exit.hpp"
#include "core/sched/rotate.hpp"
#include "core/sched/slice.hpp"

#include <new>

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING::hooks {

namespace {

// One PmuType per PMU node, in the order the kernel lists them; types are numbered as they come.
void register_pmus(Subsystem& subsystem)
{
    for (u32 index = 0; index < subsystem.pmu_count; ++index) {
        const PmuNode node = Hal::pmu_node(index);
        PmuType& pmu = subsystem.pmus[index];
        pmu.type = kFirstDynamicType + index;
        pmu.name = node.name;
        pmu.cpus = node.cpus;
        pmu.has_interrupt = node.has_interrupt;
        pmu.reserved_counters = node.reserved_counters;
        pmu.placements = node.placements;
        pmu.placement_count = node.placement_count;
        pmu.mux_interval_ns = Hal::tick_ns();
    }
}

void free_subsystem(Subsystem& subsystem)
{
    if (subsystem.cpus != nullptr)
        Hal::free(subsystem.cpus, sizeof(CpuState) * subsystem.cpu_count);
    if (subsystem.pmus != nullptr)
        Hal::free(subsystem.pmus, sizeof(PmuType) * subsystem.pmu_count);
    Hal::free(&subsystem, sizeof(Subsystem));
}

/// The PMU of this CPU in a known state: everything off, flags clear, counting enabled.
void reset_registers(u64 pmcr_extra)
{
    Hal::pmu_write<PmuReg::PMCR_EL0>(0);
    Hal::isb();
    const u64 all = 0xffff'ffff;
    Hal::pmu_write<PmuReg::PMCNTENCLR_EL0>(all);
    Hal::pmu_write<PmuReg::PMINTENCLR_EL1>(all);
    Hal::pmu_write<PmuReg::PMOVSCLR_EL0>(all);
    Hal::pmu_write<PmuReg::PMUSERENR_EL0>(0);
    Hal::isb();
    Hal::pmu_write<PmuReg::PMCR_EL0>(PMCR_P | PMCR_C | PMCR_LC | pmcr_extra);
    Hal::isb();
    Hal::pmu_write<PmuReg::PMCR_EL0>(PMCR_E | PMCR_LC | pmcr_extra);
    Hal::isb();
}

} // namespace

Result<Subsystem*> init()
{
    assert_process();
    void* memory = Hal::alloc(sizeof(Subsystem));
    if (memory == nullptr)
        return Errno::Enomem;
    Subsystem* subsystem = new (memory) Subsystem;
    subsystem->cpu_count = Hal::cpu_count();
    subsystem->pmu_count = Hal::pmu_node_count();
    PERFCORE_ASSERT(subsystem->cpu_count <= kMaxCpus);

    void* cpus = Hal::alloc(sizeof(CpuState) * subsystem->cpu_count);
    subsystem->cpus = static_cast<CpuState*>(cpus);
    void* pmus = nullptr;
    if (subsystem->pmu_count != 0) {
        pmus = Hal::alloc(sizeof(PmuType) * subsystem->pmu_count);
        subsystem->pmus = static_cast<PmuType*>(pmus);
    }
    if (cpus == nullptr || (subsystem->pmu_count != 0 && pmus == nullptr)) {
        free_subsystem(*subsystem);
        return Errno::Enomem;
    }
    for (u32 index = 0; index < subsystem->pmu_count; ++index)
        new (&subsystem->pmus[index]) PmuType;
    register_pmus(*subsystem);
    for (u32 cpu = 0; cpu < subsystem->cpu_count; ++cpu) {
        CpuState* state = new (&subsystem->cpus[cpu]) CpuState(*subsystem, cpu);
        Hal::cpu_slot_of(cpu) = state;
    }
    return subsystem;
}

void shutdown(Subsystem& subsystem)
{
    assert_process();
    PERFCORE_ASSERT(subsystem.task_events == 0);
    for (u32 cpu = 0; cpu < subsystem.cpu_count; ++cpu) {
        PERFCORE_ASSERT(subsystem.cpus[cpu].context.empty());
        // Its last shot may still be to come.
        Hal::call(
            cpu, [](void* state) { stop_rotation(*static_cast<CpuState*>(state)); },
            &subsystem.cpus[cpu]);
        Hal::cpu_slot_of(cpu) = nullptr;
    }
    free_subsystem(subsystem);
}

Settings& settings(Subsystem& subsystem)
{
    return subsystem.settings;
}

Result<void> set_mux_interval(Subsystem& subsystem, u32 pmu_type, u32 milliseconds)
{
    constexpr u64 kNsPerMs = 1'000'000;
    if (milliseconds == 0)
        return Errno::Einval;
    for (u32 index = 0; index < subsystem.pmu_count; ++index) {
        PmuType& pmu = subsystem.pmus[index];
        if (pmu.type != pmu_type)
            continue;
        pmu.mux_interval_ns = milliseconds * kNsPerMs;
        return {};
    }
    return Errno::Enoent;
}

void cpu_up()
{
    assert_irqs_off();
    CpuState& cpu = this_cpu();
    PERFCORE_ASSERT(!cpu.up);
    const CpuInfo info = Hal::cpu_info(cpu.cpu);
    const u32 version = pmu_version(Hal::pmu_read<PmuReg::ID_AA64DFR0_EL1>());
    const bool present = version != 0 && version != 0xf && info.pmu_node >= 0;
    if (present) {
        PmuType& pmu = cpu.subsystem.pmus[info.pmu_node];
        const bool wide = version >= kPmuVersionP5;
        reset_registers(wide ? PMCR_LP : 0);
        const u32 implemented = pmcr_n(Hal::pmu_read<PmuReg::PMCR_EL0>());
        const u32 reserved = pmu.reserved_counters;
        const u32 counters = implemented > reserved ? implemented - reserved : 0;
        if (!pmu.probed) {
            pmu.wide = wide;
            pmu.counters = counters;
            pmu.events.pmceid0 = Hal::pmu_read<PmuReg::PMCEID0_EL0>();
            pmu.events.pmceid1 = Hal::pmu_read<PmuReg::PMCEID1_EL0>();
            pmu.probed = true;
        }
        cpu.pool.init(pmu.counter_mask());
        cpu.pmu = &pmu;
        Hal::pmu_irq(pmu.has_interrupt);
    }
    init_rotation(cpu);
    SpinGuard guard(cpu.context.lock);
    cpu.context.activate(cpu.cpu);
    cpu.up = true;
}

void cpu_down()
{
    assert_irqs_off();
    CpuState& cpu = this_cpu();
    PERFCORE_ASSERT(cpu.up && cpu.task_context == nullptr);
    exit_cpu_context(cpu);
    cpu.up = false;
    if (cpu.pmu != nullptr) {
        Hal::pmu_irq(false);
        Hal::pmu_write<PmuReg::PMCR_EL0>(PMCR_LC);
        Hal::isb();
        cpu.pmu = nullptr;
    }
}

bool pmu_irq()
{
    CpuState& cpu = this_cpu();
    return cpu.pmu != nullptr && handle_overflow(cpu);
}

void switch_out(Hal::Task* prev)
{
    CpuState& cpu = this_cpu();
    if (cpu.hot.load(MemoryOrder::Relaxed) == 0)
        return;
    if (Context* context = static_cast<Context*>(Hal::task_slot(prev)))
        context_switch_out(cpu, *context);
}

void switch_in(Hal::Task* next)
{
    CpuState& cpu = this_cpu();
    if (cpu.hot.load(MemoryOrder::Relaxed) == 0)
        return;
    if (Context* context = static_cast<Context*>(Hal::task_slot(next)))
        context_switch_in(cpu, *context);
}

void tick()
{
    assert_interrupt();
}

void exit(Hal::Task* task)
{
    CpuState* cpu = nullptr;
    {
        IrqGuard irqs_off;
        cpu = &this_cpu();
    }
    exit_task_context(cpu->subsystem, task);
}

void vma_close(Event& event)
{
    control::unmap(event);
}

} // namespace perfcore::inline PERFCORE_BINDING::hooks
