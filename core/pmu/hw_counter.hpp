// SPDX-License-Identifier: Apache-2.0
// HwCounter: the arithmetic of one event on whichever hardware counter it has at the moment, and
// CounterPool: the counters of one CPU. Neither knows what an Event is.
//
// The rules are Linux's (armpmu_event_set_period, armpmu_event_update):
//   * the counter is loaded with -left, so that it overflows when the period is over; it is never
//     loaded with more than half its range, so a late reader still sees an unambiguous difference;
//   * `left` survives slices, rotation and migration: the remainder of a period is never lost;
//   * an overflow that finds more than a whole period gone restarts the phase. Linux drops the
//     events beyond; so do we, but missed_events counts them.
// For a sampling event, always:
//   reported_events() + missed_events() + progress() == armed_events()
// where reported events are the periods that made a sample, written or lost.
//
// Width: an event counts in 32 bits, folded into 64, unless it asks for 64 (config1 `long`). Those
// use the cycle counter, a 64-bit event counter (PMUv3p5), or else two event counters of which the
// upper counts CHAIN.
#pragma once

#include "core/hal/hal.hpp"
#include "core/pmu/pmu_type.hpp"

namespace perfcore::inline PERFCORE_BINDING {

class CounterPool;

class HwCounter {
public:
    /// Before first use. period: events per sample; 0 for a counting event, which still overflows
    /// at half range so that its counter can be folded. owner: handed back by owner().
    void init(const HwEvent& event, u64 period, void* owner);

    /// AI, this CPU: takes a counter of the pool, without touching it. False: none is free.
    bool reserve(CounterPool& pool);
    /// AI: gives a counter back that was reserved and not started.
    void cancel(CounterPool& pool);
    /// AI, the CPU it is reserved on: programs the counter and lets it count.
    void start(u64 event_id);
    /// AI, the CPU it was started on: stops the counter, folds its count, gives it back.
    void stop(CounterPool& pool, u64 event_id);
    /// AI, the CPU it was started on: folds what the counter has counted so far.
    void update();
    /// I, after update: begins the next period if this one is over and reloads the counter.
    /// True: a period has ended. False: an early overflow, nothing to report.
    bool next_period();
    /// Owner rule: a new period begins at once (Linux __perf_event_period); what was counted of the
    /// old one is missed. On the CPU it was started on, if it is.
    void set_period(u64 period);

    void reset_count() { m_count = 0; }
    /// The period that has just ended made a sample.
    void report() { m_reported += m_last_period; }
    /// Events of a crossing that made no sample.
    void miss(u64 events) { m_missed += events; }

    /// Has a counter.
    [[nodiscard]] bool reserved() const { return m_index != kNoCounter; }
    /// The counter it has; kCycleIndex: PMCCNTR_EL0; of a pair the upper, whose overflow counts.
    [[nodiscard]] i32 index() const { return m_index; }
    [[nodiscard]] void* owner() const { return m_owner; }
    [[nodiscard]] const HwEvent& hw_event() const { return m_event; }
    [[nodiscard]] u64 count() const { return m_count; }
    [[nodiscard]] u64 armed_events() const { return m_armed_events; }
    [[nodiscard]] u64 missed_events() const { return m_missed; }
    [[nodiscard]] u64 reported_events() const { return m_reported; }
    [[nodiscard]] bool sampling() const { return m_sampling; }
    /// The period that has just ended (PERF_SAMPLE_PERIOD).
    [[nodiscard]] u64 last_period() const { return m_last_period; }
    /// Events into the current period, at the last fold.
    [[nodiscard]] u64 progress() const { return m_period - static_cast<u64>(m_left); }

private:
    [[nodiscard]] bool paired() const;
    /// The counter that counts the event itself: of a pair the lower.
    [[nodiscard]] u32 counting_index() const;
    /// Counters it has, as bits of PMCNTENSET_EL0.
    [[nodiscard]] u64 bits() const { return occupied_by(m_index, m_event); }
    [[nodiscard]] u64 range() const { return m_event.wide ? ~u64{0} : 0xffff'ffff; }
    [[nodiscard]] u64 read() const;
    void write(u64 value) const;
    void write_type() const;
    void load();
    void enable() const;
    void halt() const;    ///< it counts no more
    void silence() const; ///< it interrupts no more, and no flag of it is left

    HwEvent m_event;
    void* m_owner = nullptr;
    bool m_sampling = false;
    i32 m_index = kNoCounter;
    u64 m_period = 0;
    u64 m_last_period = 0;
    i64 m_left = 0;     ///< events until the period ends; <= 0: it has ended
    u64 m_previous = 0; ///< counter value at the last fold, within range()
    u64 m_count = 0;
    u64 m_armed_events = 0; ///< like m_count but never reset
    u64 m_reported = 0;
    u64 m_missed = 0;
};

/// The counters of one CPU and who has them. AI, that CPU only.
class CounterPool {
public:
    /// implemented: bit per counter to hand out (PmuType::counter_mask).
    void init(u32 implemented) { m_implemented = implemented; }

    /// See pick_counter.
    i32 allocate(HwCounter& owner);
    void release(i32 index, u32 bits);
    /// Null: nobody has it (a stale or spurious overflow flag).
    [[nodiscard]] HwCounter* owner(u32 index) const { return m_owners[index]; }
    /// Bit per counter this CPU has, the cycle counter included.
    [[nodiscard]] u64 implemented() const { return m_implemented; }

private:
    u32 m_implemented = 0;
    u32 m_used = 0;
    HwCounter* m_owners[32] = {};
};

} // namespace perfcore::inline PERFCORE_BINDING
