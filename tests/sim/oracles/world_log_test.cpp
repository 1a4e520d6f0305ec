// SPDX-License-Identifier: Apache-2.0
// The log: one line per CPU per change with time, CPU, task, armed set by name, registers and what
// changed; columns aligned.
#include "tests/sim/oracles/fake_world.hpp"

namespace perfsim {

namespace {

class WorldLogTest : public OracleTest {
protected:
    WorldLogTest() { start(true); }
    const std::string& last() const { return world.lines.back(); }
    static bool has(const std::string& line, const char* text)
    {
        return line.find(text) != std::string::npos;
    }
};

TEST_F(WorldLogTest, NothingIsLoggedUnlessAskedFor)
{
    start(false);
    switch_to(kLittle0, task(0));
    EXPECT_TRUE(world.lines.empty());
}

TEST_F(WorldLogTest, ALineNamesTimeCpuAndTask)
{
    world.ps = 1'234'567'890; // 1234.567890 us
    switch_to(kBig0, task(1));
    EXPECT_TRUE(has(last(), "1234.567 us")) << last();
    EXPECT_TRUE(has(last(), "big/0")) << last();
    EXPECT_TRUE(has(last(), "t101")) << last();
}

TEST_F(WorldLogTest, TheArmedSetOfTheCpuIsNamedByHandle)
{
    open(event_of(kId, 0, 0));
    open(event_of(kOther, 1, 0));
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Armed, kId, 0);
    mark(kLittle0, Site::Armed, kOther, kCycleCounter);
    EXPECT_TRUE(has(last(), "c0=ins")) << last();
    EXPECT_TRUE(has(last(), "=cyc")) << last();
    switch_to(kLittle1, task(1));
    EXPECT_FALSE(has(last(), "=ins")) << last(); // another CPU's counters
    mark(kLittle0, Site::Disarmed, kId, 0);
    EXPECT_FALSE(has(last(), "c0=ins")) << last();
    EXPECT_TRUE(has(last(), "=cyc")) << last();
}

TEST_F(WorldLogTest, RegistersAreThoseOfTheCpu)
{
    world.pmus[kLittle1].write(perfcore::PmuReg::PMOVSSET_EL0, u64{1} << kCycleCounter);
    tell([](Observer& o) { o.on_interrupt(kLittle1, "pmu"); });
    EXPECT_TRUE(has(last(), "80000000")) << last();
    EXPECT_TRUE(has(last(), "irq pmu")) << last();
    tell([](Observer& o) { o.on_interrupt(kLittle0, "pmu"); });
    EXPECT_FALSE(has(last(), "80000000")) << last();
}

TEST_F(WorldLogTest, WhatChangedStandsAtTheSameColumn)
{
    switch_to(kLittle0, task(0));
    const auto short_time = last().find(" in");
    world.ps = 99'999'999'000'000; // 99999999 us
    switch_to(kBig1, task(3));
    EXPECT_NE(short_time, std::string::npos);
    EXPECT_EQ(last().find(" in"), short_time);
}

TEST_F(WorldLogTest, EachChangeOfAnEventHasItsLine)
{
    open(event_of(kId, 0, 0));
    switch_to(kLittle0, task(0));
    const struct {
        Site site;
        u64 value;
        const char* text;
    } kChanges[] = {{Site::Enabled, 0, "enable ins"},
                    {Site::Armed, 2, "arm ins"},
                    {Site::Sampled, 480, "sample ins head 480"},
                    {Site::Sampled, 0, "not written"},
                    {Site::Reset, 0, "reset ins"},
                    {Site::Disarmed, 2, "disarm ins"},
                    {Site::Disabled, 0, "disable ins"},
                    {Site::RemoteRetry, 4, "retry 4"}};
    for (auto const& change : kChanges) {
        const auto before = world.lines.size();
        mark(kLittle0, change.site, kId, change.value);
        ASSERT_EQ(world.lines.size(), before + 1) << change.text;
        EXPECT_TRUE(has(last(), change.text)) << last();
    }
}

TEST_F(WorldLogTest, AnEventWithoutANameIsShownByItsId)
{
    OpenedEvent event = event_of(kId, kNone, 0);
    tell([&](Observer& o) { o.on_opened(event); });
    switch_to(kLittle0, task(0));
    mark(kLittle0, Site::Armed, kId, 0);
    EXPECT_TRUE(has(last(), "#11")) << last();
}

} // namespace

} // namespace perfsim
