// SPDX-License-Identifier: Apache-2.0
// Register-level model of one core's PMUv3: freestanding, no SystemC, no heap.
//
// The model knows registers, filters, overflow flags and the interrupt line. What happened on the
// core is told to it from outside: advance() takes a source that says how many events of a number
// occurred in the step, so the cost depends on the armed counters only.
#pragma once

#include "core/hal/types.hpp"

namespace perfsim {

using perfcore::PmuReg;
using perfcore::u32;
using perfcore::u64;
using perfcore::u8;

enum class ExceptionLevel : u8 { El0 = 0, El1 = 1 };

inline constexpr u32 kCycleCounter = 31;
inline constexpr u64 kNever = ~u64{0};

struct PmuConfig {
    u8 pmu_version = 4;    ///< ID_AA64DFR0_EL1.PMUVer: 1 Armv8.0, 4 8.1, 5 8.4, 6 8.5; 0: no PMU
    u32 counters = 6;      ///< event counters visible at EL1 (PMCR_EL0.N)
    u8 implementer = 0x41; ///< PMCR_EL0.IMP
    u8 idcode = 0;         ///< PMCR_EL0.IDCODE
    u64 pmceid0 = 0;       ///< PMCEID0_EL0: common events 0x00-0x1f, and 0x4000-0x401f in [63:32]
    u64 pmceid1 = 0;       ///< PMCEID1_EL0: common events 0x20-0x3f, and 0x4020-0x403f in [63:32]
};

class PmuModel {
public:
    /// Warm reset: everything the Arm ARM calls UNKNOWN takes a value drawn from seed.
    void reset(const PmuConfig& config, u64 seed);

    u64 read(PmuReg reg) const;
    void write(PmuReg reg, u64 value);
    u64 evcntr_read(u32 n) const;
    void evcntr_write(u32 n, u64 value);
    u64 evtyper_read(u32 n) const;
    void evtyper_write(u32 n, u64 value);

    /// Level of the overflow interrupt request (Arm ARM D11, "Generating overflow interrupt
    /// requests"): OR over counters of PMOVS & PMINTEN, gated by PMCR_EL0.E.
    bool line() const;

    /// True if counter n (kCycleCounter for PMCCNTR_EL0) counts at this exception level now.
    bool counting(u32 n, ExceptionLevel el) const;
    /// Event number counter n counts; 0x11 for the cycle counter.
    u32 event_of(u32 n) const;

    /// Lets a step of execution happen: source(event number) returns how many of them occurred.
    template <typename Source>
    void advance(ExceptionLevel el, Source&& source)
    {
        for (u32 n = first_counting(el, 0); n <= kCycleCounter; n = first_counting(el, n + 1))
            add(n, source(event_of(n)));
    }

    /// The earliest position at which an armed counter that can raise the line overflows, or
    /// kNever. For the lower half of a CHAIN pair that is its own overflow: early for the pair,
    /// never late. position(event, n) returns the position at which n more events of the number
    /// have occurred.
    template <typename Position>
    u64 next_overflow(ExceptionLevel el, Position&& position) const
    {
        u64 earliest = kNever;
        for (u32 n = first_counting(el, 0); n <= kCycleCounter; n = first_counting(el, n + 1)) {
            if (!can_raise_line(n))
                continue;
            u64 at = position(event_of(n), until_overflow(n));
            earliest = at < earliest ? at : earliest;
        }
        return earliest;
    }

    /// Ground truth: events counter n has counted since reset, in 64 bits, whatever was written to
    /// the counter meanwhile. Independent of the architectural value and its width.
    u64 total(u32 n) const;

private:
    u64 implemented() const;
    bool wide() const;
    bool implements(u32 event) const;
    bool chained_above(u32 n) const;
    bool overflows_at_64(u32 n) const;
    bool divided(u32 n) const;
    /// Lowest counting counter >= from, or kCycleCounter + 1. Event counters first.
    /// CHAIN and SW_INCR counters are driven by their neighbour and by PMSWINC_EL0, not by a
    /// source.
    u32 first_counting(ExceptionLevel el, u32 from) const;
    bool can_raise_line(u32 n) const;
    u64 until_overflow(u32 n) const;
    void add(u32 n, u64 events);

    PmuConfig m_config;
    u64 m_pmcr = 0;            ///< PMCR_EL0 bits that hold state: E, D, X, DP, LC, LP
    u64 m_enabled = 0;         ///< PMCNTENSET_EL0
    u64 m_interrupts = 0;      ///< PMINTENSET_EL1
    u64 m_overflow = 0;        ///< PMOVSSET_EL0
    u64 m_select = 0;          ///< PMSELR_EL0
    u64 m_user = 0;            ///< PMUSERENR_EL0
    u64 m_cycle_remainder = 0; ///< cycles below the next count when PMCR_EL0.D divides
    u64 m_value[32] = {};      ///< PMEVCNTR<n>_EL0, [31] PMCCNTR_EL0
    u64 m_type[32] = {};       ///< PMEVTYPER<n>_EL0, [31] PMCCFILTR_EL0
    u64 m_total[32] = {};
};

} // namespace perfsim
