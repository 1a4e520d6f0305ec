// SPDX-License-Identifier: Apache-2.0
// Rules of sim/kernel_model/scheduler.cpp: round robin per CPU, a slice ends at a tick, a task
// wakes on an idle CPU it may use, an idle CPU pulls waiting tasks, affinity is obeyed.
#include "tests/sim/kernel_model/world_builder.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

constexpr u64 kInsnPerMs = 1'000'000; // symmetric(): 1 GHz, one cycle per instruction

TEST(Scheduling, TwoThreadsOfOneCpuTakeTurnsAtTicks)
{
    WorldBuilder world;
    world.scenario.kernel.hz = 100; // a tick each 10 ms
    world.process("a").on({0}).run(15 * kInsnPerMs).stamp("a");
    world.process("b").on({0}).run(15 * kInsnPerMs).stamp("b");
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    // a 0-10, b 10-20, a 20-25, b 25-30.
    EXPECT_EQ(find(result, "a").time_ps, 25 * kMs);
    EXPECT_EQ(find(result, "b").time_ps, 30 * kMs);
}

TEST(Scheduling, ASliceLastsAsManyTicksAsConfigured)
{
    WorldBuilder world;
    world.scenario.kernel.hz = 1000;
    world.scenario.kernel.slice_ps = 4 * kMs;
    world.process("a").on({0}).run(6 * kInsnPerMs).stamp("a");
    world.process("b").on({0}).run(6 * kInsnPerMs).stamp("b");
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    // a 0-4, b 4-8, a 8-10, b 10-12.
    EXPECT_EQ(find(result, "a").time_ps, 10 * kMs);
    EXPECT_EQ(find(result, "b").time_ps, 12 * kMs);
}

TEST(Scheduling, AnIdleCpuPullsWaitingTasks)
{
    // Three threads, two CPUs: the third one starts where a CPU comes free at 2 ms, before any
    // tick.
    WorldBuilder world;
    world.process("a").run(2 * kInsnPerMs).stamp("a");
    world.process("b").run(3 * kInsnPerMs).stamp("b");
    world.process("c").run(2 * kInsnPerMs).stamp("c");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "a").time_ps, 2 * kMs);
    EXPECT_EQ(find(result, "b").time_ps, 3 * kMs);
    EXPECT_EQ(find(result, "c").time_ps, 4 * kMs);
}

TEST(Scheduling, TwelveThreadsShareEightCpus)
{
    WorldBuilder world;
    for (u32 n = 0; n < 12; ++n)
        world.process("t" + std::to_string(n)).run(20 * kInsnPerMs).stamp("end");
    const WorldResult result = world.run(symmetric(8));
    EXPECT_EQ(failures(result), "");
    ASSERT_EQ(result.observations.size(), 12u);
    u64 last = 0;
    for (Observation const& end : result.observations)
        last = std::max(last, end.time_ps);
    // No CPU idles while a task waits: 12 * 20 ms of work on 8 CPUs takes at least 30 ms, and less
    // than the 40 ms of two rounds.
    EXPECT_GE(last, 30 * kMs);
    EXPECT_LT(last, 40 * kMs);
}

TEST(Scheduling, AffinityIsObeyedEverywhere)
{
    WorldBuilder world;
    auto a = world.process("a").on({2, 3});
    for (u32 cpu : {1u, 3u, 0u, 2u}) {
        a.affinity({cpu}).run(1000).stamp("on " + std::to_string(cpu));
        a.sleep(kMs).stamp("woken on " + std::to_string(cpu));
    }
    const WorldResult result = world.run(symmetric(4));
    EXPECT_EQ(failures(result), "");
    for (u32 cpu = 0; cpu < 4; ++cpu) {
        EXPECT_EQ(find(result, "on " + std::to_string(cpu)).cpu, cpu);
        EXPECT_EQ(find(result, "woken on " + std::to_string(cpu)).cpu, cpu);
    }
}

TEST(Scheduling, AWokenTaskPrefersTheCpuItRanOn)
{
    WorldBuilder world;
    auto a = world.process("a").affinity({3}).run(1000).affinity({0, 1, 2, 3});
    a.sleep(kMs).stamp("woken");
    const WorldResult result = world.run(symmetric(4));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "woken").cpu, 3u);
}

TEST(Scheduling, YieldLetsTheOtherThreadRun)
{
    WorldBuilder world;
    world.process("a").on({0}).stamp("a1").yield().stamp("a2");
    world.process("b").on({0}).stamp("b");
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    ASSERT_EQ(result.observations.size(), 3u);
    EXPECT_EQ(result.observations[0].name, "a1");
    EXPECT_EQ(result.observations[1].name, "b");
    EXPECT_EQ(result.observations[2].name, "a2");
}

TEST(Scheduling, MarksJoinThreads)
{
    WorldBuilder world;
    world.process("a").on({0}).run(kInsnPerMs).mark("go").wait("back").stamp("a");
    world.process("b").on({1}).wait("go").stamp("b").run(2 * kInsnPerMs).mark("back");
    world.process("c").on({2}).wait("go").wait("go").stamp("c");
    const WorldResult result = world.run(symmetric(3));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "b").time_ps, kMs);
    EXPECT_EQ(find(result, "c").time_ps, kMs) << "a mark stays raised";
    EXPECT_EQ(find(result, "a").time_ps, 3 * kMs);
}

// Rule (DESIGN 5 and issue "Done when"): idle CPUs add nothing, so the HAL calls and baton switches
// of the same work do not depend on how many CPUs stand by.
TEST(Scheduling, IdleCpusAddNothing)
{
    const auto cost = [](u32 cpus, u64 milliseconds) {
        WorldBuilder world;
        world.event("cycles", kLittle, kCpuCycles).sample_period = 10'000;
        world.process("a")
            .on({0})
            .open("cycles", "c", "self")
            .mmap("c", "r", 8)
            .run(milliseconds * kInsnPerMs);
        const WorldResult result = world.run(symmetric(cpus));
        EXPECT_EQ(failures(result), "");
        return result.stats;
    };
    // The difference of a long and a short run leaves boot and end out.
    const auto marginal = [&](u32 cpus) {
        const WorldStats small = cost(cpus, 10);
        const WorldStats large = cost(cpus, 50);
        return std::vector<u64>{large.hal_calls - small.hal_calls, large.switches - small.switches,
                                large.interrupts - small.interrupts};
    };
    const std::vector<u64> two = marginal(2);
    EXPECT_EQ(two[2], 4'000u + 10u)
        << "40 ms: one interrupt per 10^4 cycles, and 10 ticks at 250 Hz";
    EXPECT_EQ(marginal(64), two);
    EXPECT_EQ(marginal(256), two);
}

} // namespace
} // namespace perfsim
