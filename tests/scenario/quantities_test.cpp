// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/quantities.hpp"
#include "sim/scenario/schema.hpp"

#include <gtest/gtest.h>
#include <set>

namespace perfsim {
namespace {

TEST(Quantities, Integers)
{
    EXPECT_EQ(parse_u64("0"), 0u);
    EXPECT_EQ(parse_u64("0x1F"), 31u);
    EXPECT_EQ(parse_u64("18446744073709551615"), ~u64{0});
    for (const char* bad : {"", "-1", "0x", "1_000", "18446744073709551616", "1e6", " 1", "1 "})
        EXPECT_FALSE(parse_u64(bad)) << bad;
    EXPECT_EQ(parse_i64("-5"), -5);
    EXPECT_FALSE(parse_i64("9223372036854775808"));
}

TEST(Quantities, TimesAreExactToThePicosecond)
{
    EXPECT_EQ(parse_time_ps("800us"), 800'000'000u);
    EXPECT_EQ(parse_time_ps("1.5 ms"), 1'500'000'000u);
    EXPECT_EQ(parse_time_ps("0.001ns"), 1u);
    EXPECT_EQ(parse_time_ps("1s"), 1'000'000'000'000u);
    for (const char* bad : {"", "5", "us", "1.us", ".5us", "0.0001ns", "1.2.3us", "-1us", "1 m",
                            "99999999999999999999s", "20000000s"})
        EXPECT_FALSE(parse_time_ps(bad)) << bad;
}

TEST(Quantities, Ratios)
{
    EXPECT_EQ(parse_ratio("6/5")->num, 6u);
    EXPECT_EQ(parse_ratio("2")->den, 1u);
    for (const char* bad : {"", "/", "1/0", "1/", "/2", "1.5", "1000001", "1/2/3", "-1/2"})
        EXPECT_FALSE(parse_ratio(bad)) << bad;
}

TEST(Diagnostics, SuggestsTheNearestWord)
{
    const std::vector<std::string> known = {"sample_period", "sample_type", "config"};
    EXPECT_EQ(suggestion("sampel_period", known), " (did you mean 'sample_period'?)");
    EXPECT_EQ(suggestion("zzz", known), " (known: sample_period, sample_type, config)");
    EXPECT_EQ(suggestion("x", {}), "");
}

TEST(Diagnostics, StopsAtTwentyMessages)
{
    Diagnostics diagnostics("f");
    for (u32 i = 0; i < 30; ++i)
        diagnostics.error({i + 1, 1}, "bad");
    const auto messages = diagnostics.messages();
    EXPECT_EQ(messages.size(), 21u);
    EXPECT_EQ(messages[0], "f:1:1: error: bad");
    EXPECT_EQ(messages[20], "f: and 10 more errors");
}

TEST(Schema, KeysAreUnique)
{
    std::set<std::string> seen;
    for (SchemaKey const& key : schema())
        EXPECT_TRUE(seen.insert(std::string(key.object) + "." + key.key).second) << key.key;
}

} // namespace
} // namespace perfsim
