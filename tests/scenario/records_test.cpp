// SPDX-License-Identifier: Apache-2.0
// Reading ring bytes: truncation and corruption anywhere gives an error, never a crash or a guess.
#include "sim/scenario/records.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace perfsim {
namespace {

using namespace perfcore;

std::vector<u8> bytes_of(const std::vector<u64>& words)
{
    std::vector<u8> bytes(words.size() * sizeof(u64));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

PerfEventAttr attr()
{
    PerfEventAttr attr;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
    return attr;
}

const std::vector<u64> kSample = {9 | (u64{24} << 48), 0x400000, (u64{8} << 32) | 7};

TEST(Records, Parses)
{
    std::string error;
    const auto records = parse_records(bytes_of(kSample), attr(), error);
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(error, "");
    EXPECT_EQ(records[0].ip, 0x400000u);
    EXPECT_EQ(records[0].pid, 7u);
    EXPECT_EQ(records[0].tid, 8u);
}

TEST(Records, EveryTruncationIsAnError)
{
    const std::vector<u8> whole = bytes_of(kSample);
    for (usize size = 1; size < whole.size(); ++size) {
        std::string error;
        const std::vector<u8> part(whole.begin(), whole.begin() + static_cast<long>(size));
        EXPECT_TRUE(parse_records(part, attr(), error).empty());
        EXPECT_NE(error, "") << size;
    }
}

TEST(Records, WrongSizesAndTypesAreErrors)
{
    for (u64 bad : {9 | (u64{16} << 48), 9 | (u64{32} << 48), 9 | (u64{25} << 48),
                    9 | (u64{0} << 48), 77 | (u64{24} << 48), 2 | (u64{16} << 48)}) {
        std::vector<u64> words = kSample;
        words[0] = bad;
        words.push_back(0);
        std::string error;
        parse_records(bytes_of(words), attr(), error);
        EXPECT_NE(error, "") << bad;
    }
}

} // namespace
} // namespace perfsim
