// SPDX-License-Identifier: Apache-2.0
// Rules of sim/cluster_model/phase.hpp: position k is reached at anchor + ceil(k * num * 10^12 /
// (den * frequency)) ps, and event e has happened floor(k * rate(e)) times at k.
#include "sim/cluster_model/phase.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

constexpr u32 kInstRetired = 0x08;
constexpr u32 kCpuCycles = 0x11;
constexpr u32 kL1dCache = 0x04;
constexpr u32 kUnlisted = 0x21;

ClusterConfig cluster(const char* core_type, u64 hz)
{
    ClusterConfig config;
    config.core_type = core_type;
    config.frequency_hz = hz;
    return config;
}

Function function()
{
    Function made;
    made.cpi = {{"little", {6, 5}}, {"big", {1, 2}}};
    made.rates = {{kL1dCache, {1, 4}}};
    made.address = 0x40'0000;
    made.size = 64;
    return made;
}

TEST(Phase, InstantsFollowTheCoreTypesCyclesPerInstruction)
{
    const Function code = function();
    Phase phase(code, 3'000'000);
    phase.resume(cluster("little", 1'800'000'000), 1000);
    // 6/5 cycles each at 1.8 GHz: 1.5e6 instructions = 1.8e6 cycles = 1 ms.
    EXPECT_EQ(phase.instant(1'500'000), 1000u + 1'000'000'000u);
    // One instruction: ceil(6e12 / (5 * 1.8e9)) = ceil(666.67) = 667 ps.
    EXPECT_EQ(phase.instant(1), 1000u + 667u);
    EXPECT_EQ(phase.instant(0), 1000u);
}

TEST(Phase, ACoreTypeTheFunctionDoesNotListTakesOneCyclePerInstruction)
{
    const Function code = function();
    Phase phase(code, 100);
    phase.resume(cluster("other", 1'000'000'000), 0);
    EXPECT_EQ(phase.instant(100), 100'000u);
}

TEST(Phase, PositionAndBoundaryAreTheTwoSidesOfAnInstant)
{
    const Function code = function();
    Phase phase(code, 10);
    phase.resume(cluster("other", 1'000'000'000), 500); // one instruction per 1000 ps
    EXPECT_EQ(phase.position_at(0), 0u);
    EXPECT_EQ(phase.position_at(3499), 2u);
    EXPECT_EQ(phase.position_at(3500), 3u);
    EXPECT_EQ(phase.boundary_at(3499), 3u);
    EXPECT_EQ(phase.boundary_at(3500), 3u);
    EXPECT_EQ(phase.boundary_at(3501), 4u);
    EXPECT_EQ(phase.position_at(1'000'000), 10u);
    EXPECT_EQ(phase.boundary_at(1'000'000), 10u);
}

TEST(Phase, InstantAndPositionAreInverseOnUnevenRatios)
{
    Function code = function();
    code.cpi["odd"] = {7, 3};
    Phase phase(code, 5000);
    phase.resume(cluster("odd", 1'700'000'001), 12345);
    for (u64 k = 0; k <= 5000; ++k) {
        const u64 at = phase.instant(k);
        ASSERT_EQ(phase.position_at(at), k);
        ASSERT_EQ(phase.boundary_at(at), k);
        if (k > 0) {
            ASSERT_EQ(phase.position_at(at - 1), k - 1);
            ASSERT_EQ(phase.boundary_at(at - 1), k);
        }
    }
}

TEST(Phase, CountsAreFloorsOfTheRateAndUnlistedEventsDoNotHappen)
{
    const Function code = function();
    Phase phase(code, 1000);
    phase.resume(cluster("little", 1'800'000'000), 0);
    EXPECT_EQ(phase.events_until(kInstRetired, 999), 999u);
    EXPECT_EQ(phase.events_until(kCpuCycles, 999), 1198u); // floor(999 * 6 / 5)
    EXPECT_EQ(phase.events_until(kL1dCache, 999), 249u);
    EXPECT_EQ(phase.events_until(kUnlisted, 999), 0u);
}

TEST(Phase, SplittingAnywhereAddsUp)
{
    const Function code = function();
    for (u64 first = 0; first <= 100; ++first) {
        Phase phase(code, 100);
        phase.resume(cluster("little", 1'800'000'000), 0);
        for (u32 event : {kInstRetired, kCpuCycles, kL1dCache}) {
            Phase whole(code, 100);
            whole.resume(cluster("little", 1'800'000'000), 0);
            Phase part = phase;
            const u64 before = part.events_until(event, first);
            part.advance_to(first);
            ASSERT_EQ(before + part.events_until(event, 100), whole.events_until(event, 100))
                << "event " << event << " split at " << first;
        }
    }
}

TEST(Phase, ResumingLaterShiftsWhatIsLeftByTheTimeAway)
{
    const Function code = function();
    Phase phase(code, 1'000'000);
    const ClusterConfig little = cluster("little", 1'800'000'000);
    phase.resume(little, 0);
    const u64 stop = phase.instant(333'333);
    const u64 end = phase.instant(1'000'000);
    phase.advance_to(333'333);
    phase.resume(little, stop + 7'777);
    EXPECT_EQ(phase.instant(333'333), stop + 7'777);
    EXPECT_EQ(phase.instant(1'000'000), end + 7'777);
}

TEST(Phase, OnAnotherCoreTypeTheRestRunsAtThatOnesPace)
{
    const Function code = function();
    Phase phase(code, 2'000'000);
    phase.resume(cluster("little", 1'800'000'000), 0);
    phase.advance_to(1'000'000);
    phase.resume(cluster("big", 2'000'000'000), 5'000'000);
    EXPECT_EQ(phase.instant(1'000'000), 5'000'000u);
    // 10^6 instructions at 1/2 cycle and 2 GHz: 250 us.
    EXPECT_EQ(phase.instant(2'000'000), 5'000'000u + 250'000'000u);
    EXPECT_EQ(phase.events_until(kCpuCycles, 2'000'000), 500'000u);
}

TEST(Phase, PositionAfterIsTheFirstPositionWithThatManyMoreEvents)
{
    const Function code = function();
    Phase phase(code, 1000);
    phase.resume(cluster("little", 1'800'000'000), 0);
    phase.advance_to(123);
    for (u32 event : {kInstRetired, kCpuCycles, kL1dCache})
        for (u64 n = 1; n <= phase.events_until(event, 1000); ++n) {
            const u64 k = phase.position_after(event, n);
            ASSERT_GE(phase.events_until(event, k), n) << "event " << event;
            ASSERT_LT(phase.events_until(event, k - 1), n) << "event " << event;
        }
    EXPECT_EQ(phase.position_after(kInstRetired, 1000 - 123 + 1), kNever);
    EXPECT_EQ(phase.position_after(kUnlisted, 1), kNever);
    EXPECT_EQ(phase.position_after(kInstRetired, kNever), kNever);
}

TEST(Phase, ProgramCounterStaysInsideTheFunction)
{
    const Function code = function();
    Phase phase(code, 1'000'000);
    for (u64 k : {0u, 1u, 15u, 16u, 17u, 999'999u}) {
        phase.advance_to(k);
        EXPECT_EQ(phase.pc(), code.address + k % 16 * 4);
    }
}

TEST(Phase, LongPhasesDoNotOverflow)
{
    Function code = function();
    code.cpi["little"] = {1'000'003, 999'999};
    constexpr u64 kHour = 3600ull * 1'800'000'000;
    Phase phase(code, kHour);
    phase.resume(cluster("little", 1'800'000'000), 0);
    const u64 end = phase.instant(kHour);
    EXPECT_EQ(phase.position_at(end), kHour);
    EXPECT_EQ(phase.position_at(end - 1), kHour - 1);
}

} // namespace
} // namespace perfsim
