// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster_model/event_queue.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

QueuedEvent event(u64 instant, u64 order, u32 cpu)
{
    return {instant, order, DeviceEvent::Tick, cpu, 0, nullptr};
}

// Rule (event_queue.hpp): earliest instant first; ties by `order`, however they were entered.
TEST(EventQueue, GivesEventsByInstantThenOrder)
{
    EventQueue queue;
    queue.push(event(30, 1, 0));
    queue.push(event(10, 9, 1));
    queue.push(event(20, 5, 2));
    queue.push(event(10, 2, 3));
    queue.push(event(20, 4, 4));
    std::vector<u32> cpus;
    while (!queue.empty())
        cpus.push_back(queue.pop().cpu);
    EXPECT_EQ(cpus, (std::vector<u32>{3, 1, 4, 2, 0}));
}

TEST(EventQueue, TopIsWhatPopReturnsAndClearForgetsAll)
{
    EventQueue queue;
    for (u64 n = 0; n < 100; ++n)
        queue.push(event((n * 37) % 101, n, static_cast<u32>(n)));
    u64 last = 0;
    for (u32 n = 0; n < 50; ++n) {
        const u64 top = queue.top().instant;
        EXPECT_EQ(queue.pop().instant, top);
        EXPECT_GE(top, last);
        last = top;
    }
    queue.clear();
    EXPECT_TRUE(queue.empty());
}

} // namespace
} // namespace perfsim
