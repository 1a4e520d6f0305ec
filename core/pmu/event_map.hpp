// SPDX-License-Identifier: Apache-2.0
// From generic Linux event numbers to PMUv3 event numbers.
#pragma once

#include "core/base/result.hpp"

namespace perfcore {

// Common events by Arm ARM name.
inline constexpr u16 EVT_L1I_CACHE_REFILL = 0x01;
inline constexpr u16 EVT_L1I_TLB_REFILL = 0x02;
inline constexpr u16 EVT_L1D_CACHE_REFILL = 0x03;
inline constexpr u16 EVT_L1D_CACHE = 0x04;
inline constexpr u16 EVT_L1D_TLB_REFILL = 0x05;
inline constexpr u16 EVT_INST_RETIRED = 0x08;
inline constexpr u16 EVT_PC_WRITE_RETIRED = 0x0c;
inline constexpr u16 EVT_BR_MIS_PRED = 0x10;
inline constexpr u16 EVT_CPU_CYCLES = 0x11;
inline constexpr u16 EVT_BR_PRED = 0x12;
inline constexpr u16 EVT_L1I_CACHE = 0x14;
inline constexpr u16 EVT_BUS_CYCLES = 0x1d;
inline constexpr u16 EVT_CHAIN = 0x1e;
inline constexpr u16 EVT_BR_RETIRED = 0x21;
inline constexpr u16 EVT_STALL_FRONTEND = 0x23;
inline constexpr u16 EVT_STALL_BACKEND = 0x24;
inline constexpr u16 EVT_L1D_TLB = 0x25;
inline constexpr u16 EVT_L1I_TLB = 0x26;
inline constexpr u16 EVT_LL_CACHE_RD = 0x36;
inline constexpr u16 EVT_LL_CACHE_MISS_RD = 0x37;

/// Common events a core implements: PMCEID0_EL0 and PMCEID1_EL0.
struct CommonEvents {
    u64 pmceid0 = 0;
    u64 pmceid1 = 0;

    /// For numbers below 0x40; the registers say nothing about others.
    [[nodiscard]] constexpr bool implements(u32 event) const
    {
        return event < 0x20 ? ((pmceid0 >> event) & 1) != 0
                            : event < 0x40 && ((pmceid1 >> (event - 0x20)) & 1) != 0;
    }
};

/// PERF_TYPE_HARDWARE: EINVAL beyond PERF_COUNT_HW_MAX, ENOENT if the core cannot count it.
/// Linux armv8_pmuv3 map: BRANCH_INSTRUCTIONS is BR_RETIRED, else PC_WRITE_RETIRED.
Result<u16> map_hardware_event(u32 config, const CommonEvents& events);

/// PERF_TYPE_HW_CACHE: EINVAL for a field out of range, ENOENT for an unmapped combination.
Result<u16> map_cache_event(u32 config, const CommonEvents& events);

} // namespace perfcore
