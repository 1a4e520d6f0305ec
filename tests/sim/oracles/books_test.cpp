// SPDX-License-Identifier: Apache-2.0
// Books: value counts between Armed and Disarmed since the last Reset; running time is the armed
// time; enabled time is on-CPU time of a task event and wall time of a cpu-bound one while Enabled;
// ideal is what the target executed on CPUs of the event's PMU while Enabled
// (bug-catalogue 2.5, DESIGN 5 "Exactness").
#include "sim/kernel_model/oracles/books.hpp"
#include "tests/sim/oracles/fake_world.hpp"

namespace perfsim {

namespace {

class BooksTest : public OracleTest {
protected:
    /// Truth as an observation of an operation on the event would carry it.
    Truth truth(u32 handle = 0)
    {
        Observation observation;
        observation.code = OpCode::Ioctl;
        observation.handle = handle;
        observe(observation);
        return observation.truth;
    }
};

TEST_F(BooksTest, ValueAndRunningAreThoseOfTheArmedIntervals)
{
    open(event_of(kId, 0, 0));
    open(event_of(kOther, 1, 0));
    at_ns(100);
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Armed, kOther, kCounter);
    execute(kLittle0, 77, {kCounter});
    mark(kLittle0, Site::Disarmed, kOther, kCounter);
    mark(kLittle0, Site::Enabled, kId);
    mark(kLittle0, Site::Armed, kId, kCounter);
    at_ns(150);
    execute(kLittle0, 500, {kCounter});
    mark(kLittle0, Site::Disarmed, kId, kCounter);
    mark(kLittle0, Site::Armed, kOther, kCounter);
    at_ns(180);
    execute(kLittle0, 300, {kCounter});
    EXPECT_EQ(truth().value, 500u);
    EXPECT_EQ(truth().running_ns, 50u);
    EXPECT_EQ(truth().enabled_ns, 80u);
    EXPECT_EQ(truth().ideal, 800u);
}

TEST_F(BooksTest, ALivePartIsInTheTruthOfEveryInstant)
{
    open(event_of(kId, 0, 0));
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Enabled, kId);
    mark(kLittle0, Site::Armed, kId, kCounter);
    at_ns(40);
    execute(kLittle0, 10, {kCounter});
    EXPECT_EQ(truth().value, 10u);
    EXPECT_EQ(truth().running_ns, 40u);
    at_ns(60);
    execute(kLittle0, 5, {kCounter});
    EXPECT_EQ(truth().value, 15u);
    EXPECT_EQ(truth().running_ns, 60u);
}

TEST_F(BooksTest, SlicesOnSeveralCpusAddUp)
{
    open(event_of(kId, 0, 0));
    mark(kLittle1, Site::Enabled, kId);
    for (u32 cpu : {kLittle0, kLittle1}) {
        switch_to(cpu, task(0));
        mark(cpu, Site::Armed, kId, kCounter);
        world.ps += 10'000;
        execute(cpu, 100 + cpu, {kCounter});
        mark(cpu, Site::Disarmed, kId, kCounter);
        switch_to(cpu, idle_task());
        world.ps += 7'000; // off CPU: neither time runs
    }
    EXPECT_EQ(truth().value, 201u);
    EXPECT_EQ(truth().running_ns, 20u);
    EXPECT_EQ(truth().enabled_ns, 20u);
}

TEST_F(BooksTest, TheWrongClusterRunsEnabledTimeOnly)
{
    open(event_of(kId, 0, 0));
    mark(kBig0, Site::Enabled, kId);
    switch_to(kBig0, task(0));
    at_ns(30);
    execute(kBig0, 1000);
    EXPECT_EQ(truth().enabled_ns, 30u);
    EXPECT_EQ(truth().running_ns, 0u);
    EXPECT_EQ(truth().value, 0u);
    EXPECT_EQ(truth().ideal, 0u); // made on a CPU its PMU does not cover
}

TEST_F(BooksTest, ResetZeroesValueAndIdealButNotTimes)
{
    open(event_of(kId, 0, 0));
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Enabled, kId);
    mark(kLittle0, Site::Armed, kId, kCounter);
    at_ns(10);
    execute(kLittle0, 400, {kCounter});
    mark(kLittle0, Site::Reset, kId);
    at_ns(15);
    execute(kLittle0, 30, {kCounter});
    EXPECT_EQ(truth().value, 30u);
    EXPECT_EQ(truth().ideal, 30u);
    EXPECT_EQ(truth().enabled_ns, 15u);
    EXPECT_EQ(truth().running_ns, 15u);
}

TEST_F(BooksTest, DisabledStopsEnabledTimeAndIdeal)
{
    open(event_of(kId, 0, 0));
    switch_to(kLittle0, task(0));
    at_ns(10);
    execute(kLittle0, 1);
    mark(kLittle0, Site::Enabled, kId);
    at_ns(25);
    execute(kLittle0, 2);
    mark(kLittle0, Site::Disabled, kId);
    at_ns(90);
    execute(kLittle0, 4);
    EXPECT_EQ(truth().enabled_ns, 15u);
    EXPECT_EQ(truth().ideal, 2u);
}

TEST_F(BooksTest, TimesAreDifferencesOfFlooredInstants)
{
    open(event_of(kId, 0, 0));
    world.ps = 1'999; // 1 ns
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Enabled, kId);
    world.ps = 3'001; // 3 ns: 2 ns by the floored clock, 1 ns of picoseconds
    EXPECT_EQ(truth().enabled_ns, 2u);
}

TEST_F(BooksTest, ACpuEventIsEnabledByWallTimeWhileItsCpuIsOnline)
{
    open(event_of(kId, 0, kNone, kLittle1));
    mark(kLittle1, Site::Enabled, kId);
    at_ns(100);
    online(kLittle1, false);
    at_ns(140);
    EXPECT_EQ(truth().enabled_ns, 100u);
    online(kLittle1, true);
    at_ns(145);
    EXPECT_EQ(truth().enabled_ns, 105u);
}

TEST_F(BooksTest, ACpuEventsIdealIsWhatAnyTaskExecutesThere)
{
    open(event_of(kId, 0, kNone, kLittle1));
    mark(kLittle1, Site::Enabled, kId);
    switch_to(kLittle0, task(0));
    execute(kLittle0, 1);
    switch_to(kLittle1, task(1));
    execute(kLittle1, 2);
    switch_to(kLittle1, task(2));
    execute(kLittle1, 4);
    EXPECT_EQ(truth().ideal, 6u);
}

TEST_F(BooksTest, AnEventOfAnotherTaskIsNotTouchedByTheSwitch)
{
    open(event_of(kId, 0, 0));
    open(event_of(kOther, 1, 1));
    mark(kLittle0, Site::Enabled, kId);
    mark(kLittle0, Site::Enabled, kOther);
    switch_to(kLittle0, task(1));
    at_ns(9);
    execute(kLittle0, 50);
    EXPECT_EQ(truth(0).enabled_ns, 0u);
    EXPECT_EQ(truth(0).ideal, 0u);
    EXPECT_EQ(truth(1).enabled_ns, 9u);
    EXPECT_EQ(truth(1).ideal, 50u);
}

TEST_F(BooksTest, UserCodeIsNoIdealOfAnEventThatExcludesIt)
{
    OpenedEvent event = event_of(kId, 0, 0);
    event.attr.bits = perfcore::kAttrExcludeUser;
    open(event);
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Enabled, kId);
    execute(kLittle0, 50);
    EXPECT_EQ(truth().ideal, 0u);
}

TEST_F(BooksTest, TheOutcomeOfAnEventCarriesItsLastTruth)
{
    open(event_of(kId, 0, 0));
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Enabled, kId);
    mark(kLittle0, Site::Armed, kId, kCounter);
    at_ns(8);
    execute(kLittle0, 42, {kCounter});
    perfcore::EventFacts facts;
    facts.id = kId;
    const EventOutcome outcome = close(facts);
    EXPECT_EQ(outcome.truth.value, 42u);
    EXPECT_EQ(outcome.truth.enabled_ns, 8u);
    EXPECT_EQ(outcome.truth.running_ns, 8u);
}

} // namespace

} // namespace perfsim
