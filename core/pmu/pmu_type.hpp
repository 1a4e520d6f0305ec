// SPDX-License-Identifier: Apache-2.0
// PmuType: one kind of hardware PMU, i.e. one per CPU cluster. There is no "the PMU": ids are given
// at registration and an event belongs to exactly one type, as in Linux.
#pragma once

#include "core/base/result.hpp"
#include "core/hal/types.hpp"
#include "core/pmu/event_map.hpp"

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

    // Learnt from the first of its CPUs that comes up.
    bool probed = false;
    bool wide = false; ///< PMUv3p5: event counters have 64 bits
    u32 counters = 0;  ///< event counters the core may use: PMCR_EL0.N less the reserved
    CommonEvents events;
};

/// How an event is programmed on its PMU.
struct HwEvent {
    u16 number = 0;      ///< PMUv3 event number
    u64 filter = 0;      ///< PMEVTYPER<n>_EL0 filter bits
    bool cycles = false; ///< may use the dedicated cycle counter
};

/// Whether and how `pmu` counts what attr asks for (Linux armpmu_event_init). ENOENT: not this
/// PMU's; any other error is final.
Result<HwEvent> pmu_event_init(const PmuType& pmu, const PerfEventAttr& attr, i32 cpu);

} // namespace perfcore
