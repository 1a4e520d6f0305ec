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
//   period * (samples + lost) + missed_events + progress() == armed_events
#pragma once

#include "core/hal/hal.hpp"
#include "core/pmu/pmu_type.hpp"

namespace perfcore::inline PERFCORE_BINDING {

inline constexpr i32 kNoCounter = -1;

class CounterPool;

class HwCounter {
public:
    /// Before first use. period: events per sample; 0 for a counting event, which still overflows
    /// at half range so that its 32-bit counter can be folded. owner: handed back by owner().
    void init(const HwEvent& event, u64 period, void* owner);

    /// AI, this CPU: programs a counter of the pool and lets it count. False: none is free.
    bool arm(CounterPool& pool, u64 event_id);
    /// AI, the CPU it is armed on: stops the counter, folds its count, gives it back.
    void disarm(CounterPool& pool, u64 event_id);
    /// AI, the CPU it is armed on: folds what the counter has counted so far.
    void update();
    /// I, after update: begins the next period if this one is over and reloads the counter.
    /// True: a period has ended. False: an early overflow, nothing to report.
    bool next_period();

    void reset_count() { m_count = 0; }
    /// Events of a crossing that made no sample.
    void miss(u64 events) { m_missed += events; }

    [[nodiscard]] bool armed() const { return m_index != kNoCounter; }
    [[nodiscard]] i32 index() const { return m_index; }
    [[nodiscard]] void* owner() const { return m_owner; }
    [[nodiscard]] u16 event_number() const { return m_event.number; }
    [[nodiscard]] u64 count() const { return m_count; }
    [[nodiscard]] u64 armed_events() const { return m_armed_events; }
    [[nodiscard]] u64 missed_events() const { return m_missed; }
    [[nodiscard]] bool sampling() const { return m_sampling; }
    /// The period that has just ended (PERF_SAMPLE_PERIOD).
    [[nodiscard]] u64 last_period() const { return m_last_period; }
    /// Events into the current period, at the last fold.
    [[nodiscard]] u64 progress() const { return m_period - static_cast<u64>(m_left); }

private:
    u64 read() const;
    void load();

    HwEvent m_event;
    void* m_owner = nullptr;
    bool m_sampling = false;
    i32 m_index = kNoCounter; ///< counter in use; kCycleIndex: PMCCNTR_EL0
    u64 m_period = 0;
    u64 m_last_period = 0;
    i64 m_left = 0;     ///< events until the period ends; <= 0: it has ended
    u64 m_previous = 0; ///< counter value at the last fold, low 32 bits
    u64 m_count = 0;
    u64 m_armed_events = 0; ///< like m_count but never reset
    u64 m_missed = 0;
};

/// The counters of one CPU and who has them. AI, that CPU only.
class CounterPool {
public:
    /// counters: event counters to hand out, 0..31.
    void init(u32 counters) { m_counters = counters; }

    /// The cycle counter for cycle events if free, else the lowest free event counter.
    i32 allocate(HwCounter& owner, bool cycles);
    void release(i32 index);
    /// Null: nobody has it (a stale or spurious overflow flag).
    [[nodiscard]] HwCounter* owner(u32 index) const { return m_owners[index]; }
    /// Bit per counter this CPU has, the cycle counter included.
    [[nodiscard]] u64 implemented() const { return ((u64{1} << m_counters) - 1) | (u64{1} << 31); }

private:
    u32 m_counters = 0;
    HwCounter* m_owners[32] = {};
};

} // namespace perfcore::inline PERFCORE_BINDING
