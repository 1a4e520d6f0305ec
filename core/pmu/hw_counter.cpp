// SPDX-License-Identifier: Apache-2.0
#include "core/pmu/hw_counter.hpp"

#include "core/hal/assert.hpp"
#include "core/pmu/registers.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

// Every counter is used as a 32-bit one: 64-bit counters (the cycle counter with LC, event counters
// of PMUv3p5 with LP) are loaded with their upper half all ones, so they overflow together with
// their lower half. 32-bit counters ignore the upper half.
constexpr u64 kRange = 0xffff'ffff;
constexpr u64 kHalfRange = kRange >> 1;
constexpr u64 kBias = ~kRange;

void write_counter(i32 index, u64 value)
{
    if (index == static_cast<i32>(kCycleIndex))
        Hal::pmu_write<PmuReg::PMCCNTR_EL0>(kBias | value);
    else
        Hal::evcntr_write(static_cast<u32>(index), kBias | value);
}

void write_type(i32 index, const HwEvent& event)
{
    // Whole register: a read-modify-write would keep reserved and filter bits that are UNKNOWN at
    // reset.
    if (index == static_cast<i32>(kCycleIndex))
        Hal::pmu_write<PmuReg::PMCCFILTR_EL0>(event.filter);
    else
        Hal::evtyper_write(static_cast<u32>(index), event.filter | event.number);
}

} // namespace

void HwCounter::init(const HwEvent& event, u64 period, void* owner)
{
    m_event = event;
    m_owner = owner;
    m_sampling = period != 0;
    m_period = m_sampling ? period : kHalfRange;
    m_last_period = m_period;
    m_left = static_cast<i64>(m_period);
}

u64 HwCounter::read() const
{
    const u64 value = m_index == static_cast<i32>(kCycleIndex)
                          ? Hal::pmu_read<PmuReg::PMCCNTR_EL0>()
                          : Hal::evcntr_read(static_cast<u32>(m_index));
    return value & kRange;
}

void HwCounter::load()
{
    const u64 left = static_cast<u64>(m_left) < kHalfRange ? static_cast<u64>(m_left) : kHalfRange;
    m_previous = (u64{0} - left) & kRange;
    write_counter(m_index, m_previous);
}

bool HwCounter::arm(CounterPool& pool, u64 event_id)
{
    PERFCORE_ASSERT(!armed());
    m_index = pool.allocate(*this, m_event.cycles);
    if (!armed())
        return false;
    const u64 bit = counter_bit(static_cast<u32>(m_index));
    write_type(m_index, m_event);
    // A crossing folded at the last disarm makes no sample: nobody was there to take it.
    if (next_period() && m_sampling)
        m_missed += m_last_period;
    Hal::pmu_write<PmuReg::PMINTENSET_EL1>(bit);
    Hal::isb();
    Hal::pmu_write<PmuReg::PMCNTENSET_EL0>(bit);
    Hal::isb();
    Hal::mark(Site::Armed, event_id, static_cast<u64>(m_index));
    return true;
}

void HwCounter::disarm(CounterPool& pool, u64 event_id)
{
    PERFCORE_ASSERT(armed());
    const u64 bit = counter_bit(static_cast<u32>(m_index));
    Hal::pmu_write<PmuReg::PMCNTENCLR_EL0>(bit);
    Hal::isb();
    Hal::mark(Site::Disarmed, event_id, static_cast<u64>(m_index));
    Hal::pmu_write<PmuReg::PMINTENCLR_EL1>(bit);
    // An overflow that was not taken yet must not reach the counter's next owner.
    Hal::pmu_write<PmuReg::PMOVSCLR_EL0>(bit);
    Hal::isb();
    update();
    pool.release(m_index);
    m_index = kNoCounter;
}

void HwCounter::update()
{
    PERFCORE_ASSERT(armed());
    const u64 now = read();
    const u64 delta = (now - m_previous) & kRange;
    m_previous = now;
    m_count += delta;
    m_armed_events += delta;
    m_left -= static_cast<i64>(delta);
}

bool HwCounter::next_period()
{
    bool ended = false;
    const i64 period = static_cast<i64>(m_period);
    if (m_left <= -period) {
        if (m_sampling)
            m_missed += static_cast<u64>(-m_left);
        m_left = period;
        ended = true;
    } else if (m_left <= 0) {
        m_left += period;
        ended = true;
    }
    if (ended)
        m_last_period = m_period;
    load();
    return ended;
}

i32 CounterPool::allocate(HwCounter& owner, bool cycles)
{
    assert_irqs_off();
    i32 index = kNoCounter;
    if (cycles && m_owners[kCycleIndex] == nullptr) {
        index = static_cast<i32>(kCycleIndex);
    } else {
        for (u32 candidate = 0; candidate < m_counters && index == kNoCounter; ++candidate)
            if (m_owners[candidate] == nullptr)
                index = static_cast<i32>(candidate);
    }
    if (index == kNoCounter)
        return kNoCounter;
    m_owners[index] = &owner;
    return index;
}

void CounterPool::release(i32 index)
{
    PERFCORE_ASSERT(index >= 0 && m_owners[index] != nullptr);
    m_owners[index] = nullptr;
}

} // namespace perfcore::inline PERFCORE_BINDING
