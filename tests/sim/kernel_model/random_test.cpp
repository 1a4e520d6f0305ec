// SPDX-License-Identifier: Apache-2.0
// The random schedule: any seed is a legal execution, so every oracle holds; a seed replays bit for
// bit (DESIGN 5, Determinism).
#include "tests/sim/kernel_model/world_builder.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

using namespace perfcore;

/// Everything at once: migrations, remote controls from two sides, mapping, a closing race.
WorldBuilder turmoil()
{
    WorldBuilder world;
    world.scenario.kernel.hz = 10'000;
    auto& sampled = world.event("sampled", kLittle, kInstRetired);
    sampled.sample_period = 5'000;
    sampled.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
    world.event("counted", kBig, kCpuCycles);
    auto w = world.process("w0")
                 .on({0, 1, 4})
                 .wait("go")
                 .run(40'000)
                 .affinity({5})
                 .run(30'000)
                 .affinity({0, 5})
                 .run(50'000)
                 .mark("moved")
                 .run(20'000);
    world.thread("w1", w).wait("go").run(30'000).yield().sleep(3 * kUs).run(60'000);
    world.process("m")
        .on({2, 6})
        .open("sampled", "s0", "w0")
        .open("counted", "c0", "w0")
        .open("sampled", "s1", "w1")
        .open("counted", "cpu5", "", 5)
        .mmap("s0", "r0", 1)
        .mmap("s1", "r1", 1)
        .mark("go")
        .read("s0", "")
        .ioctl("c0", PERF_EVENT_IOC_DISABLE)
        .ioctl("s0", PERF_EVENT_IOC_RESET)
        .read("cpu5", "")
        .sleep(10 * kUs)
        .read("c0", "")
        .ioctl("c0", PERF_EVENT_IOC_ENABLE)
        .drain("r0", "")
        .read("s1", "")
        .munmap("r1")
        .sleep(7 * kUs)
        .mmap("s1", "r2", 2)
        .close("s1")
        .read("s0", "")
        .drain("r0", "")
        .wait("moved")
        .read("c0", "")
        .read("s0", "")
        .read("cpu5", "");
    world.process("n")
        .on({3, 7})
        .wait("go")
        .open("counted", "n0", "w0")
        .open("sampled", "n1", "w1")
        .read("n0", "")
        .sleep(5 * kUs)
        .read("n1", "")
        .ioctl("n0", PERF_EVENT_IOC_DISABLE)
        .ioctl("n0", PERF_EVENT_IOC_ENABLE)
        .close("n1")
        .read("n0", "");
    return world;
}

TEST(Random, EverySeedPassesEveryOracle)
{
    const WorldBuilder world = turmoil();
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    for (options.seed = 0; options.seed < 300; ++options.seed) {
        const WorldResult result = world.run(rk3588(), options);
        ASSERT_EQ(failures(result), "") << "seed " << options.seed;
    }
}

TEST(Random, SeedsDiffer)
{
    const WorldBuilder world = turmoil();
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    const WorldResult one = world.run(rk3588(), options);
    options.seed = 1;
    const WorldResult other = world.run(rk3588(), options);
    EXPECT_NE(one.stats.hal_calls, other.stats.hal_calls);
}

TEST(Random, ASeedReplaysBitForBit)
{
    const WorldBuilder world = turmoil();
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    options.log = true;
    for (options.seed = 0; options.seed < 20; ++options.seed) {
        const WorldResult one = world.run(rk3588(), options);
        const WorldResult two = world.run(rk3588(), options);
        ASSERT_EQ(one.log, two.log) << "seed " << options.seed;
        ASSERT_EQ(one.stats.hal_calls, two.stats.hal_calls);
        ASSERT_EQ(one.observations.size(), two.observations.size());
        for (usize n = 0; n < one.observations.size(); ++n) {
            ASSERT_EQ(one.observations[n].bytes, two.observations[n].bytes);
            ASSERT_EQ(one.observations[n].time_ps, two.observations[n].time_ps);
        }
    }
}

TEST(Random, FaultsToo)
{
    WorldBuilder world = turmoil();
    Fault delay;
    delay.kind = FaultKind::IpiDelay;
    delay.time_ps = 2 * kUs;
    world.fault(delay);
    Fault latency;
    latency.kind = FaultKind::PmuIrqLatency;
    latency.time_ps = kUs / 2;
    world.fault(latency);
    Fault off;
    off.kind = FaultKind::CpuOff;
    off.cpu = 5;
    off.after_mark = world.mark("go");
    off.time_ps = 20 * kUs;
    off.has_time = true;
    world.fault(off);
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    for (options.seed = 0; options.seed < 200; ++options.seed) {
        const WorldResult result = world.run(rk3588(), options);
        ASSERT_EQ(failures(result), "") << "seed " << options.seed;
    }
}

// The leader's descriptor is looked up while another thread closes it: whoever lets go last
// releases it.
TEST(Random, ADescriptorIsClosedWhileItIsLookedUp)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    auto a = world.process("a").on({0}).open("cycles", "leader", "self").mark("open");
    for (u32 n = 0; n < 20; ++n)
        a.open_in_group("cycles", "g" + std::to_string(n), "leader", PERF_FLAG_FD_NO_GROUP);
    world.thread("b", a).on({1}).wait("open").read("leader", "").close("leader");
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    u32 refused = 0;
    for (options.seed = 0; options.seed < 200; ++options.seed) {
        const WorldResult result = world.run(rk3588(), options);
        ASSERT_EQ(failures(result), "") << "seed " << options.seed;
        for (Observation const& observation : result.observations)
            refused += observation.code == OpCode::Open && observation.result < 0 ? 1 : 0;
    }
    EXPECT_GT(refused, 0u) << "some close must have come in between";
}

TEST(Random, ARingIsUnmappedWhileAnotherThreadDrainsIt)
{
    WorldBuilder world;
    auto& attr = world.event("cycles", kLittle, kCpuCycles);
    attr.sample_period = 1000;
    attr.sample_type = PERF_SAMPLE_TIME;
    auto a = world.process("a")
                 .on({0})
                 .open("cycles", "s", "self")
                 .mmap("s", "ring", 1)
                 .run(20'000)
                 .mark("full")
                 .read("s", "")
                 .read("s", "")
                 .munmap("ring");
    world.thread("b", a).on({1}).wait("full").drain("ring", "d1").drain("ring", "d2");
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    u32 drained = 0;
    u32 refused = 0;
    for (options.seed = 0; options.seed < 200; ++options.seed) {
        const WorldResult result = world.run(symmetric(2), options);
        ASSERT_EQ(failures(result), "") << "seed " << options.seed;
        drained += find(result, "d1").result > 0 ? 1 : 0;
        refused += find(result, "d1").result < 0 ? 1 : 0;
    }
    EXPECT_GT(drained, 0u);
    EXPECT_GT(refused, 0u) << "some munmap must have come in between";
}

TEST(Random, TwoThreadsReadOneEvent)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    auto a = world.process("a").on({0}).open("cycles", "c", "self").mark("open");
    auto b = world.thread("b", a).on({0, 1}).wait("open");
    auto c = world.thread("c", a).on({0, 2}).wait("open");
    for (u32 n = 0; n < 10; ++n) {
        a.run(500);
        b.read("c", "");
        c.read("c", "");
    }
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    for (options.seed = 0; options.seed < 300; ++options.seed) {
        const WorldResult result = world.run(symmetric(3), options);
        ASSERT_EQ(failures(result), "") << "seed " << options.seed;
    }
}

// A cpu_off around the last thread's end, before, while and after the core shuts down.
TEST(Random, ACpuLeavesWhileTheWorldEnds)
{
    for (const bool cost : {false, true}) {
        for (u64 at = 0; at < 40; ++at) {
            WorldBuilder world;
            world.scenario.kernel.cost_model = cost;
            world.event("cycles", kLittle, kCpuCycles);
            world.process("a").on({1}).open("cycles", "c", "self").run(1000);
            Fault off;
            off.kind = FaultKind::CpuOff;
            off.cpu = 1;
            off.time_ps = kUs + (cost ? at * 200'000 : 0);
            off.has_time = true;
            world.fault(off);
            RunOptions options;
            options.schedule = ScheduleKind::Random;
            options.seed = at;
            const WorldResult result = world.run(symmetric(2), options);
            ASSERT_EQ(failures(result), "") << "seed " << at;
        }
    }
}

TEST(Random, WithTheCostModelToo)
{
    WorldBuilder world = turmoil();
    world.scenario.kernel.cost_model = true;
    world.scenario.events[0].attr.bits = 0; // user and kernel
    RunOptions options;
    options.schedule = ScheduleKind::Random;
    for (options.seed = 0; options.seed < 100; ++options.seed) {
        const WorldResult result = world.run(rk3588(), options);
        ASSERT_EQ(failures(result), "") << "seed " << options.seed;
    }
}

} // namespace
} // namespace perfsim
