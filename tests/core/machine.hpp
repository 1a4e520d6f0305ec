// SPDX-License-Identifier: Apache-2.0
// What the core tests share: machines and attrs.
#pragma once

#include "core/event/facts.hpp"
#include "core/event/subsystem.hpp"
#include "sim/host_hal/scripted_machine.hpp"

#include <gtest/gtest.h>

namespace perfsim {

/// Common events of the test PMUs: inst_retired, cpu_cycles, and one branch event each.
inline PmuConfig a55_pmu()
{
    PmuConfig pmu;
    pmu.pmceid0 =
        (1u << 0x08) | (1u << 0x11) | (1u << 0x0c) | (1u << 0x04) | (1u << 0x03) | (1u << 0x1e);
    pmu.pmceid1 = 1u << (0x21 - 0x20);
    return pmu;
}

inline PmuConfig a76_pmu()
{
    PmuConfig pmu = a55_pmu();
    pmu.pmceid0 &= ~(1u << 0x0c);
    return pmu;
}

/// Two CPUs of one kind.
inline std::vector<ScriptedMachine::Cluster> two_cpus()
{
    return {{"armv8_cortex_a55", 2, a55_pmu(), true}};
}

/// CPUs 0-1 Cortex-A55 (type 8), CPUs 2-3 Cortex-A76 (type 9).
inline std::vector<ScriptedMachine::Cluster> big_little()
{
    return {{"armv8_cortex_a55", 2, a55_pmu(), true}, {"armv8_cortex_a76", 2, a76_pmu(), true}};
}

inline PerfEventAttr counting(u64 event = 0x08)
{
    PerfEventAttr attr;
    attr.type = PERF_TYPE_RAW;
    attr.size = sizeof attr;
    attr.config = event;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return attr;
}

inline PerfEventAttr sampling(u64 period, u64 sample_type, u64 event = 0x08)
{
    PerfEventAttr attr = counting(event);
    attr.sample_period = period;
    attr.sample_type = sample_type;
    return attr;
}

/// The rule of DESIGN 4.7: nothing an armed event counted is unaccounted for.
inline void expect_conserved(const EventFacts& facts)
{
    EXPECT_EQ(facts.sample_period * (facts.samples + facts.lost) + facts.missed_events +
                  facts.progress,
              facts.armed_events);
}

/// finish() with no problem left.
inline void expect_clean(ScriptedMachine& machine)
{
    machine.finish();
    for (std::string const& problem : machine.problems())
        ADD_FAILURE() << problem;
}

} // namespace perfsim
