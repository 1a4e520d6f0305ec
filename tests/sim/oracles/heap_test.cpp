// SPDX-License-Identifier: Apache-2.0
// Heap: zeroed memory, red zones, freed memory kept and checked, leaks named (DESIGN 5 "poison",
// "all bytes freed").
#include "sim/kernel_model/heap.hpp"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace perfsim {

namespace {

class HeapTest : public ::testing::Test {
protected:
    std::vector<std::string> reports;
    Heap heap{[this](std::string text) { reports.push_back(std::move(text)); }};

    bool reported(const char* text) const
    {
        return reports.size() == 1 && reports[0].find(text) != std::string::npos;
    }
    u8* allocate(usize size) { return static_cast<u8*>(heap.allocate(size)); }
};

// Writing to freed memory is what AddressSanitizer stops itself; there the heap's own check is
// idle.
constexpr bool kSanitized =
#if defined(__SANITIZE_ADDRESS__)
    true;
#else
    false;
#endif

TEST_F(HeapTest, MemoryIsZeroedAlignedAndGivenBackInSilence)
{
    u8* small = allocate(24);
    u8* page = static_cast<u8*>(heap.allocate(2 * 4096, 4096));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small) % 16, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(page) % 4096, 0u);
    for (usize i = 0; i < 24; ++i)
        ASSERT_EQ(small[i], 0);
    for (usize i = 0; i < 2 * 4096; ++i)
        ASSERT_EQ(page[i], 0);
    std::memset(small, 0xff, 24);
    std::memset(page, 0xff, 2 * 4096);
    heap.free(small, 24);
    heap.free(page, 2 * 4096);
    heap.check_end();
    EXPECT_TRUE(reports.empty()) << reports[0];
}

TEST_F(HeapTest, BlocksDoNotOverlap)
{
    u8* first = allocate(100);
    std::memset(first, 0xaa, 100);
    u8* second = allocate(100);
    std::memset(second, 0xbb, 100);
    for (usize i = 0; i < 100; ++i)
        ASSERT_EQ(first[i], 0xaa);
    heap.free(second, 100);
    heap.free(first, 100);
    heap.check_end();
    EXPECT_TRUE(reports.empty()) << reports[0];
}

TEST_F(HeapTest, MemoryIsNotUsedAgainWithinAWorld)
{
    u8* first = allocate(64);
    heap.free(first, 64);
    for (int i = 0; i < 100; ++i) {
        u8* next = allocate(64);
        ASSERT_NE(next, first);
        heap.free(next, 64);
    }
}

TEST_F(HeapTest, ALeakIsReportedWithSizeAndNumber)
{
    heap.free(allocate(8), 8);
    allocate(40);
    heap.check_end();
    EXPECT_TRUE(reported("allocation 2 (40 bytes)"));
}

TEST_F(HeapTest, ADoubleFreeIsReported)
{
    u8* block = allocate(40);
    heap.free(block, 40);
    heap.free(block, 40);
    EXPECT_TRUE(reported("double free"));
}

TEST_F(HeapTest, AForeignPointerIsReported)
{
    u8 own = 0;
    heap.free(&own, 1);
    EXPECT_TRUE(reported("never allocated"));
}

TEST_F(HeapTest, APointerIntoABlockIsReported)
{
    heap.free(allocate(40) + 8, 32);
    EXPECT_TRUE(reported("never allocated"));
}

TEST_F(HeapTest, AnotherSizeIsReported)
{
    heap.free(allocate(40), 48);
    EXPECT_TRUE(reported("freed as 48"));
}

TEST_F(HeapTest, AWriteBehindABlockIsReported)
{
    if (kSanitized)
        GTEST_SKIP() << "AddressSanitizer may stop this write itself";
    u8* block = allocate(40);
    block[40] = 0;
    heap.free(block, 40);
    EXPECT_TRUE(reported("beyond the ends of allocation 1"));
}

TEST_F(HeapTest, AWriteBeforeABlockIsReported)
{
    if (kSanitized)
        GTEST_SKIP() << "AddressSanitizer may stop this write itself";
    u8* block = allocate(40);
    block[-1] = 0;
    heap.free(block, 40);
    EXPECT_TRUE(reported("beyond the ends of allocation 1"));
}

TEST_F(HeapTest, AWriteAfterTheFreeIsReportedAtTheEnd)
{
    if (kSanitized)
        GTEST_SKIP() << "AddressSanitizer stops this write itself";
    u8* block = allocate(40);
    heap.free(block, 40);
    block[39] = 0;
    EXPECT_TRUE(reports.empty());
    heap.check_end();
    EXPECT_TRUE(reported("after it was freed"));
}

TEST_F(HeapTest, FreedMemoryDoesNotKeepItsContents)
{
    if (kSanitized)
        GTEST_SKIP() << "AddressSanitizer stops this read itself";
    u8* block = allocate(40);
    std::memset(block, 0, 40);
    heap.free(block, 40);
    for (usize i = 0; i < 40; ++i)
        EXPECT_NE(block[i], 0);
}

TEST_F(HeapTest, AnAbandonedWorldGivesEverythingBack)
{
    // LeakSanitizer and the destructor see to it; nothing is reported without check_end.
    allocate(40);
    heap.free(allocate(4096), 4096);
    EXPECT_TRUE(reports.empty());
}

} // namespace

} // namespace perfsim
