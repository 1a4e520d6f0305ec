// SPDX-License-Identifier: Apache-2.0
// Rotation (Linux perf_rotate_context): one group head to tail per interval, so with k groups for n
// places each is on in n of k intervals. One instruction takes 1 ns; six event counters.
#include "tests/core/machine.hpp"

#include "core/hooks/hooks.hpp"

namespace perfsim {
namespace {

constexpr u64 kInterval = 4'000'000; // one tick

/// A machine at a multiple of the interval, where rotations happen.
struct Aligned : ScriptedMachine {
    explicit Aligned(std::vector<Cluster> clusters = two_cpus())
        : ScriptedMachine(std::move(clusters))
    {
        boot();
        idle(kInterval - time_ns % kInterval);
    }

    std::vector<i64> open_many(u32 count, u64 event = 0x08, i32 pid = 0, i32 cpu = -1)
    {
        std::vector<i64> fds;
        for (u32 i = 0; i < count; ++i)
            fds.push_back(open(counting(event), pid, cpu));
        return fds;
    }
};

// Report B12 (ltp perf_event_open02): seven events on six counters, 6/7 of the time each.
TEST(Rotation, SevenEventsOnSixCountersRunSixSevenths)
{
    Aligned m;
    const auto fds = m.open_many(7);
    m.execute(7 * kInterval);
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd), (std::vector<u64>{6 * kInterval, 7 * kInterval, 6 * kInterval}));
    expect_clean(m);
}

// B9, B10: a task that never switches rotates all the same; enabled is equal, running is not.
TEST(Rotation, TenEventsOnSixCounters)
{
    Aligned m;
    const auto fds = m.open_many(10);
    m.execute(10 * kInterval);
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd), (std::vector<u64>{6 * kInterval, 10 * kInterval, 6 * kInterval}));
    expect_clean(m);
}

// R13: the cycle counter is a seventh counter for cycle events; the eighth rotates.
TEST(Rotation, CycleEventsHaveOneCounterMore)
{
    Aligned m;
    auto fds = m.open_many(7, 0x11);
    m.execute(kInterval);
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd), (std::vector<u64>{kInterval, kInterval, kInterval}));
    fds.push_back(m.open(counting(0x11), 0, -1));
    m.execute(8 * kInterval);
    for (i64 fd : fds) {
        const u64 before = fd == fds.back() ? 0 : kInterval;
        EXPECT_EQ(m.read(fd)[1], before + 8 * kInterval);
        EXPECT_EQ(m.read(fd)[2], before + 7 * kInterval);
    }
    expect_clean(m);
}

// B18: running is counted from the instant a counter is given, not from the slice's begin.
TEST(Rotation, RunningStartsWithTheCounter)
{
    Aligned m;
    const auto fds = m.open_many(7);
    m.execute(kInterval + kInterval / 2);
    EXPECT_EQ(m.read(fds[6]),
              (std::vector<u64>{kInterval / 2, kInterval + kInterval / 2, kInterval / 2}));
    EXPECT_EQ(m.read(fds[0]), (std::vector<u64>{kInterval, kInterval * 3 / 2, kInterval}));
    expect_clean(m);
}

// B19: a CPU event holds one of two counters; the task's three events share the other.
TEST(Rotation, SharesWhatCpuEventsLeave)
{
    std::vector<ScriptedMachine::Cluster> clusters = two_cpus();
    clusters[0].pmu.counters = 2;
    Aligned m(clusters);
    const i64 cpu_event = m.open(counting(), -1, 0);
    const auto fds = m.open_many(3);
    m.execute(3 * kInterval);
    EXPECT_EQ(m.read(cpu_event)[2], 3 * kInterval);
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd), (std::vector<u64>{kInterval, 3 * kInterval, kInterval}));
    expect_clean(m);
}

// L13, L34: cpu-bound events rotate, also while the CPU idles.
TEST(Rotation, CpuBoundEventsRotateOnAnIdleCpu)
{
    Aligned m;
    const auto fds = m.open_many(7, 0x08, -1, 0);
    m.run_on(0, nullptr);
    m.idle(7 * kInterval);
    m.run_on(0, &m.first_task());
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd), (std::vector<u64>{0, 7 * kInterval, 6 * kInterval}));
    expect_clean(m);
}

// L35: the order of the list survives a switch, so a slice does not start again at the first.
TEST(Rotation, OrderSurvivesSwitches)
{
    Aligned m;
    const auto fds = m.open_many(7);
    m.execute(kInterval + 1000); // the first event is at the tail now and waits
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    EXPECT_EQ(m.event(fds[0]).state, EventState::Inactive);
    for (usize i = 1; i < 7; ++i)
        EXPECT_EQ(m.event(fds[i]).state, EventState::Active);
    expect_clean(m);
}

TEST(Rotation, GroupsRotateAsAWhole)
{
    Aligned m;
    std::vector<i64> groups[2];
    for (auto& group : groups)
        for (int i = 0; i < 4; ++i)
            group.push_back(
                m.open(counting(), 0, -1, group.empty() ? -1 : static_cast<i32>(group[0])));
    m.execute(2 * kInterval);
    for (auto const& group : groups)
        for (i64 fd : group)
            EXPECT_EQ(m.read(fd), (std::vector<u64>{kInterval, 2 * kInterval, kInterval}));
    expect_clean(m);
}

// Each cluster's groups move on its own CPUs only.
TEST(Rotation, ClustersRotateApart)
{
    Aligned m(big_little());
    PerfEventAttr little = counting();
    little.type = 8;
    PerfEventAttr big = counting();
    big.type = 9;
    std::vector<i64> fds;
    for (int i = 0; i < 7; ++i) {
        fds.push_back(m.open(little, 0, -1));
        fds.push_back(m.open(big, 0, -1));
    }
    m.execute(7 * kInterval);
    m.run_on(2, &m.first_task());
    m.execute(7 * kInterval);
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd), (std::vector<u64>{6 * kInterval, 14 * kInterval, 6 * kInterval}));
    expect_clean(m);
}

// sysfs perf_event_mux_interval_ms: 0 is EINVAL.
TEST(Rotation, IntervalCanBeSet)
{
    Aligned m;
    constexpr u64 kMillisecond = 1'000'000;
    EXPECT_EQ(hooks::set_mux_interval(m.subsystem(), 8, 0).syscall_result(), -22);
    EXPECT_EQ(hooks::set_mux_interval(m.subsystem(), 9, 1).syscall_result(), -2);
    EXPECT_EQ(hooks::set_mux_interval(m.subsystem(), 8, 1).syscall_result(), 0);
    const auto fds = m.open_many(7);
    m.execute(7 * kMillisecond);
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd)[2], 6 * kMillisecond);
    expect_clean(m);
}

// DESIGN rule 11: nobody waits, nothing happens.
TEST(Rotation, TimerRestsWhenEverybodyHasACounter)
{
    Aligned m;
    const auto fds = m.open_many(7);
    m.execute(2 * kInterval);
    m.close(fds[3]);
    m.execute(2 * kInterval); // the last turn, and one that finds nobody waiting
    const u64 before = m.hal_calls;
    m.execute(20 * kInterval);
    EXPECT_EQ(m.hal_calls, before);
    expect_clean(m);
}

// Linux ctx_resched order: a pinned event goes before the flexible ones and never rotates.
TEST(Rotation, PinnedEventsKeepTheirCounter)
{
    Aligned m;
    const auto fds = m.open_many(6);
    PerfEventAttr attr = counting();
    attr.bits |= kAttrPinned;
    const i64 pinned = m.open(attr, 0, -1);
    m.execute(6 * kInterval);
    EXPECT_EQ(m.read(pinned), (std::vector<u64>{6 * kInterval, 6 * kInterval, 6 * kInterval}));
    for (i64 fd : fds)
        EXPECT_EQ(m.read(fd), (std::vector<u64>{5 * kInterval, 6 * kInterval, 5 * kInterval}));
    expect_clean(m);
}

} // namespace
} // namespace perfsim
