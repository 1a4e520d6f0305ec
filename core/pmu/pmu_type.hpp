// SPDX-License-Identifier: Apache-2.0
// PmuType: one kind of hardware PMU, i.e. one per CPU cluster. There is no "the PMU": ids are given
// at registration and an event belongs to exactly one type, as in Linux.
#pragma once

#include "core/base/result.hpp"
#include "core/hal/types.hpp"
#include "core/pmu/event_map.hpp"
#include "core/pmu/registers.hpp"

namespace perfcore {

struct PerfEventAttr;

/// First dynamic attr.type. Linux numbers up from PERF_TYPE_MAX (6), where kprobe and uprobe come
/// first; cluster PMUs are therefore seen from 8 on, and so they are here.
inline constexpr u32 kFirstDynamicType = 8;

struct PmuType {
    u32 type = 0;               ///< attr.type of its own events
    const char* name = nullptr; ///< Linux name, "armv8_cortex_a55"
    CpuMask cpus;
    bool has_interrupt = false;
    u32 reserved_counters = 0;
    const CounterPlacement* placements = nullptr;
    u32 placement_count = 0;
    u64 mux_interval_ns = 0; ///< rotation interval (sysfs perf_event_mux_interval_ms)

    // Learnt from the first of its CPUs that comes up.
    bool probed = false;
    bool wide = false; ///< PMUv3p5: event counters have 64 bits
    u32 counters = 0;  ///< event counters the core may use: PMCR_EL0.N less the reserved
    CommonEvents events;

    /// Bit per counter the core may use, the cycle counter included.
    [[nodiscard]] constexpr u32 counter_mask() const
    {
        return ((u32{1} << counters) - 1) | (u32{1} << kCycleIndex);
    }
};

/// How an event is programmed on its PMU.
struct HwEvent {
    u16 number = 0;         ///< PMUv3 event number
    u64 filter = 0;         ///< PMEVTYPER<n>_EL0 filter bits
    bool cycles = false;    ///< may use the dedicated cycle counter
    bool wide = false;      ///< counts in 64 bits (config1 `long`), not folded from 32
    bool pair = false;      ///< wide, but event counters have 32 bits: needs a CHAIN pair
    u32 counters = ~u32{0}; ///< event counters that can count it
};

inline constexpr i32 kNoCounter = -1;

/// The counter an event gets where `used` are taken (Linux armv8pmu_get_event_idx): the cycle
/// counter for cycle events if free, else the lowest event counter it can go to. Of a CHAIN pair it
/// is the upper, odd one. kNoCounter: none is free.
i32 pick_counter(u32 implemented, u32 used, const HwEvent& event);

/// Bit per counter an event occupies that has been given `index`.
constexpr u32 occupied_by(i32 index, const HwEvent& event)
{
    const u32 bit = u32{1} << index;
    return event.pair && index != static_cast<i32>(kCycleIndex) ? bit | bit >> 1 : bit;
}

/// Whether and how `pmu` counts what attr asks for (Linux armpmu_event_init). ENOENT: not this
/// PMU's; any other error is final.
Result<HwEvent> pmu_event_init(const PmuType& pmu, const PerfEventAttr& attr, i32 cpu);

} // namespace perfcore
