// SPDX-License-Identifier: Apache-2.0
// Rules are the Arm ARM's (DDI 0487, "The Performance Monitors Extension" and the register
// descriptions of the same names); each function names the register it models.
#include "sim/pmu_model/pmu_model.hpp"

namespace perfsim {

namespace {

constexpr u64 kPmcrE = u64{1} << 0;
constexpr u64 kPmcrP = u64{1} << 1;
constexpr u64 kPmcrC = u64{1} << 2;
constexpr u64 kPmcrD = u64{1} << 3;
constexpr u64 kPmcrX = u64{1} << 4;
constexpr u64 kPmcrDp = u64{1} << 5;
constexpr u64 kPmcrLc = u64{1} << 6;
constexpr u64 kPmcrLp = u64{1} << 7;
constexpr u64 kPmcrState = kPmcrE | kPmcrD | kPmcrX | kPmcrDp | kPmcrLc | kPmcrLp;
constexpr u64 kPmcrReset = ~kPmcrE; // E resets to 0; the rest is UNKNOWN

// PMEVTYPER<n>_EL0: P U NSK NSU NSH M, then evtCount. RES0 bits read as zero.
constexpr u64 kTypeBits = 0xfe00'ffff;
constexpr u64 kFilterBits = 0xfe00'0000;
constexpr u64 kTypeP = u64{1} << 31;
constexpr u64 kTypeU = u64{1} << 30;

constexpr u32 kSwIncr = 0x00;
constexpr u32 kCpuCycles = 0x11;
constexpr u32 kChain = 0x1e;
constexpr u64 kLow32 = 0xffff'ffff;
constexpr u8 kVersionP5 = 6;
constexpr u64 kCycleDivider = 64; // PMCR_EL0.D

u64 mix(u64& state)
{
    state += 0x9e37'79b9'7f4a'7c15;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
    return z ^ (z >> 31);
}

} // namespace

u64 PmuModel::implemented() const
{
    return ((u64{1} << m_config.counters) - 1) | (u64{1} << kCycleCounter);
}

bool PmuModel::wide() const
{
    return m_config.pmu_version >= kVersionP5;
}

void PmuModel::reset(const PmuConfig& config, u64 seed)
{
    m_config = config;
    u64 state = seed;
    m_pmcr = mix(state) & kPmcrState & kPmcrReset;
    m_enabled = mix(state) & implemented();
    m_interrupts = mix(state) & implemented();
    m_overflow = mix(state) & implemented();
    m_select = mix(state) & 0x1f;
    m_user = mix(state) & 0xf;
    m_cycle_remainder = 0;
    for (u32 n = 0; n <= kCycleCounter; ++n) {
        const u64 value = mix(state);
        m_value[n] = n == kCycleCounter || wide() ? value : value & kLow32;
        m_type[n] = mix(state) & (n == kCycleCounter ? kFilterBits : kTypeBits);
        m_total[n] = 0;
    }
}

u64 PmuModel::read(PmuReg reg) const
{
    switch (reg) {
    case PmuReg::PMCR_EL0:
        return m_pmcr | (u64{m_config.counters} << 11) | (u64{m_config.idcode} << 16) |
               (u64{m_config.implementer} << 24);
    case PmuReg::PMCNTENSET_EL0:
    case PmuReg::PMCNTENCLR_EL0:
        return m_enabled;
    case PmuReg::PMINTENSET_EL1:
    case PmuReg::PMINTENCLR_EL1:
        return m_interrupts;
    case PmuReg::PMOVSSET_EL0:
    case PmuReg::PMOVSCLR_EL0:
        return m_overflow;
    case PmuReg::PMSELR_EL0:
        return m_select;
    case PmuReg::PMCEID0_EL0:
        return m_config.pmceid0;
    case PmuReg::PMCEID1_EL0:
        return m_config.pmceid1;
    case PmuReg::PMCCNTR_EL0:
        return m_value[kCycleCounter];
    case PmuReg::PMCCFILTR_EL0:
        return m_type[kCycleCounter];
    case PmuReg::PMUSERENR_EL0:
        return m_user;
    case PmuReg::ID_AA64DFR0_EL1:
        return u64{m_config.pmu_version} << 8;
    case PmuReg::PMSWINC_EL0: // write-only
    case PmuReg::PMMIR_EL1:   // no SLOTS, no bus figures
        return 0;
    }
    return 0;
}

void PmuModel::write(PmuReg reg, u64 value)
{
    switch (reg) {
    case PmuReg::PMCR_EL0:
        m_pmcr = value & kPmcrState & (wide() ? ~u64{0} : ~kPmcrLp);
        // P and C act at the write and read as zero; overflow flags stay.
        if ((value & kPmcrP) != 0)
            for (u32 n = 0; n < m_config.counters; ++n)
                m_value[n] = 0;
        if ((value & kPmcrC) != 0)
            m_value[kCycleCounter] = 0;
        break;
    case PmuReg::PMCNTENSET_EL0:
        m_enabled |= value & implemented();
        break;
    case PmuReg::PMCNTENCLR_EL0:
        m_enabled &= ~value;
        break;
    case PmuReg::PMINTENSET_EL1:
        m_interrupts |= value & implemented();
        break;
    case PmuReg::PMINTENCLR_EL1:
        m_interrupts &= ~value;
        break;
    case PmuReg::PMOVSSET_EL0:
        m_overflow |= value & implemented();
        break;
    case PmuReg::PMOVSCLR_EL0:
        m_overflow &= ~value;
        break;
    case PmuReg::PMSWINC_EL0:
        for (u32 n = 0; n < m_config.counters; ++n)
            if (((value >> n) & 1) != 0 && counting(n, ExceptionLevel::El1) &&
                event_of(n) == kSwIncr)
                add(n, 1);
        break;
    case PmuReg::PMSELR_EL0:
        m_select = value & 0x1f;
        break;
    case PmuReg::PMCCNTR_EL0:
        m_value[kCycleCounter] = value;
        break;
    case PmuReg::PMCCFILTR_EL0:
        m_type[kCycleCounter] = value & kFilterBits;
        break;
    case PmuReg::PMUSERENR_EL0:
        m_user = value & 0xf;
        break;
    case PmuReg::PMCEID0_EL0: // read-only
    case PmuReg::PMCEID1_EL0:
    case PmuReg::PMMIR_EL1:
    case PmuReg::ID_AA64DFR0_EL1:
        break;
    }
}

// PMEVCNTR<n>_EL0 and PMEVTYPER<n>_EL0 with n >= PMCR_EL0.N: RAZ/WI, one of the CONSTRAINED
// UNPREDICTABLE choices.
u64 PmuModel::evcntr_read(u32 n) const
{
    return n < m_config.counters ? m_value[n] : 0;
}

void PmuModel::evcntr_write(u32 n, u64 value)
{
    if (n < m_config.counters)
        m_value[n] = wide() ? value : value & kLow32;
}

u64 PmuModel::evtyper_read(u32 n) const
{
    return n < m_config.counters ? m_type[n] : 0;
}

void PmuModel::evtyper_write(u32 n, u64 value)
{
    if (n < m_config.counters)
        m_type[n] = value & kTypeBits;
}

bool PmuModel::line() const
{
    return (m_pmcr & kPmcrE) != 0 && (m_overflow & m_interrupts) != 0;
}

u32 PmuModel::event_of(u32 n) const
{
    return n == kCycleCounter ? kCpuCycles : static_cast<u32>(m_type[n] & 0xffff);
}

// A common event whose PMCEID bit is clear is not implemented: it reads back and counts nothing.
bool PmuModel::implements(u32 event) const
{
    if (event >= 0x40)
        return true;
    const u64 bits = event < 0x20 ? m_config.pmceid0 : m_config.pmceid1;
    return ((bits >> (event % 0x20)) & 1) != 0;
}

bool PmuModel::counting(u32 n, ExceptionLevel el) const
{
    if ((m_pmcr & kPmcrE) == 0 || ((m_enabled >> n) & 1) == 0)
        return false;
    if ((m_type[n] & (el == ExceptionLevel::El0 ? kTypeU : kTypeP)) != 0)
        return false;
    return n == kCycleCounter || implements(event_of(n));
}

u32 PmuModel::first_counting(ExceptionLevel el, u32 from) const
{
    for (u32 n = from; n < m_config.counters; ++n)
        if (event_of(n) != kChain && event_of(n) != kSwIncr && counting(n, el))
            return n;
    return from <= kCycleCounter && counting(kCycleCounter, el) ? kCycleCounter : kCycleCounter + 1;
}

bool PmuModel::can_raise_line(u32 n) const
{
    // An even counter below an enabled CHAIN counter raises through its neighbour's overflow.
    if (((m_interrupts >> n) & 1) != 0)
        return true;
    return n < kCycleCounter && chained_above(n) && ((m_interrupts >> (n + 1)) & 1) != 0;
}

bool PmuModel::chained_above(u32 n) const
{
    return n % 2 == 0 && n + 1 < m_config.counters && ((m_enabled >> (n + 1)) & 1) != 0 &&
           event_of(n + 1) == kChain && implements(kChain);
}

// Width at which PMOVS is set: PMCR_EL0.LC for the cycle counter, PMCR_EL0.LP for event counters
// of PMUv3p5, 32 bits otherwise.
bool PmuModel::overflows_at_64(u32 n) const
{
    return n == kCycleCounter ? (m_pmcr & kPmcrLc) != 0 : wide() && (m_pmcr & kPmcrLp) != 0;
}

u64 PmuModel::until_overflow(u32 n) const
{
    const u64 counts =
        overflows_at_64(n) ? u64{0} - m_value[n] : (u64{1} << 32) - (m_value[n] & kLow32);
    // A 64-bit counter at zero is 2^64 away: out of reach.
    if (counts == 0)
        return kNever;
    if (!divided(n))
        return counts;
    if (counts > (kNever - kCycleDivider) / kCycleDivider)
        return kNever;
    return counts * kCycleDivider - m_cycle_remainder;
}

// PMCR_EL0.D: PMCCNTR_EL0 counts every 64th cycle; has no effect when LC is 1.
bool PmuModel::divided(u32 n) const
{
    return n == kCycleCounter && (m_pmcr & kPmcrD) != 0 && (m_pmcr & kPmcrLc) == 0;
}

void PmuModel::add(u32 n, u64 events)
{
    if (divided(n)) {
        const u64 cycles = m_cycle_remainder + events;
        m_cycle_remainder = cycles % kCycleDivider;
        events = cycles / kCycleDivider;
    }
    if (events == 0)
        return;
    m_total[n] += events;
    const bool full_width = n == kCycleCounter || wide();
    const u64 before = m_value[n];
    const u64 after = before + events;
    u64 carries = 0;
    if (overflows_at_64(n))
        carries = after < before ? 1 : 0;
    else
        carries = ((before & kLow32) + events) >> 32;
    m_value[n] = full_width ? after : after & kLow32;
    if (carries == 0)
        return;
    m_overflow |= u64{1} << n;
    if (n < kCycleCounter && chained_above(n))
        add(n + 1, carries);
}

u64 PmuModel::total(u32 n) const
{
    return m_total[n];
}

} // namespace perfsim
