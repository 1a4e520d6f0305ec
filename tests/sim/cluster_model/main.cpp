// SPDX-License-Identifier: Apache-2.0
// libsystemc brings a main that would win over GoogleTest's, and wants an sc_main from everybody.
#include <gtest/gtest.h>

extern "C" __attribute__((weak)) int sc_main(int, char**)
{
    return 1;
}

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
