// SPDX-License-Identifier: Apache-2.0
// Counter width (config1 `long`), CHAIN pairs and placement (Linux armv8pmu_get_event_idx).
#include "tests/core/machine.hpp"

namespace perfsim {
namespace {

PerfEventAttr counting64(u64 event = 0x08)
{
    PerfEventAttr attr = counting(event);
    attr.config1 = 1;
    return attr;
}

constexpr u64 kMany = (u64{1} << 32) + 3;

// Before PMUv3p5 a 64-bit count takes an even counter and the odd one above, which counts CHAIN.
TEST(Width, LongEventsTakeAPair)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    std::vector<i64> fds;
    for (int i = 0; i < 4; ++i)
        fds.push_back(m.open(counting64(), 0, -1));
    EXPECT_EQ(m.event(fds[0]).counter.index(), 1);
    EXPECT_EQ(m.event(fds[1]).counter.index(), 3);
    EXPECT_EQ(m.event(fds[2]).counter.index(), 5);
    EXPECT_EQ(m.event(fds[3]).state, EventState::Inactive);
    m.execute(1000);
    EXPECT_EQ(m.read(fds[0]), (std::vector<u64>{1000, 1000, 1000}));
    EXPECT_EQ(m.read(fds[3])[0], 0u);
    expect_clean(m);
}

// Report B22: 2^32 + 3 events in one slice, whether read meanwhile or not; without folding
// interrupts, which 64 bits do not need.
TEST(Width, PairCountsBeyond32BitsWithoutAnInterrupt)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(counting64(), 0, -1);
    EXPECT_EQ(m.pmu().read(PmuReg::PMINTENSET_EL1), u64{2});
    m.execute(kMany);
    EXPECT_EQ(m.read(fd)[0], kMany);
    m.execute(kMany);
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    EXPECT_EQ(m.read(fd)[0], 2 * kMany);
    expect_clean(m);
}

TEST(Width, LongCyclesPreferTheCycleCounter)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 first = m.open(counting64(0x11), 0, -1);
    const i64 second = m.open(counting64(0x11), 0, -1);
    EXPECT_EQ(m.event(first).counter.index(), 31);
    EXPECT_EQ(m.event(second).counter.index(), 1);
    m.execute(2'000'000'000, 3);
    EXPECT_EQ(m.read(first)[0], u64{6'000'000'000});
    EXPECT_EQ(m.read(second)[0], u64{6'000'000'000});
    expect_clean(m);
}

// PMUv3p5 (PMCR_EL0.LP): one counter of 64 bits.
TEST(Width, WideCountersNeedNoPair)
{
    std::vector<ScriptedMachine::Cluster> clusters = two_cpus();
    clusters[0].pmu.pmu_version = 6;
    ScriptedMachine m(clusters);
    m.boot();
    const i64 wide = m.open(counting64(), 0, -1);
    const i64 narrow = m.open(counting(), 0, -1);
    EXPECT_EQ(m.event(wide).counter.index(), 0);
    EXPECT_EQ(m.event(narrow).counter.index(), 1);
    m.execute(kMany);
    EXPECT_EQ(m.read(wide)[0], kMany);
    EXPECT_EQ(m.read(narrow)[0], kMany);
    expect_clean(m);
}

// A pair samples like any other counter.
TEST(Width, PairSamplesEveryPeriod)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    PerfEventAttr attr = sampling(1000, PERF_SAMPLE_IP);
    attr.config1 = 1;
    const i64 fd = m.open(attr, 0, -1);
    ASSERT_EQ(m.mmap(fd, 8), 0);
    m.execute(10'500);
    EXPECT_EQ(facts(m.event(fd)).samples, 10u);
    m.read(fd);
    expect_conserved(facts(m.event(fd)));
    expect_clean(m);
}

// Report B21: firmware keeps counters; groups are judged by what is left.
TEST(Width, PlacementLimitsCountersAndGroups)
{
    std::vector<ScriptedMachine::Cluster> clusters = two_cpus();
    clusters[0].placements = {{0x08, 1u << 5}, {0x04, (1u << 4) | (1u << 5)}};
    ScriptedMachine m(clusters);
    m.boot();
    const i64 only = m.open(counting(0x08), 0, -1);
    EXPECT_EQ(m.event(only).counter.index(), 5);
    const i64 waits = m.open(counting(0x08), 0, -1);
    EXPECT_EQ(m.event(waits).state, EventState::Inactive);
    EXPECT_EQ(m.open(counting(0x08), 0, -1, static_cast<i32>(only)), -22);
    EXPECT_GE(m.open(counting(0x04), 0, -1, static_cast<i32>(only)), 3);
    EXPECT_EQ(m.open(counting(0x04), 0, -1, static_cast<i32>(only)), -22);
    expect_clean(m);
}

} // namespace
} // namespace perfsim
