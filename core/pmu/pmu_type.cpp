// SPDX-License-Identifier: Apache-2.0
#include "core/pmu/pmu_type.hpp"

#include "core/abi/perf_event.hpp"
#include "core/pmu/registers.hpp"

#include "core/base/fence.hpp"

namespace perfcore {

namespace {

// Generic types may name their PMU in config[63:32] (PERF_PMU_TYPE_SHIFT).
bool names_another_pmu(const PmuType& pmu, u64 config)
{
    const u32 extended = static_cast<u32>(config >> PERF_PMU_TYPE_SHIFT);
    return extended != 0 && extended != pmu.type;
}

Result<u16> event_number(const PmuType& pmu, const PerfEventAttr& attr)
{
    const u32 low = static_cast<u32>(attr.config);
    if (attr.type == PERF_TYPE_HARDWARE || attr.type == PERF_TYPE_HW_CACHE) {
        if (names_another_pmu(pmu, attr.config))
            return Errno::Enoent;
        return attr.type == PERF_TYPE_HARDWARE ? map_hardware_event(low, pmu.events)
                                               : map_cache_event(low, pmu.events);
    }
    if (attr.type != PERF_TYPE_RAW && attr.type != pmu.type)
        return Errno::Enoent;
    // Raw numbers are taken as they are: 16 bits, no look at PMCEID; an event the core does not
    // implement counts nothing.
    return static_cast<u16>(low & PMEVTYPER_EVENT);
}

u32 placement_of(const PmuType& pmu, u16 number)
{
    for (u32 index = 0; index < pmu.placement_count; ++index)
        if (pmu.placements[index].event == number)
            return pmu.placements[index].counters;
    return ~u32{0};
}

} // namespace

i32 pick_counter(u32 implemented, u32 used, const HwEvent& event)
{
    const u32 free = implemented & ~used;
    const u32 cycle_bit = u32{1} << kCycleIndex;
    if (event.cycles && (free & cycle_bit) != 0)
        return static_cast<i32>(kCycleIndex);
    u32 candidates = free & event.counters & ~cycle_bit;
    if (event.pair) {
        constexpr u32 kOdd = 0xaaaa'aaaa;
        candidates &= (candidates << 1) & kOdd; // the even counter below must be free as well
    }
    return candidates != 0 ? static_cast<i32>(__builtin_ctz(candidates)) : kNoCounter;
}

Result<HwEvent> pmu_event_init(const PmuType& pmu, const PerfEventAttr& attr, i32 cpu)
{
    // A cpu-bound event of another cluster is not ours (Linux armpmu_event_init: ENOENT).
    if (!pmu.probed || (cpu >= 0 && !pmu.cpus.test(static_cast<u32>(cpu))))
        return Errno::Enoent;
    const u16 number = PERFCORE_TRY(event_number(pmu, attr));
    // CHAIN is only ever the upper half of a pair the PMU code makes itself.
    if (number == EVT_CHAIN)
        return Errno::Einval;
    if ((attr.bits & kAttrExcludeIdle) != 0 || (attr.sample_type & PERF_SAMPLE_BRANCH_STACK) != 0)
        return Errno::Eopnotsupp;

    HwEvent event;
    event.number = number;
    event.cycles = number == EVT_CPU_CYCLES;
    // A core with neither 64-bit counters nor CHAIN folds 32 bits, which is as exact.
    event.wide =
        (attr.config1 & kConfig1Long) != 0 && (pmu.wide || pmu.events.implements(EVT_CHAIN));
    event.pair = event.wide && !pmu.wide;
    event.counters = placement_of(pmu, number);
    if ((attr.bits & kAttrExcludeKernel) != 0)
        event.filter |= PMEVTYPER_P;
    if ((attr.bits & kAttrExcludeUser) != 0)
        event.filter |= PMEVTYPER_U;
    return event;
}

} // namespace perfcore
