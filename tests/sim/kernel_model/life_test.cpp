// SPDX-License-Identifier: Apache-2.0
// A world's end: everybody leaves, or the world says who does not; and the next world is not
// touched by how the last one ended (DESIGN 5, "A failed world is abandoned").
#include "tests/sim/kernel_model/world_builder.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

WorldBuilder two_sleepers()
{
    WorldBuilder world;
    world.process("first").on({0}).run(1000).wait("never raised");
    world.process("second").on({1}).wait("also never");
    return world;
}

void expect_works()
{
    WorldBuilder world;
    world.process("a").on({0}).run(1'000'000).stamp("end");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "end").time_ps, kMs);
}

TEST(Life, ADeadlockNamesThreadsAndMarks)
{
    const WorldResult result = two_sleepers().run(symmetric(2));
    ASSERT_EQ(result.failures.size(), 1u);
    EXPECT_EQ(result.failures[0].kind, FailureKind::Liveness);
    for (const char* part : {"first (100)", "never raised", "second (200)", "also never"})
        EXPECT_NE(result.failures[0].message.find(part), std::string::npos)
            << part << " in: " << result.failures[0].message;
    expect_works();
}

TEST(Life, ThreadsThatWaitForEverAreSeenOut)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a").on({0}).open("cycles", "c", "self").run(1000).wait_for_ever();
    world.process("b").on({1}).run(2'000'000).stamp("end");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "end").time_ps, 2 * kMs);
    EXPECT_EQ(outcome(result, "c").value, 1000u) << "the exit closes what the thread had open";
}

TEST(Life, AWorldThatRunsTooLongFails)
{
    WorldBuilder world;
    world.scenario.kernel.time_limit_ps = 5 * kMs;
    world.process("a").on({0}).run(100'000'000);
    const WorldResult result = world.run(symmetric(1));
    ASSERT_EQ(result.failures.size(), 1u);
    EXPECT_EQ(result.failures[0].kind, FailureKind::Liveness);
    expect_works();
}

TEST(Life, AWorldThatCallsTooOftenFails)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    auto a = world.process("a").on({0}).open("cycles", "c", "self");
    for (u32 n = 0; n < 1000; ++n)
        a.read("c", "");
    RunOptions options;
    options.step_limit = 2000;
    const WorldResult result = world.run(symmetric(1), options);
    ASSERT_EQ(result.failures.size(), 1u);
    EXPECT_EQ(result.failures[0].kind, FailureKind::Liveness);
    expect_works();
}

// Wherever a world is cut off, nothing of it reaches the next one. The limit moves through boot,
// the programs, interrupts, cross-CPU calls and the end.
TEST(Life, AWorldMayBeAbandonedAtAnyStep)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles).sample_period = 1000;
    world.process("a").on({0}).mark("up").run(20'000).wait_for_ever();
    world.process("b")
        .on({1})
        .wait("up")
        .open("cycles", "c", "a")
        .mmap("c", "r", 1)
        .sleep(5 * kUs)
        .read("c", "")
        .drain("r", "")
        .close("c");
    RunOptions options;
    for (ScheduleKind schedule : {ScheduleKind::Ordered, ScheduleKind::Random}) {
        options.schedule = schedule;
        options.step_limit = 50'000'000;
        const WorldResult whole = world.run(symmetric(3), options);
        ASSERT_EQ(failures(whole), "");
        for (u64 limit = 1; limit < whole.stats.hal_calls; limit += 7) {
            options.step_limit = limit;
            const WorldResult cut = world.run(symmetric(3), options);
            ASSERT_EQ(cut.failures.size(), 1u);
            ASSERT_EQ(cut.failures[0].kind, FailureKind::Liveness) << failures(cut);
        }
        options.step_limit = 50'000'000;
        const WorldResult again = world.run(symmetric(3), options);
        EXPECT_EQ(failures(again), "");
        EXPECT_EQ(again.stats.hal_calls, whole.stats.hal_calls);
        EXPECT_EQ(again.stats.end_ps, whole.stats.end_ps);
    }
}

TEST(Life, AMachineTooLargeForThisProcessIsSkippedWithAReason)
{
    WorldBuilder world;
    world.process("a").run(1);
    const WorldResult result = world.run(symmetric(257));
    EXPECT_TRUE(result.skipped);
    EXPECT_NE(result.skip_reason, "");
}

TEST(Life, AnExitingThreadsEventsStayReadable)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a").on({0}).wait("go").run(12'345);
    world.process("b").on({1}).open("cycles", "c", "a").mark("go").at(kMs).read("c", "r");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "r").words().at(0), 12'345u);
}

TEST(Life, ATaskThatIsGoneCannotBeOpened)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a").on({0}).run(1000);
    world.process("b").on({1}).at(kMs).open("cycles", "c", "a");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "c").result, -3); // ESRCH, perf_event_open(2)
}

} // namespace
} // namespace perfsim
