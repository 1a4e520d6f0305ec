// SPDX-License-Identifier: Apache-2.0
// Oracle "quiescence": at the end PMCNTENSET_EL0, PMINTENSET_EL1 and PMOVSSET_EL0 are zero and the
// interrupt line is low on every CPU (DESIGN 5 "all registers quiet").
#include "tests/sim/oracles/fake_world.hpp"

namespace perfsim {

namespace {

class QuiescenceTest : public OracleTest, public ::testing::WithParamInterface<perfcore::PmuReg> {};

TEST_F(QuiescenceTest, QuietRegistersPass)
{
    world_end();
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(QuiescenceTest, CountingStaysEnabledInPmcrWithoutHarm)
{
    world.pmus[kBig1].write(perfcore::PmuReg::PMCR_EL0, 1);
    world_end();
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_P(QuiescenceTest, ABitLeftOnAnyCpuFails)
{
    for (u32 cpu = 0; cpu < kCpus; ++cpu) {
        world.failures.clear();
        world.pmus[cpu] = PmuModel{};
        world.pmus[cpu].write(GetParam(), u64{1} << kCycleCounter);
        world_end();
        EXPECT_EQ(failed("quiescence"), 1u) << "CPU " << cpu;
        world.pmus[cpu] = PmuModel{};
    }
}

INSTANTIATE_TEST_SUITE_P(Registers, QuiescenceTest,
                         ::testing::Values(perfcore::PmuReg::PMCNTENSET_EL0,
                                           perfcore::PmuReg::PMINTENSET_EL1,
                                           perfcore::PmuReg::PMOVSSET_EL0));

} // namespace

} // namespace perfsim
