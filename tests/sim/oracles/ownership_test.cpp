// SPDX-License-Identifier: Apache-2.0
// Oracles "ownership" (one event per counter, one counter per event) and "owner CPU" (armed where
// the task runs, on the event's CPU, in its PMU's cluster; disarmed where it was armed).
#include "tests/sim/oracles/fake_world.hpp"

namespace perfsim {

namespace {

class OwnershipTest : public OracleTest {
protected:
    OwnershipTest()
    {
        open(event_of(kId, 0, 0));
        open(event_of(kOther, 1, 1));
        switch_to(kLittle0, task(0));
        switch_to(kLittle1, task(1));
    }
};

TEST_F(OwnershipTest, CountersAreBankedPerCpu)
{
    mark(kLittle0, Site::Armed, kId, kCounter);
    mark(kLittle1, Site::Armed, kOther, kCounter);
    mark(kLittle0, Site::Disarmed, kId, kCounter);
    mark(kLittle1, Site::Disarmed, kOther, kCounter);
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(OwnershipTest, ACounterMayBeHandedOn)
{
    mark(kLittle0, Site::Armed, kId, kCounter);
    mark(kLittle0, Site::Disarmed, kId, kCounter);
    switch_to(kLittle1, idle_task());
    switch_to(kLittle0, task(1));
    mark(kLittle0, Site::Armed, kOther, kCounter);
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(OwnershipTest, TwoEventsOnOneCounterFail)
{
    mark(kLittle0, Site::Armed, kId, kCounter);
    open(event_of(13, 1, kNone, kLittle0));
    mark(kLittle0, Site::Armed, 13, kCounter);
    EXPECT_EQ(failed("ownership"), 1u);
}

TEST_F(OwnershipTest, OneEventOnTwoCountersFails)
{
    mark(kLittle0, Site::Armed, kId, kCounter);
    mark(kLittle0, Site::Armed, kId, kCounter + 1);
    EXPECT_EQ(failed("ownership"), 1u);
}

TEST_F(OwnershipTest, DisarmingWhatIsNotArmedFails)
{
    mark(kLittle0, Site::Disarmed, kId, kCounter);
    EXPECT_EQ(failed("ownership"), 1u);
}

TEST_F(OwnershipTest, AnEventFreedWhileItsCounterRunsFails)
{
    mark(kLittle0, Site::Armed, kId, kCounter);
    tell([](Observer& o) { o.on_freed(kId); });
    EXPECT_EQ(failed("ownership"), 1u);
}

// B2, B4: disarmed on the CPU of whoever closes.
TEST_F(OwnershipTest, DisarmingOnAnotherCpuFails)
{
    mark(kLittle0, Site::Armed, kId, kCounter);
    mark(kLittle1, Site::Disarmed, kId, kCounter);
    EXPECT_EQ(failed("owner CPU"), 1u);
}

TEST_F(OwnershipTest, DisarmingAnotherCounterFails)
{
    mark(kLittle0, Site::Armed, kId, kCounter);
    mark(kLittle0, Site::Disarmed, kId, kCounter + 1);
    EXPECT_EQ(failed("owner CPU"), 1u);
}

TEST_F(OwnershipTest, ArmingWhereTheTaskIsNotRunningFails)
{
    mark(kLittle1, Site::Armed, kId, kCounter);
    EXPECT_EQ(failed("owner CPU"), 1u);
}

TEST_F(OwnershipTest, ArmingForATaskThatRunsNowhereFails)
{
    switch_to(kLittle0, idle_task());
    mark(kLittle0, Site::Armed, kId, kCounter);
    EXPECT_EQ(failed("owner CPU"), 1u);
}

// B12: a cluster's event armed on the other cluster.
TEST_F(OwnershipTest, ArmingOnAnotherClusterFails)
{
    switch_to(kLittle0, idle_task());
    switch_to(kBig0, task(0));
    mark(kBig0, Site::Armed, kId, kCounter);
    EXPECT_EQ(failed("owner CPU"), 1u);
}

// B6: the cpu argument ignored.
TEST_F(OwnershipTest, ACpuBoundEventArmedElsewhereFails)
{
    open(event_of(13, 1, kNone, kLittle1));
    mark(kLittle0, Site::Armed, 13, kCounter);
    EXPECT_EQ(failed("owner CPU"), 1u);
}

} // namespace

} // namespace perfsim
