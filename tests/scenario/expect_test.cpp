// SPDX-License-Identifier: Apache-2.0
// The expectation language on made-up observations.
#include "sim/scenario/expect.hpp"
#include "sim/scenario/expect_parse.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

using namespace perfcore;

struct Made {
    Scenario scenario;
    WorldResult result;

    Made()
    {
        EventSpec spec;
        spec.name = "ins";
        spec.attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
        spec.attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
        scenario.events.push_back(spec);
        scenario.handles.push_back({"c", 0});
        scenario.handles.push_back({"bad", 0});
        scenario.rings.push_back({"ring", 0});
        scenario.processes.push_back({"p", {0, 1}, true});
        Thread thread;
        thread.name = "w0";
        Op read;
        read.code = OpCode::Read;
        read.as = "r0";
        read.handle = 0;
        thread.run.push_back(read);
        Op drain;
        drain.code = OpCode::Drain;
        drain.as = "recs";
        drain.ring = 0;
        thread.run.push_back(drain);
        scenario.threads.push_back(thread);
        thread = Thread{};
        thread.name = "w1";
        scenario.threads.push_back(thread);

        Observation open_bad;
        open_bad.code = OpCode::Open;
        open_bad.handle = 1;
        open_bad.result = -2;
        result.observations.push_back(open_bad);
        Observation observed;
        observed.code = OpCode::Read;
        observed.name = "r0";
        observed.handle = 0;
        observed.result = 16;
        observed.truth.value = 1000;
        put(observed, {1000, 77});
        result.observations.push_back(observed);
        EventOutcome outcome;
        outcome.handle = 0;
        outcome.truth.value = 5000;
        outcome.samples = 3;
        result.events.push_back(outcome);
    }

    static void put(Observation& observation, const std::vector<u64>& words)
    {
        for (u64 word : words)
            for (u32 byte = 0; byte < sizeof word; ++byte)
                observation.bytes.push_back(static_cast<u8>(word >> (8 * byte)));
    }

    void add_drain(const std::vector<u64>& words)
    {
        Observation drain;
        drain.code = OpCode::Drain;
        drain.name = "recs";
        drain.handle = 0;
        put(drain, words);
        result.observations.push_back(drain);
    }

    bool holds(const std::string& text)
    {
        EXPECT_EQ(check_expectation(text, scenario), "") << text;
        scenario.expect = {{text, Scope::Always, {3, 4}}};
        result.failures.clear();
        evaluate(scenario, result, Scope::Ordered);
        return result.failures.empty();
    }
};

constexpr u64 header(u64 type, u64 size)
{
    return type | (size << 48);
}

TEST(Expect, ReadsAndErrnos)
{
    Made made;
    EXPECT_TRUE(made.holds("bad.errno == ENOENT"));
    EXPECT_TRUE(made.holds("bad.ret == -2"));
    EXPECT_FALSE(made.holds("bad.errno == EINVAL"));
    EXPECT_TRUE(made.holds("r0.value == 1000"));
    EXPECT_TRUE(made.holds("r0.enabled == 77"));
    EXPECT_TRUE(made.holds("r0.enabled < r0.value"));
    EXPECT_FALSE(made.holds("r0.enabled >= r0.value"));
    // Not in the read_format: nothing observed, so nothing holds.
    EXPECT_FALSE(made.holds("r0.running >= 0"));
    EXPECT_TRUE(made.holds("c.samples == 3"));
    EXPECT_TRUE(made.holds("w1.tid == 101"));
    EXPECT_TRUE(made.holds("w1.pid == 100"));
}

TEST(Expect, WithinPercent)
{
    Made made;
    EXPECT_TRUE(made.holds("r0.value == 1050 within 5%"));
    EXPECT_FALSE(made.holds("r0.value == 1053 within 5%"));
    EXPECT_TRUE(made.holds("r0.value == 1000 within 0%"));
}

// truth() is that of the read's instant beside a read of the same event, else the last.
TEST(Expect, TruthHasAnInstant)
{
    Made made;
    EXPECT_TRUE(made.holds("r0.value == truth(c).value"));
    EXPECT_TRUE(made.holds("truth(c).value == 5000"));
}

TEST(Expect, DrainsAddUpAndEveryValueMustHold)
{
    Made made;
    EXPECT_FALSE(made.holds("recs.sample.tid == 100"));
    made.add_drain({header(9, 24), (u64{100} << 32) | 100, 5});
    made.add_drain({header(2, 24), 1, 7, header(9, 24), (u64{100} << 32) | 100, 6});
    EXPECT_TRUE(made.holds("recs.sample.count == 2"));
    EXPECT_TRUE(made.holds("recs.sample.tid == w0.tid"));
    EXPECT_TRUE(made.holds("recs.lost == 7"));
    EXPECT_TRUE(made.holds("recs.lost.count == 1"));
    EXPECT_FALSE(made.holds("recs.sample.time == 5"));
    made.add_drain({header(9, 24), (u64{101} << 32) | 100, 8});
    EXPECT_FALSE(made.holds("recs.sample.tid == w0.tid"));
}

TEST(Expect, ScopesNest)
{
    Made made;
    made.scenario.expect = {{"r0.value == 1", Scope::Ordered, {}},
                            {"r0.value == 2", Scope::Simulation, {}},
                            {"r0.value == 3", Scope::Always, {}}};
    evaluate(made.scenario, made.result, Scope::Always);
    EXPECT_EQ(made.result.failures.size(), 1u);
    evaluate(made.scenario, made.result, Scope::Simulation);
    EXPECT_EQ(made.result.failures.size(), 3u);
    evaluate(made.scenario, made.result, Scope::Ordered);
    EXPECT_EQ(made.result.failures.size(), 6u);
}

TEST(Expect, MalformedTextIsRefused)
{
    Made made;
    for (const char* bad : {"",
                            "r0.value",
                            "r0.value ==",
                            "r0.value = 1",
                            "r0.value == 1 within",
                            "r0 == 1",
                            "r0.value == 1 within x%",
                            "r0.value < 1 within 5%",
                            "nobody.value == 1",
                            "r0.vlue == 1",
                            "truth(c == 1",
                            "truth(r0).value == 1",
                            "sum(c).value == 1",
                            "recs.sample == 1",
                            "recs.sample.tidd == 1",
                            "r0.value.more == 1",
                            ".value == 1",
                            "r0. == 1",
                            "r0.value == 99999999999999999999",
                            "ideal(c).enabled == 1"})
        EXPECT_NE(check_expectation(bad, made.scenario), "") << bad;
}

} // namespace
} // namespace perfsim
