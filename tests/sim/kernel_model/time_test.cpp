// SPDX-License-Identifier: Apache-2.0
// Time of the simulated machine with `kernel.cost: zero` (DESIGN 5): kernel code takes no time, so
// every instant follows from instructions, cycles per instruction and frequency.
#include "tests/sim/kernel_model/world_builder.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

TEST(Time, UserCodeTakesItsCycles)
{
    WorldBuilder world;
    world.process("a").on({0}).run(1'800'000).stamp("end");
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "end").time_ps, kMs); // 1.8e6 cycles at 1.8 GHz
}

TEST(Time, EachClusterHasItsPace)
{
    WorldBuilder world;
    world.process("a").on({1}).run(1'800'000).affinity({5}).stamp("moved").run(2'400'000).stamp(
        "end");
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "moved").time_ps, kMs);
    EXPECT_EQ(find(result, "moved").cpu, 5u);
    EXPECT_EQ(find(result, "end").time_ps, 2 * kMs);
}

TEST(Time, AMigrationInsideAPhaseLosesNoInstruction)
{
    // CPU 1 is the only one both may use; it goes away at 1 ms, when half of the 3.6e6 instructions
    // are done. The rest runs on the A76: 1.8e6 cycles at 2.4 GHz = 750 us.
    WorldBuilder world;
    world.process("a").on({1}).run(3'600'000).stamp("end");
    world.process("b").on({0, 2, 3}).run(18'000'000);
    world.process("c").on({0, 2, 3}).run(18'000'000);
    world.process("d").on({0, 2, 3}).run(18'000'000);
    Fault fault;
    fault.kind = FaultKind::CpuOff;
    fault.cpu = 1;
    fault.time_ps = kMs;
    fault.has_time = true;
    world.fault(fault);
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    EXPECT_GE(find(result, "end").cpu, 4u);
    EXPECT_EQ(find(result, "end").time_ps, kMs + 750 * kUs);
}

TEST(Time, SleepAndAtWakeAtTheirInstant)
{
    WorldBuilder world;
    world.process("a")
        .on({0})
        .run(1'000'000)
        .sleep(123'456'789)
        .stamp("slept")
        .at(50 * kMs)
        .stamp("at");
    world.process("b").at(kMs).stamp("late").at(kMs / 2).stamp("past");
    const WorldResult result = world.run(symmetric(2));
    EXPECT_EQ(failures(result), "");
    EXPECT_EQ(find(result, "slept").time_ps, kMs + 123'456'789); // 10^6 cycles at 1 GHz
    EXPECT_EQ(find(result, "at").time_ps, 50 * kMs);
    EXPECT_EQ(find(result, "past").time_ps, kMs) << "an instant that has passed is not waited for";
}

TEST(Time, ThreadsOnDifferentCpusRunAtTheSameTime)
{
    WorldBuilder world;
    for (u32 cpu = 0; cpu < 8; ++cpu)
        world.process("t" + std::to_string(cpu))
            .on({cpu})
            .run(2'400'000)
            .stamp("end" + std::to_string(cpu));
    const WorldResult result = world.run(rk3588());
    EXPECT_EQ(failures(result), "");
    for (u32 cpu = 0; cpu < 8; ++cpu)
        EXPECT_EQ(find(result, "end" + std::to_string(cpu)).time_ps,
                  cpu < 4 ? 2'400'000 * kMs / 1'800'000 + 1 : kMs) // ceil(2.4e6 / 1.8 GHz)
            << "CPU " << cpu;
}

TEST(Time, TheCostModelMakesKernelCodeTakeTimeAndNothingElse)
{
    WorldBuilder world;
    world.event("cycles", kLittle, kCpuCycles);
    world.process("a")
        .on({0})
        .open("cycles", "c", "self")
        .run(1'000'000)
        .read("c", "r")
        .stamp("end");
    const WorldResult zero = world.run(symmetric(1));
    world.scenario.kernel.cost_model = true;
    const WorldResult model = world.run(symmetric(1));
    EXPECT_EQ(failures(zero), "");
    EXPECT_EQ(failures(model), "");
    EXPECT_EQ(find(zero, "end").time_ps, kMs);
    EXPECT_GT(find(model, "end").time_ps, kMs);
    // exclude_kernel: the user code's cycles are the same.
    EXPECT_EQ(find(zero, "r").words().at(0), 1'000'000u);
    EXPECT_EQ(find(model, "r").words().at(0), 1'000'000u);
}

TEST(Time, TheCostModelsKernelCodeIsCountedUnlessExcluded)
{
    // A second event's open runs kernel code while the first one counts: opening and closing it
    // once more adds the same number of kernel instructions each time.
    const auto kernel_instructions = [](u32 times) {
        WorldBuilder world;
        world.scenario.kernel.cost_model = true;
        world.event("kernel", kLittle, kInstRetired).bits = perfcore::kAttrExcludeUser;
        world.event("other", kLittle, kCpuCycles);
        auto a = world.process("a").on({0}).open("kernel", "k", "self").run(1'000);
        for (u32 n = 0; n < times; ++n)
            a.open("other", "o" + std::to_string(n), "self").close("o" + std::to_string(n));
        a.read("k", "r");
        const WorldResult result = world.run(symmetric(1));
        EXPECT_EQ(failures(result), "");
        return find(result, "r").words().at(0);
    };
    const u64 none = kernel_instructions(0);
    const u64 one = kernel_instructions(1);
    EXPECT_GT(none, 0u) << "the read itself is kernel code";
    EXPECT_GT(one, none);
    EXPECT_EQ(kernel_instructions(2) - one, one - none);
}

} // namespace
} // namespace perfsim
