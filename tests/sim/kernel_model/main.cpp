// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/kernel_model/world_builder.hpp"

#include <gtest/gtest.h>

// libsystemc brings a main of its own and wants an sc_main from everybody who links it.
extern "C" __attribute__((weak)) int sc_main(int, char**)
{
    return 1;
}

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    constexpr perfsim::u32 kMaxCpus = 256;
    int result = 1;
    perfsim::simulate(kMaxCpus, [&](perfsim::Simulator& simulator) {
        perfsim::s_simulator = &simulator;
        result = RUN_ALL_TESTS();
    });
    return result;
}
