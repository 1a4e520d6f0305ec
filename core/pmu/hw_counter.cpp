// SPDX-License-Identifier: Apache-2.0
#include "core/pmu/hw_counter.hpp"

#include "core/hal/assert.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

// A 64-bit counter used as a 32-bit one (the cycle counter with LC, event counters of PMUv3p5 with
// LP) is loaded with its upper half all ones, so that it overflows together with its lower half.
// 32-bit counters ignore the upper half.
constexpr u64 kBias = u64{0xffff'ffff} << 32;
constexpr u32 kHalf = 32;

} // namespace

void HwCounter::init(const HwEvent& event, u64 period, void* owner)
{
    m_event = event;
    m_owner = owner;
    m_sampling = period != 0;
    m_period = m_sampling ? period : range() >> 1;
    m_last_period = m_period;
    m_left = static_cast<i64>(m_period);
}

bool HwCounter::paired() const
{
    return m_event.pair && m_index != static_cast<i32>(kCycleIndex);
}

u32 HwCounter::counting_index() const
{
    return paired() ? static_cast<u32>(m_index) - 1 : static_cast<u32>(m_index);
}

u64 HwCounter::read() const
{
    const u32 index = static_cast<u32>(m_index);
    if (index == kCycleIndex)
        return Hal::pmu_read<PmuReg::PMCCNTR_EL0>() & range();
    if (!paired())
        return Hal::evcntr_read(index) & range();
    // The lower half may wrap between the two reads.
    u64 high = Hal::evcntr_read(index);
    for (;;) {
        Hal::isb();
        const u64 low = Hal::evcntr_read(index - 1);
        Hal::isb();
        const u64 again = Hal::evcntr_read(index);
        if (again == high)
            return high << kHalf | low;
        high = again;
    }
}

void HwCounter::write(u64 value) const
{
    const u32 index = static_cast<u32>(m_index);
    const u64 biased = m_event.wide ? value : kBias | value;
    if (index == kCycleIndex) {
        Hal::pmu_write<PmuReg::PMCCNTR_EL0>(biased);
    } else if (paired()) {
        Hal::evcntr_write(index, value >> kHalf);
        Hal::evcntr_write(index - 1, value & 0xffff'ffff);
    } else {
        Hal::evcntr_write(index, biased);
    }
}

void HwCounter::write_type() const
{
    // Whole registers: a read-modify-write would keep reserved and filter bits that are UNKNOWN at
    // reset.
    const u32 index = static_cast<u32>(m_index);
    const u64 type = m_event.filter | m_event.number;
    if (index == kCycleIndex) {
        Hal::pmu_write<PmuReg::PMCCFILTR_EL0>(m_event.filter);
    } else if (paired()) {
        Hal::evtyper_write(index - 1, type);
        // No filter: every overflow of the lower half counts, wherever it happens.
        Hal::evtyper_write(index, EVT_CHAIN);
    } else {
        Hal::evtyper_write(index, type);
    }
}

void HwCounter::load()
{
    const u64 half_range = range() >> 1;
    const u64 left = static_cast<u64>(m_left) < half_range ? static_cast<u64>(m_left) : half_range;
    m_previous = (u64{0} - left) & range();
    write(m_previous);
}

bool HwCounter::reserve(CounterPool& pool)
{
    PERFCORE_ASSERT(!reserved());
    m_index = pool.allocate(*this);
    return reserved();
}

void HwCounter::cancel(CounterPool& pool)
{
    PERFCORE_ASSERT(reserved());
    pool.release(m_index, static_cast<u32>(bits()));
    m_index = kNoCounter;
}

void HwCounter::enable() const
{
    // Of a pair only the upper half interrupts; the lower half's overflow is what it counts.
    Hal::pmu_write<PmuReg::PMINTENSET_EL1>(counter_bit(static_cast<u32>(m_index)));
    Hal::isb();
    Hal::pmu_write<PmuReg::PMCNTENSET_EL0>(bits());
    Hal::isb();
}

void HwCounter::halt() const
{
    Hal::pmu_write<PmuReg::PMCNTENCLR_EL0>(bits());
    Hal::isb();
}

void HwCounter::silence() const
{
    Hal::pmu_write<PmuReg::PMINTENCLR_EL1>(counter_bit(static_cast<u32>(m_index)));
    // An overflow that was not taken yet must not reach the counter's next owner.
    Hal::pmu_write<PmuReg::PMOVSCLR_EL0>(bits());
    Hal::isb();
}

void HwCounter::start(u64 event_id)
{
    PERFCORE_ASSERT(reserved());
    write_type();
    // A crossing folded at the last stop makes no sample: nobody was there to take it.
    if (next_period() && m_sampling)
        m_missed += m_last_period;
    enable();
    Hal::mark(Site::Armed, event_id, counting_index());
}

void HwCounter::stop(CounterPool& pool, u64 event_id)
{
    PERFCORE_ASSERT(reserved());
    halt();
    Hal::mark(Site::Disarmed, event_id, counting_index());
    silence();
    update();
    cancel(pool);
}

void HwCounter::update()
{
    PERFCORE_ASSERT(reserved());
    const u64 now = read();
    const u64 delta = (now - m_previous) & range();
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

void HwCounter::set_period(u64 period)
{
    PERFCORE_ASSERT(m_sampling);
    if (reserved()) {
        halt();
        silence();
        update();
    }
    m_missed += progress();
    m_period = m_last_period = period;
    m_left = static_cast<i64>(period);
    if (reserved()) {
        load();
        enable();
    }
}

i32 CounterPool::allocate(HwCounter& owner)
{
    assert_irqs_off();
    const i32 index = pick_counter(m_implemented, m_used, owner.hw_event());
    if (index == kNoCounter)
        return kNoCounter;
    m_owners[index] = &owner;
    m_used |= occupied_by(index, owner.hw_event());
    return index;
}

void CounterPool::release(i32 index, u32 bits)
{
    PERFCORE_ASSERT(index >= 0 && m_owners[index] != nullptr && (m_used & bits) == bits);
    m_owners[index] = nullptr;
    m_used &= ~bits;
}

} // namespace perfcore::inline PERFCORE_BINDING
