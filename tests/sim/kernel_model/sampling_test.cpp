// SPDX-License-Identifier: Apache-2.0
// Sampling on the simulated machine: where and when samples fall follows from the period; what fits
// into a ring follows from Linux's space rule (one byte always stays free).
#include "tests/sim/kernel_model/world_builder.hpp"

#include "sim/scenario/records.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

using namespace perfcore;

constexpr u64 kAll = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                     PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

std::vector<Record> records(const WorldBuilder& world, const WorldResult& result,
                            const std::string& drain, const std::string& event)
{
    std::string error;
    std::vector<Record> parsed = parse_records(
        find(result, drain).bytes, world.scenario.events[world.event_index(event)].attr, error);
    EXPECT_EQ(error, "");
    return parsed;
}

PerfEventAttr& sampling(WorldBuilder& world, const std::string& name, const std::string& pmu,
                        u64 config, u64 period)
{
    PerfEventAttr& attr = world.event(name, pmu, config);
    attr.sample_period = period;
    attr.sample_type = kAll;
    return attr;
}

TEST(Sampling, APeriodEndsAtItsExactInstant)
{
    WorldBuilder world;
    sampling(world, "cycles", kLittle, kCpuCycles, 10'000);
    world.process("a")
        .on({0})
        .open("cycles", "s", "self")
        .mmap("s", "ring", 8)
        .run(1'005'000)
        .drain("ring", "recs");
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    const std::vector<Record> taken = records(world, result, "recs", "cycles");
    ASSERT_EQ(taken.size(), 100u);
    const Function& hot = world.scenario.functions[0];
    for (usize n = 0; n < taken.size(); ++n) {
        EXPECT_EQ(taken[n].time, (n + 1) * 10'000); // ns at 1 GHz
        EXPECT_EQ(taken[n].pid, 100u);
        EXPECT_EQ(taken[n].tid, 100u);
        EXPECT_EQ(taken[n].cpu, 0u);
        EXPECT_EQ(taken[n].period, 10'000u);
        EXPECT_GE(taken[n].ip, hot.address);
        EXPECT_LT(taken[n].ip, hot.address + hot.size);
        EXPECT_EQ(taken[n].misc, PERF_RECORD_MISC_USER);
    }
    EXPECT_EQ(outcome(result, "s").progress, 5'000u);
}

TEST(Sampling, ARingTakesWhatLinuxsSpaceRuleAllows)
{
    // IP, TID, TIME: records of 8 + 24 = 32 bytes; 8 pages hold 1024 of them, one byte must stay
    // free.
    WorldBuilder world;
    sampling(world, "cycles", kLittle, kCpuCycles, 1000).sample_type =
        PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    world.scenario.events[0].attr.read_format = PERF_FORMAT_LOST;
    world.process("a")
        .on({0})
        .open("cycles", "s", "self")
        .mmap("s", "ring", 8)
        .run(1'100'500)
        .read("s", "r")
        .drain("ring", "first")
        .run(10'000)
        .drain("ring", "second");
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(records(world, result, "first", "cycles").size(), 1023u);
    EXPECT_EQ(find(result, "r").words().at(1), 1100u - 1023u);
    // The next record that fits brings the LOST record with it, in one reservation.
    const std::vector<Record> second = records(world, result, "second", "cycles");
    ASSERT_EQ(second.size(), 11u);
    EXPECT_EQ(second[0].type, PERF_RECORD_LOST);
    EXPECT_EQ(second[0].lost, 77u);
    EXPECT_EQ(second[1].type, PERF_RECORD_SAMPLE);
    EXPECT_EQ(second[1].time, 1'101'000u);
}

TEST(Sampling, ThePartOfAPeriodSurvivesSlicesAndMigrations)
{
    WorldBuilder world;
    world.scenario.kernel.hz = 1000;
    sampling(world, "instructions", kLittle, kInstRetired, 700'001);
    world.process("a")
        .on({0})
        .open("instructions", "s", "self")
        .mmap("s", "ring", 1)
        .run(2'000'000)
        .affinity({1})
        .run(2'000'000)
        .affinity({0})
        .run(3'000'011)
        .drain("ring", "recs");
    world.process("b").on({0, 1}).run(5'000'000);
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    // 7000011 = 10 * 700001 + 1: the tenth period ends one instruction before the end.
    EXPECT_EQ(records(world, result, "recs", "instructions").size(), 10u);
    EXPECT_EQ(outcome(result, "s").progress, 1u);
    EXPECT_EQ(outcome(result, "s").missed_events, 0u);
}

TEST(Sampling, ACpuEventNamesWhoWasInterrupted)
{
    WorldBuilder world;
    world.scenario.kernel.hz = 1000;
    sampling(world, "cycles", kLittle, kCpuCycles, 100'000);
    auto a = world.process("a").on({1}).wait("go").run(1'950'000);
    world.thread("a2", a).on({1}).wait("go").run(1'950'000);
    world.process("m")
        .on({0})
        .open("cycles", "s", "", 1)
        .mmap("s", "ring", 8)
        .mark("go")
        .at(5 * kMs)
        .drain("ring", "recs");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    const std::vector<Record> taken = records(world, result, "recs", "cycles");
    ASSERT_EQ(taken.size(), 39u); // 3.9e6 cycles
    for (Record const& record : taken) {
        // Turns of 1 ms; a's second turn is 0.95 ms long. A sample at the very end of a turn
        // belongs to the task whose last cycle completed the period.
        const u64 before = record.time - 1;
        const bool first = before < 1'000'000 || (before >= 2'000'000 && before < 2'950'000);
        EXPECT_EQ(record.pid, 100u);
        EXPECT_EQ(record.tid, first ? 100u : 101u) << "at " << record.time;
        EXPECT_EQ(record.cpu, 1u);
    }
}

TEST(Sampling, APendingInterruptIsNotTakenForTheNextTask)
{
    // The interrupt of a's last period arrives 1 ms late, when b has run for long: the crossing
    // makes no sample and is counted as missed, and b gets none.
    WorldBuilder world;
    sampling(world, "cycles", kLittle, kCpuCycles, 100'000);
    world.process("a")
        .on({0})
        .open("cycles", "s", "self")
        .mmap("s", "ring", 1)
        .run(100'000)
        .sleep(5 * kMs)
        .drain("ring", "recs");
    world.process("b").on({0}).run(3'000'000);
    Fault latency;
    latency.kind = FaultKind::PmuIrqLatency;
    latency.cpu = 0;
    latency.time_ps = kMs;
    world.fault(latency);
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(records(world, result, "recs", "cycles").size(), 0u);
    EXPECT_EQ(outcome(result, "s").missed_events, 100'000u);
}

TEST(Sampling, UnmappingAndMappingAgainWhileItRuns)
{
    WorldBuilder world;
    sampling(world, "cycles", kLittle, kCpuCycles, 10'000);
    world.process("a").on({0}).wait("go").run(10'000'000);
    world.process("m")
        .on({1})
        .open("cycles", "s", "a")
        .mmap("s", "one", 1)
        .mark("go")
        .at(105 * kUs)
        .drain("one", "first")
        .munmap("one")
        .at(205 * kUs)
        .mmap("s", "two", 2)
        .at(305 * kUs)
        .drain("two", "second")
        .close("s");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(records(world, result, "first", "cycles").size(), 10u);
    EXPECT_EQ(records(world, result, "second", "cycles").size(), 10u);
    // The ten periods that ended with no ring to go to are not lost without a trace.
    EXPECT_GE(outcome(result, "s").missed_events, 100'000u);
}

} // namespace
} // namespace perfsim
