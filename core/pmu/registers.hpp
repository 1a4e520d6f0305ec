// SPDX-License-Identifier: Apache-2.0
// Fields of the PMUv3 registers the core uses (Arm ARM DDI 0487, "Performance Monitors registers").
#pragma once

#include "core/base/types.hpp"

namespace perfcore {

// PMCR_EL0
inline constexpr u64 PMCR_E = u64{1} << 0; ///< enable all counters below HPMN and the cycle counter
inline constexpr u64 PMCR_P = u64{1} << 1; ///< reset event counters, at the write
inline constexpr u64 PMCR_C = u64{1} << 2; ///< reset the cycle counter, at the write
inline constexpr u64 PMCR_LC = u64{1} << 6; ///< cycle counter overflows at 64 bits
inline constexpr u64 PMCR_LP = u64{1} << 7; ///< event counters overflow at 64 bits (PMUv3p5)

inline constexpr u32 pmcr_n(u64 pmcr)
{
    return static_cast<u32>((pmcr >> 11) & 0x1f);
}

// PMEVTYPER<n>_EL0, PMCCFILTR_EL0
inline constexpr u64 PMEVTYPER_P = u64{1} << 31; ///< do not count at EL1
inline constexpr u64 PMEVTYPER_U = u64{1} << 30; ///< do not count at EL0
inline constexpr u64 PMEVTYPER_EVENT = 0xffff;   ///< evtCount

// PMCNTENSET_EL0, PMINTENSET_EL1, PMOVSSET_EL0: bit n for counter n, bit 31 for the cycle counter
inline constexpr u32 kCycleIndex = 31;
inline constexpr u64 counter_bit(u32 index)
{
    return u64{1} << index;
}

/// ID_AA64DFR0_EL1.PMUVer: 0 not implemented, 0xf IMPLEMENTATION DEFINED, 6 PMUv3p5.
inline constexpr u32 pmu_version(u64 id_aa64dfr0)
{
    return (id_aa64dfr0 >> 8) & 0xf;
}
inline constexpr u32 kPmuVersionP5 = 6;

} // namespace perfcore
