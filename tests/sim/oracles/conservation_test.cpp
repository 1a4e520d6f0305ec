// SPDX-License-Identifier: Apache-2.0
// Oracle "conservation" (DESIGN rule 7): for a constant period
//   period * (samples + lost) + missed_events + progress == events counted while armed,
// and the core's total is the machine's. Also the bound on retries of remote operations.
#include "tests/sim/oracles/fake_world.hpp"

namespace perfsim {

namespace {

class ConservationTest : public OracleTest {
protected:
    /// A sampling event whose counters counted 5300 events.
    void counted_5300()
    {
        OpenedEvent event = event_of(kId, 0, 0);
        event.attr.sample_period = kPeriod;
        open(event);
        switch_to(kLittle0, task(0));
        mark(kLittle0, Site::Enabled, kId);
        mark(kLittle0, Site::Armed, kId, kCounter);
        execute(kLittle0, 5300, {kCounter});
        mark(kLittle0, Site::Reset, kId); // RESET does not touch the law
    }
    perfcore::EventFacts facts(u64 samples, u64 lost, u64 missed, u64 progress, u64 armed) const
    {
        perfcore::EventFacts facts;
        facts.id = kId;
        facts.sample_period = kPeriod;
        facts.samples = samples;
        facts.lost = lost;
        facts.missed_events = missed;
        facts.progress = progress;
        facts.armed_events = armed;
        return facts;
    }
};

TEST_F(ConservationTest, EveryEventAccountedForPasses)
{
    counted_5300();
    close(facts(5, 0, 0, 300, 5300));
    close(facts(3, 2, 0, 300, 5300));
    close(facts(3, 1, 1050, 250, 5300));
    EXPECT_EQ(failed("conservation"), 0u) << messages();
}

TEST_F(ConservationTest, ALostSampleThatNobodyCountsFails)
{
    counted_5300();
    close(facts(4, 0, 0, 300, 5300));
    EXPECT_EQ(failed("conservation"), 1u);
}

// L3: the remainder of a period dropped at each slice.
TEST_F(ConservationTest, ADroppedRemainderFails)
{
    counted_5300();
    close(facts(5, 0, 0, 0, 5300));
    EXPECT_EQ(failed("conservation"), 1u);
}

TEST_F(ConservationTest, ASampleTooManyFails)
{
    counted_5300();
    close(facts(6, 0, 0, 300, 5300));
    EXPECT_EQ(failed("conservation"), 1u);
}

TEST_F(ConservationTest, ATotalThatIsNotTheMachinesFailsThoughTheLawHolds)
{
    counted_5300();
    close(facts(5, 0, 0, 200, 5200));
    EXPECT_EQ(failed("conservation"), 1u);
}

TEST_F(ConservationTest, ACountingEventsTotalIsComparedToo)
{
    counted_5300();
    perfcore::EventFacts counting = facts(0, 0, 0, 0, 5300);
    counting.sample_period = 0;
    close(counting);
    EXPECT_EQ(failed(), 0u) << messages();
    counting.armed_events = 5299;
    close(counting);
    EXPECT_EQ(failed("conservation"), 1u);
}

TEST_F(ConservationTest, RetriesWithoutEndAreALivenessFailure)
{
    open(event_of(kId, 0, 0));
    for (u64 attempt = 1; attempt <= 8; ++attempt)
        mark(kLittle0, Site::RemoteRetry, kId, attempt);
    EXPECT_EQ(failed(), 0u) << messages();
    mark(kLittle0, Site::RemoteRetry, kId, 1'000'000);
    ASSERT_EQ(failed("remote retries"), 1u);
    EXPECT_EQ(world.failures[0].kind, FailureKind::Liveness);
}

} // namespace

} // namespace perfsim
