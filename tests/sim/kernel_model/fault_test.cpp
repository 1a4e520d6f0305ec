// SPDX-License-Identifier: Apache-2.0
// The faults a scenario may ask for. Whatever they do, results stay right or the failure is the one
// perf_event_open(2) names.
#include "tests/sim/kernel_model/world_builder.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

constexpr i64 kEnomem = 12;
constexpr i64 kEnodev = 19;

Fault fault(FaultKind kind, u32 cpu, u64 time_ps)
{
    Fault made;
    made.kind = kind;
    made.cpu = cpu;
    made.time_ps = time_ps;
    return made;
}

TEST(Faults, ADelayedCallReadsWhatIsTrueWhenItArrives)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a").on({1}).wait("go").run(5'000'000);
    world.process("m").on({0}).open("cycles", "c", "a").mark("go").at(kMs).read("c", "r");
    Fault delay = fault(FaultKind::IpiDelay, 1, 30 * kUs);
    delay.after_mark = world.mark("go");
    world.fault(delay);
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "r").words(), (std::vector<u64>{1'030'000, 1'030'000, 1'030'000}));
    EXPECT_EQ(find(result, "r").time_ps, kMs + 30 * kUs);
}

TEST(Faults, LateInterruptsLoseNoEvent)
{
    WorldBuilder world;
    auto& attr = world.event("cycles", kLittle, kCpuCycles);
    attr.sample_period = 10'000;
    attr.sample_type = perfcore::PERF_SAMPLE_TIME;
    world.process("a")
        .on({0})
        .open("cycles", "s", "self")
        .mmap("s", "ring", 8)
        .run(1'005'000)
        .read("s", "r");
    world.fault(fault(FaultKind::PmuIrqLatency, 0, 200'000)); // 200 ns = 200 cycles
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "r").words().at(0), 1'005'000u);
    EXPECT_EQ(outcome(result, "s").samples, 100u);
    EXPECT_EQ(outcome(result, "s").missed_events, 0u);
}

TEST(Faults, AnInterruptLaterThanAPeriodMissesPeriodsAndSaysSo)
{
    WorldBuilder world;
    auto& attr = world.event("cycles", kLittle, kCpuCycles);
    attr.sample_period = 1'000;
    world.process("a")
        .on({0})
        .open("cycles", "s", "self")
        .mmap("s", "ring", 8)
        .run(100'000)
        .read("s", "r");
    world.fault(fault(FaultKind::PmuIrqLatency, 0, 2'500'000)); // 2500 cycles
    const WorldResult result = world.run(symmetric(1));
    EXPECT_EQ(failures(result), ""); // conservation, above all
    EXPECT_EQ(find(result, "r").words().at(0), 100'000u);
    EXPECT_GT(outcome(result, "s").missed_events, 0u);
}

TEST(Faults, EveryAllocationMayFail)
{
    for (u32 nth = 1; nth <= 8; ++nth) {
        WorldBuilder world;
        world.event("cycles", kLittle, kCpuCycles).sample_period = 1000;
        world.process("a")
            .on({0})
            .mark("now")
            .open("cycles", "c", "self")
            .mmap("c", "ring", 2)
            .run(50'000)
            .read("c", "r")
            .close("c");
        Fault made = fault(FaultKind::AllocFail, kNone, 0);
        made.nth = nth;
        made.after_mark = world.mark("now");
        world.fault(made);
        const WorldResult result = world.run(symmetric(1));
        EXPECT_EQ(failures(result), "") << "allocation " << nth;
        const i64 opened = find(result, "c").result;
        const i64 mapped = find(result, "mmap ring").result;
        // Event and context at open, ring and its pages at mmap.
        EXPECT_EQ(opened, nth <= 2 ? -kEnomem : 3) << "allocation " << nth;
        if (opened >= 0) {
            EXPECT_EQ(mapped, nth <= 4 ? -kEnomem : 0) << "allocation " << nth;
        }
    }
}

TEST(Faults, ACpuGoesAwayUnderItsTasksAndEvents)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a").on({1}).wait("go").run(5'000'000).stamp("end");
    world.process("m")
        .on({0})
        .open("cycles", "cpu", "", 1)
        .open("cycles", "task", "a")
        .mark("go")
        .at(8 * kMs)
        .read("cpu", "rc")
        .read("task", "rt")
        .open("cycles", "late", "", 1);
    Fault off = fault(FaultKind::CpuOff, 1, 2 * kMs);
    off.has_time = true;
    world.fault(off);
    const WorldResult result = world.run(symmetric(3));
    EXPECT_EQ(failures(result), "");
    EXPECT_NE(find(result, "end").cpu, 1u);
    EXPECT_EQ(find(result, "end").time_ps, 5 * kMs) << "two CPUs are left for one thread";
    EXPECT_EQ(find(result, "rc").words().at(0), 2'000'000u) << "counted until its CPU went";
    EXPECT_EQ(find(result, "rt").words().at(0), 5'000'000u);
    EXPECT_EQ(find(result, "late").result, -kEnodev);
}

TEST(Faults, ACallToACpuThatGoesIsAnsweredOffline)
{
    // The call is under way for 100 us; its CPU is gone after 50 us.
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("m")
        .on({0})
        .open("cycles", "cpu", "", 1)
        .mark("opened")
        .at(kMs)
        .read("cpu", "r")
        .stamp("end");
    world.process("a").on({1}).wait("opened").run(10'000'000);
    Fault delay = fault(FaultKind::IpiDelay, 1, 100 * kUs);
    delay.after_mark = world.mark("opened");
    world.fault(delay);
    Fault off = fault(FaultKind::CpuOff, 1, kMs + 50 * kUs);
    off.has_time = true;
    world.fault(off);
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "end").time_ps, kMs + 50 * kUs) << "answered when the CPU goes";
    EXPECT_EQ(find(result, "r").words().at(0), 1'050'000u);
}

} // namespace
} // namespace perfsim
