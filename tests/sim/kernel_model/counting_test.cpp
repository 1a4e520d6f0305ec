// SPDX-License-Identifier: Apache-2.0
// The core counts on the simulated machine. Values follow from instructions and cycles per
// instruction (one each here), times from the frequency; rules are perf_event_open(2)'s.
#include "tests/sim/kernel_model/world_builder.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

constexpr i64 kEnoent = 2;
constexpr i64 kEbadf = 9;

TEST(Counting, AThreadCountsItself)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.event("instructions", kLittle, kInstRetired);
    world.process("a")
        .on({0})
        .open("cycles", "c", "self")
        .open("instructions", "i", "self")
        .run(1'800'000)
        .read("c", "rc")
        .read("i", "ri");
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    const std::vector<u64> expected = {1'800'000, 1'000'000, 1'000'000}; // 1 ms
    EXPECT_EQ(find(result, "rc").words(), expected);
    EXPECT_EQ(find(result, "ri").words(), expected);
}

TEST(Counting, AnotherThreadIsReadWhileItRuns)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a").on({0}).wait("go").run(18'000'000);
    world.process("b")
        .on({5})
        .open("cycles", "c", "a")
        .mark("go")
        .at(500 * kUs)
        .read("c", "r1")
        .at(2 * kMs)
        .read("c", "r2");
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    // The call interrupts user code at an instruction boundary: the first one at or after the read.
    EXPECT_EQ(find(result, "r1").words().at(0), 900'000u);
    EXPECT_EQ(find(result, "r2").words(), (std::vector<u64>{3'600'000, 2'000'000, 2'000'000}));
}

TEST(Counting, EachClusterCountsOnItsOwnPmuOnly)
{
    WorldBuilder world;
    world.event("little", kLittle, kInstRetired);
    world.event("big", kBig, kInstRetired);
    world.process("a")
        .on({0})
        .open("little", "l", "self")
        .open("big", "b", "self")
        .run(1'800'000)
        .affinity({6})
        .run(2'400'000)
        .affinity({1})
        .run(1'800'000)
        .read("l", "rl")
        .read("b", "rb");
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    // 1 ms on each of A55, A76, A55; enabled all the time, running on the own cluster.
    EXPECT_EQ(find(result, "rl").words(), (std::vector<u64>{3'600'000, 3'000'000, 2'000'000}));
    EXPECT_EQ(find(result, "rb").words(), (std::vector<u64>{2'400'000, 3'000'000, 1'000'000}));
    EXPECT_EQ(outcome(result, "l").truth.ideal, 3'600'000u);
}

TEST(Counting, DisableEnableAndReset)
{
    using namespace perfcore;
    WorldBuilder world;
    world.event("instructions", kLittle, kInstRetired).bits |= kAttrDisabled;
    world.process("a")
        .on({0})
        .open("instructions", "i", "self")
        .run(1000)
        .ioctl("i", PERF_EVENT_IOC_ENABLE)
        .run(2000)
        .ioctl("i", PERF_EVENT_IOC_DISABLE)
        .run(4000)
        .ioctl("i", PERF_EVENT_IOC_ENABLE)
        .run(8000)
        .read("i", "r1")
        .ioctl("i", PERF_EVENT_IOC_RESET)
        .run(16'000)
        .read("i", "r2");
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "r1").words(), (std::vector<u64>{10'000, 10'000, 10'000})); // 1 ns each
    // RESET clears the count, not the times.
    EXPECT_EQ(find(result, "r2").words(), (std::vector<u64>{16'000, 26'000, 26'000}));
}

TEST(Counting, ACpuEventCountsWhoeverRunsThere)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a").on({1}).wait("go").run(1'000'000);
    world.process("b").on({1}).wait("go").run(1'000'000);
    world.process("elsewhere").on({2}).wait("go").run(5'000'000);
    world.process("m").on({0}).open("cycles", "c", "", 1).mark("go").at(10 * kMs).read("c", "r");
    const WorldResult result = world.run(symmetric(3));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "r").words(), (std::vector<u64>{2'000'000, 10'000'000, 10'000'000}));
}

TEST(Counting, WhatTheKernelRefuses)
{
    WorldBuilder world;
    world.event("little", kLittle, kInstRetired);
    world.event("unknown", "armv8_nothing", kInstRetired);
    world.process("a")
        .on({0})
        .open("little", "wrong cluster", "", 5)
        .open("unknown", "no pmu", "self")
        .read("wrong cluster", "r")
        .close("no pmu");
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "wrong cluster").result, -kEnoent);
    EXPECT_EQ(find(result, "no pmu").result, -kEnoent);
    EXPECT_EQ(find(result, "r").result, -kEbadf);
}

TEST(Counting, AGroupLeaderThatIsNotOpenIsABadDescriptor)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a")
        .on({0})
        .open_in_group("cycles", "early", "leader", 0)
        .open("cycles", "leader", "self")
        .open_in_group("cycles", "apart", "leader", perfcore::PERF_FLAG_FD_NO_GROUP)
        .close("leader")
        .open_in_group("cycles", "late", "leader", perfcore::PERF_FLAG_FD_NO_GROUP);
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "early").result, -kEbadf);
    EXPECT_GE(find(result, "apart").result, 0);
    EXPECT_EQ(find(result, "late").result, -kEbadf);
}

TEST(Counting, MoreEventsThanCountersWaitTheirTurn)
{
    // Six event counters and the cycle counter: the seventh instruction event gets none.
    WorldBuilder world;
    world.event("instructions", kLittle, kInstRetired);
    auto a = world.process("a").on({0});
    for (u32 n = 0; n < 7; ++n)
        a.open("instructions", "i" + std::to_string(n), "self");
    a.run(1000);
    for (u32 n = 0; n < 7; ++n)
        a.read("i" + std::to_string(n), "r" + std::to_string(n));
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    for (u32 n = 0; n < 6; ++n)
        EXPECT_EQ(find(result, "r" + std::to_string(n)).words(),
                  (std::vector<u64>{1000, 1000, 1000}));
    EXPECT_EQ(find(result, "r6").words(), (std::vector<u64>{0, 1000, 0}));
    EXPECT_EQ(outcome(result, "i6").truth.ideal, 1000u);
}

TEST(Counting, ThirtyTwoBitCountersAreFoldedAtHalfRange)
{
    // 10^10 instructions are more than twice the range of a 32-bit counter.
    WorldBuilder world;
    world.event("instructions", kLittle, kInstRetired);
    world.process("a").on({0}).open("instructions", "i", "self").run(10'000'000'000).read("i", "r");
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "r").words().at(0), 10'000'000'000u);
}

TEST(Counting, TimeSharingSplitsTheTimesOfATaskEvent)
{
    WorldBuilder world;
    world.scenario.kernel.hz = 1000;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a")
        .on({0})
        .open("cycles", "c", "self")
        .run(2'500'000)
        .read("c", "r")
        .stamp("end");
    world.process("b").on({0}).run(2'500'000);
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    // Enabled while the task is on a CPU, as Linux counts it.
    EXPECT_EQ(find(result, "r").words(), (std::vector<u64>{2'500'000, 2'500'000, 2'500'000}));
    EXPECT_EQ(find(result, "end").time_ps, 4'500 * kUs); // a b a b a, 1 ms each but the last
}

} // namespace
} // namespace perfsim
