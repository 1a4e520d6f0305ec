// SPDX-License-Identifier: Apache-2.0
// Oracles "truth" and "times": a read returns the machine's value, enabled and running time of the
// instant at which the core took them; running <= enabled; neither goes back.
#include "tests/sim/oracles/fake_world.hpp"

namespace perfsim {

namespace {

using namespace perfcore;

class TruthTest : public OracleTest {
protected:
    /// A task event that has been enabled for 60 ns, armed for 50 of them, and counted 500.
    void counted_500(u64 read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                       PERF_FORMAT_TOTAL_TIME_RUNNING)
    {
        OpenedEvent event = event_of(kId, 0, 0);
        event.attr.read_format = read_format;
        open(event);
        switch_to(kLittle0, task(0));
        mark(kLittle0, Site::Enabled, kId);
        at_ns(10);
        mark(kLittle0, Site::Armed, kId, kCounter);
        at_ns(60);
        execute(kLittle0, 500, {kCounter});
    }
    perfcore::EventFacts last(u64 count, u64 enabled, u64 running) const
    {
        perfcore::EventFacts facts;
        facts.id = kId;
        facts.count = count;
        facts.armed_events = 500;
        facts.enabled = enabled;
        facts.running = running;
        return facts;
    }
};

TEST_F(TruthTest, TheMachinesValuesPass)
{
    counted_500();
    read(0, {500, 60, 50});
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(TruthTest, AnotherValueFails)
{
    counted_500();
    read(0, {501, 60, 50});
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, AnotherEnabledTimeFails)
{
    counted_500();
    read(0, {500, 59, 50});
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, AnotherRunningTimeFails)
{
    counted_500();
    read(0, {500, 60, 60});
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, ARoundedTimeFails)
{
    counted_500();
    read(0, {500, 60, 51});
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, WithoutTimesOnlyTheValueIsJudged)
{
    counted_500(0);
    read(0, {500});
    EXPECT_EQ(failed(), 0u) << messages();
    read(0, {499});
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, AGroupReadHasNumberAndTimesBeforeTheValue)
{
    counted_500(PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
                PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID);
    read(0, {1, 60, 50, 500, kId});
    EXPECT_EQ(failed(), 0u) << messages();
    read(0, {1, 500, 60, 50, kId});
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, ValuesTheCoreNeverTookFail)
{
    counted_500();
    read(0, {500, 60, 50}, false);
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, TheInstantIsThatOfTheTakingNotOfTheReturn)
{
    counted_500();
    tell([](Observer& o) { o.on_operation(task(2)); });
    mark(kLittle0, Site::Read, kId, kId);
    at_ns(90); // the task goes on before the reader returns
    execute(kLittle0, 7, {kCounter});
    Observation observation;
    observation.code = OpCode::Read;
    observation.handle = 0;
    const u64 words[] = {500, 60, 50};
    const auto* bytes = reinterpret_cast<const perfcore::u8*>(words);
    observation.bytes.assign(bytes, bytes + sizeof words);
    observation.result = sizeof words;
    observe(observation);
    EXPECT_EQ(failed(), 0u) << messages();
    EXPECT_EQ(observation.truth.value, 500u);
    EXPECT_EQ(observation.truth.enabled_ns, 60u);
}

TEST_F(TruthTest, AFailedReadIsNotJudged)
{
    counted_500();
    Observation observation;
    observation.code = OpCode::Read;
    observation.handle = 0;
    observation.result = -28; // ENOSPC
    observe(observation);
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(TruthTest, AfterResetTheValueStartsAgainAndTimesGoOn)
{
    counted_500();
    read(0, {500, 60, 50});
    mark(kLittle0, Site::Reset, kId);
    at_ns(70);
    execute(kLittle0, 20, {kCounter});
    read(0, {20, 70, 60});
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(TruthTest, WithACostModelTimesMayDifferButTheValueMayNot)
{
    world.program.kernel.cost_model = true;
    start();
    counted_500();
    read(0, {500, 58, 49});
    EXPECT_EQ(failed(), 0u) << messages();
    // The event counts kernel code too: what runs between the counter's read and the mark is
    // allowed.
    read(0, {500 - 256, 60, 50});
    EXPECT_EQ(failed(), 0u) << messages();
    read(0, {500 - 257, 60, 50});
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, RunningBeyondEnabledFails)
{
    world.program.kernel.cost_model = true; // where times are not compared with the books
    start();
    counted_500();
    read(0, {500, 50, 60});
    EXPECT_EQ(failed("times"), 1u);
}

TEST_F(TruthTest, EnabledTimeThatGoesBackFails)
{
    world.program.kernel.cost_model = true;
    start();
    counted_500();
    read(0, {500, 60, 50});
    EXPECT_EQ(failed(), 0u) << messages();
    read(0, {500, 59, 50});
    EXPECT_EQ(failed("times"), 1u);
}

TEST_F(TruthTest, RunningTimeThatGoesBackFails)
{
    world.program.kernel.cost_model = true;
    start();
    counted_500();
    read(0, {500, 60, 50});
    read(0, {500, 60, 49});
    EXPECT_EQ(failed("times"), 1u);
}

TEST_F(TruthTest, TheLastStateOfAnEventIsTheMachines)
{
    counted_500();
    close(last(500, 60, 50));
    EXPECT_EQ(failed(), 0u) << messages();
}

// B11: the final part of a slice lost.
TEST_F(TruthTest, AFinalPartialSliceThatIsLostFails)
{
    counted_500();
    close(last(400, 60, 50));
    EXPECT_EQ(failed("truth"), 1u);
}

TEST_F(TruthTest, LastTimesThatDifferFail)
{
    counted_500();
    close(last(500, 61, 50));
    EXPECT_EQ(failed("times"), 1u);
    close(last(500, 60, 49));
    EXPECT_EQ(failed("times"), 2u);
}

TEST_F(TruthTest, AtTheEndRunningBeyondEnabledFailsEvenWithACostModel)
{
    world.program.kernel.cost_model = true;
    start();
    counted_500();
    close(last(500, 50, 60));
    EXPECT_EQ(failed("times"), 1u);
}

} // namespace

} // namespace perfsim
