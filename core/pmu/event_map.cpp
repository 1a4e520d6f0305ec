// SPDX-License-Identifier: Apache-2.0
#include "core/pmu/event_map.hpp"

#include "core/abi/perf_event.hpp"

#include "core/base/fence.hpp"

namespace perfcore {

namespace {

constexpr u16 kUnmapped = 0xffff;

Result<u16> if_implemented(u16 event, const CommonEvents& events)
{
    if (event == kUnmapped || !events.implements(event))
        return Errno::Enoent;
    return event;
}

// Indexed by [cache id][result]: L1D, L1I, LL, DTLB, ITLB, BPU, NODE; only reads are mapped
// (PERF_COUNT_HW_CACHE_OP_READ), as on Cortex-A55 and A76.
constexpr u32 kCaches = 7;
constexpr u32 kCacheOps = 3;
constexpr u32 kCacheResults = 2;
constexpr u16 kCacheReads[kCaches][kCacheResults] = {
    {EVT_L1D_CACHE, EVT_L1D_CACHE_REFILL},
    {EVT_L1I_CACHE, EVT_L1I_CACHE_REFILL},
    {EVT_LL_CACHE_RD, EVT_LL_CACHE_MISS_RD},
    {EVT_L1D_TLB, EVT_L1D_TLB_REFILL},
    {EVT_L1I_TLB, EVT_L1I_TLB_REFILL},
    {EVT_BR_PRED, EVT_BR_MIS_PRED},
    {kUnmapped, kUnmapped},
};

} // namespace

Result<u16> map_hardware_event(u32 config, const CommonEvents& events)
{
    switch (config) {
    case PERF_COUNT_HW_CPU_CYCLES:
        return if_implemented(EVT_CPU_CYCLES, events);
    case PERF_COUNT_HW_INSTRUCTIONS:
        return if_implemented(EVT_INST_RETIRED, events);
    case PERF_COUNT_HW_CACHE_REFERENCES:
        return if_implemented(EVT_L1D_CACHE, events);
    case PERF_COUNT_HW_CACHE_MISSES:
        return if_implemented(EVT_L1D_CACHE_REFILL, events);
    case PERF_COUNT_HW_BRANCH_INSTRUCTIONS:
        return if_implemented(
            events.implements(EVT_BR_RETIRED) ? EVT_BR_RETIRED : EVT_PC_WRITE_RETIRED, events);
    case PERF_COUNT_HW_BRANCH_MISSES:
        return if_implemented(EVT_BR_MIS_PRED, events);
    case PERF_COUNT_HW_BUS_CYCLES:
        return if_implemented(EVT_BUS_CYCLES, events);
    case PERF_COUNT_HW_STALLED_CYCLES_FRONTEND:
        return if_implemented(EVT_STALL_FRONTEND, events);
    case PERF_COUNT_HW_STALLED_CYCLES_BACKEND:
        return if_implemented(EVT_STALL_BACKEND, events);
    case PERF_COUNT_HW_REF_CPU_CYCLES:
        return Errno::Enoent;
    default:
        return Errno::Einval;
    }
}

Result<u16> map_cache_event(u32 config, const CommonEvents& events)
{
    const u32 cache = config & 0xff;
    const u32 op = (config >> 8) & 0xff;
    const u32 result = (config >> 16) & 0xff;
    if (cache >= kCaches || op >= kCacheOps || result >= kCacheResults)
        return Errno::Einval;
    return op == 0 ? if_implemented(kCacheReads[cache][result], events) : Errno::Enoent;
}

} // namespace perfcore
