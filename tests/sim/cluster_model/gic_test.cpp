// SPDX-License-Identifier: Apache-2.0
// Rules: GICv3 (IHI 0069) level-sensitive PPIs are pending while their line is high and they are
// enabled; edge-triggered ones and SGIs stay pending until acknowledged.
#include "sim/cluster_model/gic.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

TEST(Gic, PmuInterruptFollowsItsLineWhileEnabled)
{
    Gic gic;
    gic.set_pmu_line(true);
    EXPECT_FALSE(gic.pending());
    gic.enable_pmu(true);
    EXPECT_TRUE(gic.pending());
    EXPECT_EQ(gic.acknowledge(), kPmuIntid);
    EXPECT_TRUE(gic.pending()) << "level: nobody has lowered the line";
    gic.set_pmu_line(false);
    EXPECT_FALSE(gic.pending());
    gic.set_pmu_line(true);
    gic.enable_pmu(false);
    EXPECT_FALSE(gic.pending());
}

TEST(Gic, CallsAndTicksStayUntilAcknowledged)
{
    Gic gic;
    gic.raise_timer();
    gic.raise_call();
    gic.raise_call();
    EXPECT_EQ(gic.acknowledge(), kCallIntid);
    EXPECT_TRUE(gic.pending());
    EXPECT_EQ(gic.acknowledge(), kTimerIntid);
    EXPECT_FALSE(gic.pending());
}

TEST(Gic, ResetForgetsEverything)
{
    Gic gic;
    gic.enable_pmu(true);
    gic.set_pmu_line(true);
    gic.raise_timer();
    gic.raise_call();
    gic.reset();
    EXPECT_FALSE(gic.pending());
    gic.set_pmu_line(true);
    EXPECT_FALSE(gic.pending()) << "enabling was forgotten too";
}

} // namespace
} // namespace perfsim
