// SPDX-License-Identifier: Apache-2.0
// Groups: all or nothing, validated at open, read as one snapshot. Six event counters.
#include "tests/core/machine.hpp"

#include "core/hooks/hooks.hpp"

namespace perfsim {
namespace {

constexpr u64 kTimes = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

struct Machine : ScriptedMachine {
    explicit Machine(std::vector<Cluster> clusters = two_cpus())
        : ScriptedMachine(std::move(clusters))
    {
        boot();
    }
    i64 join(i64 leader, PerfEventAttr attr = counting(), i32 pid = 0, i32 cpu = -1)
    {
        return open(attr, pid, cpu, static_cast<i32>(leader));
    }
    EventState state(i64 fd) { return event(fd).state; }
};

PerfEventAttr with(u64 bits, u64 event = 0x08)
{
    PerfEventAttr attr = counting(event);
    attr.bits |= bits;
    return attr;
}

PerfEventAttr grouped(u64 format)
{
    PerfEventAttr attr = counting();
    attr.read_format = format | PERF_FORMAT_GROUP;
    return attr;
}

// Linux validate_group: what cannot fit an empty PMU is EINVAL at open; cycles have a counter more.
TEST(Group, MustFitAnEmptyPmu)
{
    Machine m;
    const i64 leader = m.open(counting(), 0, -1);
    for (int i = 0; i < 5; ++i)
        EXPECT_GE(m.join(leader), 3);
    EXPECT_EQ(m.join(leader), -22);
    EXPECT_GE(m.join(leader, counting(0x11)), 3);
    EXPECT_EQ(m.join(leader, counting(0x11)), -22);
    expect_clean(m);
}

// Linux validate_event: members that are OFF are not looked at.
TEST(Group, MembersThatAreOffAreNotValidated)
{
    Machine m;
    const i64 leader = m.open(counting(), 0, -1);
    for (int i = 0; i < 12; ++i)
        EXPECT_GE(m.join(leader, with(kAttrDisabled)), 3);
    for (int i = 0; i < 5; ++i)
        EXPECT_GE(m.join(leader), 3);
    EXPECT_EQ(m.join(leader), -22);
    expect_clean(m);
}

// Linux sys_perf_event_open, the group checks; R1: a sibling of another task.
TEST(Group, WhoMayJoin)
{
    Machine m(big_little());
    m.add_task(200, 200);
    const i64 leader = m.open(counting(), 0, -1);
    const i64 sibling = m.join(leader);
    EXPECT_EQ(m.join(sibling), -22) << "a sibling is no leader";
    EXPECT_EQ(m.join(leader, counting(), 200), -22) << "another task";
    EXPECT_EQ(m.join(leader, counting(), 0, 0), -22) << "another CPU";
    EXPECT_EQ(m.join(leader, counting(), -1, 0), -22) << "a CPU's event";
    EXPECT_EQ(m.join(leader, with(kAttrPinned)), -22);
    EXPECT_EQ(m.join(leader, with(kAttrExclusive)), -22);
    PerfEventAttr big = counting();
    big.type = 9;
    EXPECT_EQ(m.join(leader, big), -22) << "another PMU";
    EXPECT_EQ(m.open(counting(), 0, -1, 99), -9);
    EXPECT_EQ(m.open(counting(), 0, -1, -2), -9);
    const i64 apart = m.open(counting(), 0, -1, static_cast<i32>(sibling), PERF_FLAG_FD_NO_GROUP);
    EXPECT_TRUE(m.event(apart).leads()) << "FD_NO_GROUP joins nobody";
    expect_clean(m);
}

TEST(Group, LeaderOfAnExitedTaskIsEnodev)
{
    Machine m;
    ScriptedTask& task = m.add_task(200, 200);
    const i64 leader = m.open(counting(), 200, -1);
    m.run_on(1, &task);
    task.ids.exiting = true;
    hooks::exit(reinterpret_cast<Hal::Task*>(&task));
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    EXPECT_EQ(m.join(leader), -19);
    expect_clean(m);
}

// B15 of the public reports: together or not at all.
TEST(Group, AllOrNothing)
{
    Machine m;
    for (int i = 0; i < 5; ++i)
        m.open(with(kAttrPinned), 0, -1);
    const i64 leader = m.open(counting(0x08), 0, -1);
    const i64 sibling = m.join(leader, counting(0x04));
    m.execute(1000);
    EXPECT_EQ(m.read(leader), (std::vector<u64>{0, 1000, 0}));
    EXPECT_EQ(m.read(sibling), (std::vector<u64>{0, 1000, 0}));
    // The rest of the list is not searched for something smaller.
    const i64 small = m.open(counting(), 0, -1);
    m.execute(1000);
    EXPECT_EQ(m.read(small)[2], 0u);
    expect_clean(m);
}

// Linux perf_read_group: {nr, enabled, running, {value, id, lost} per member}; the format is the
// reader's, the group its leader's, also through a sibling.
TEST(Group, ReadIsOneSnapshotOfAllMembers)
{
    Machine m;
    const i64 leader = m.open(grouped(kTimes | PERF_FORMAT_ID), 0, -1);
    const i64 sibling = m.join(leader, grouped(PERF_FORMAT_LOST));
    const u64 first = m.event(leader).id;
    const u64 second = m.event(sibling).id;
    m.execute(700);
    EXPECT_EQ(m.read(leader), (std::vector<u64>{2, 700, 700, 700, first, 700, second}));
    EXPECT_EQ(m.read(sibling), (std::vector<u64>{2, 700, 0, 700, 0}));
    // Without GROUP a member answers for itself.
    const i64 third = m.join(leader, counting());
    m.execute(5);
    EXPECT_EQ(m.read(third), (std::vector<u64>{5, 5, 5}));
    expect_clean(m);
}

TEST(Group, ReadNeedsRoomForAllMembers)
{
    Machine m;
    const i64 leader = m.open(grouped(0), 0, -1);
    m.join(leader);
    constexpr u64 kSize = 3 * sizeof(u64);
    const auto read = [&](u64 size) {
        return control::read(m.event(leader), ScriptedMachine::kUserBase, size).syscall_result();
    };
    EXPECT_EQ(read(kSize - 1), -28);
    EXPECT_EQ(read(kSize), static_cast<i64>(kSize));
    expect_clean(m);
}

// Linux perf_event_validate_size: 8 + 24 n <= 16384 holds up to 682 members.
TEST(Group, ReadOfMoreThan16KiBIsRefusedAtOpen)
{
    Machine m;
    m.files_max = 1000;
    PerfEventAttr attr = grouped(PERF_FORMAT_ID | PERF_FORMAT_LOST);
    attr.bits |= kAttrDisabled;
    const i64 leader = m.open(attr, 0, -1);
    for (int i = 1; i < 682; ++i)
        ASSERT_GE(m.join(leader, with(kAttrDisabled)), 3);
    EXPECT_EQ(m.join(leader, with(kAttrDisabled)), -7);
    EXPECT_EQ(m.read(leader).size(), 0u) << "the test's buffer is a page";
    EXPECT_EQ(m.last_error, -28);
    expect_clean(m);
}

// Linux __perf_effective_state: with its leader off nobody's time runs; siblings stay INACTIVE.
TEST(Group, LeaderTurnsTheGroupOffAndOn)
{
    Machine m;
    const i64 leader = m.open(counting(), 0, -1);
    const i64 sibling = m.join(leader);
    m.execute(100);
    m.ioctl(leader, PERF_EVENT_IOC_DISABLE);
    EXPECT_EQ(m.state(sibling), EventState::Inactive);
    m.execute(1000);
    EXPECT_EQ(m.read(sibling), (std::vector<u64>{100, 100, 100}));
    m.ioctl(leader, PERF_EVENT_IOC_ENABLE);
    m.execute(10);
    EXPECT_EQ(m.read(sibling), (std::vector<u64>{110, 110, 110}));
    // A sibling alone: the leader goes on.
    m.ioctl(sibling, PERF_EVENT_IOC_DISABLE);
    m.execute(5);
    EXPECT_EQ(m.read(sibling), (std::vector<u64>{110, 110, 110}));
    EXPECT_EQ(m.read(leader), (std::vector<u64>{115, 115, 115}));
    expect_clean(m);
}

TEST(Group, FlagGroupReachesEveryMember)
{
    Machine m;
    const i64 leader = m.open(with(kAttrDisabled), 0, -1);
    const i64 sibling = m.join(leader, with(kAttrDisabled));
    m.ioctl(sibling, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
    m.execute(100);
    EXPECT_EQ(m.read(leader)[0], 100u);
    EXPECT_EQ(m.read(sibling)[0], 100u);
    m.ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
    m.execute(7);
    m.ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    m.execute(1000);
    EXPECT_EQ(m.read(leader), (std::vector<u64>{7, 107, 107}));
    EXPECT_EQ(m.read(sibling), (std::vector<u64>{7, 107, 107}));
    EXPECT_EQ(m.state(sibling), EventState::Off);
    expect_clean(m);
}

// Linux perf_group_detach: siblings go on by themselves, without a gap.
TEST(Group, ClosingTheLeaderSetsSiblingsFree)
{
    Machine m;
    const i64 leader = m.open(counting(), 0, -1);
    const i64 a = m.join(leader);
    const i64 b = m.join(leader);
    m.execute(100);
    m.close(leader);
    m.execute(20);
    EXPECT_TRUE(m.event(a).leads());
    EXPECT_EQ(m.read(a), (std::vector<u64>{120, 120, 120}));
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    m.execute(3);
    EXPECT_EQ(m.read(a), (std::vector<u64>{123, 123, 123}));
    EXPECT_EQ(m.read(b), (std::vector<u64>{123, 123, 123}));
    EXPECT_GE(m.join(a), 3) << "a sibling set free can lead";
    expect_clean(m);
}

TEST(Group, ClosingASiblingLeavesTheRest)
{
    Machine m;
    const i64 leader = m.open(grouped(0), 0, -1);
    const i64 a = m.join(leader);
    m.join(leader);
    m.execute(50);
    m.close(a);
    m.execute(50);
    EXPECT_EQ(m.read(leader), (std::vector<u64>{2, 100, 100}));
    expect_clean(m);
}

// S6 (read_group_attached): an exited task's group is still read as a group.
TEST(Group, SurvivesItsTaskForReading)
{
    Machine m;
    ScriptedTask& task = m.add_task(200, 200);
    const i64 leader = m.open(grouped(kTimes), 200, -1);
    m.join(leader, counting(), 200);
    m.run_on(1, &task);
    m.execute(777);
    task.ids.exiting = true;
    hooks::exit(reinterpret_cast<Hal::Task*>(&task));
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    EXPECT_EQ(m.read(leader), (std::vector<u64>{2, 777, 777, 777, 777}));
    m.close(leader);
    expect_clean(m);
}

// The groups of a CPU that goes away keep their shape; counts and times are frozen (report B50).
TEST(Group, OfflineCpuFreezesItsGroups)
{
    Machine m;
    const i64 leader = m.open(counting(), -1, 1);
    const i64 sibling = m.join(leader, counting(), -1, 1);
    const i64 whole = m.join(leader, grouped(0), -1, 1);
    m.run_on(1, &m.add_task(200, 200));
    m.execute(500);
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    m.go_offline(1);
    m.execute(100);
    EXPECT_EQ(m.read(sibling), (std::vector<u64>{500, 500, 500}));
    EXPECT_EQ(m.read(whole), (std::vector<u64>{3, 500, 500, 500}));
    EXPECT_EQ(m.ioctl(leader, PERF_EVENT_IOC_ENABLE), 0);
    EXPECT_EQ(m.read(leader), (std::vector<u64>{500, 500, 500}));
    EXPECT_EQ(m.open(counting(), -1, 1), -19);
    expect_clean(m);
}

// Linux merge_sched_in: a pinned group that cannot go on is in ERROR: read(2) returns 0 bytes until
// it is enabled again. Report B15: as single events exactly one of the two counts.
TEST(Group, PinnedThatDoesNotFitIsInError)
{
    Machine m;
    std::vector<i64> pinned;
    for (int i = 0; i < 7; ++i)
        pinned.push_back(m.open(with(kAttrPinned), 0, -1));
    m.execute(100);
    EXPECT_EQ(m.state(pinned[6]), EventState::Error);
    EXPECT_TRUE(m.read(pinned[6]).empty());
    EXPECT_EQ(m.last_error, 0);
    EXPECT_EQ(m.read(pinned[5]), (std::vector<u64>{100, 100, 100}));
    m.close(pinned[0]);
    m.execute(10);
    EXPECT_EQ(m.state(pinned[6]), EventState::Error);
    m.ioctl(pinned[6], PERF_EVENT_IOC_ENABLE);
    m.execute(5);
    EXPECT_EQ(m.read(pinned[6]), (std::vector<u64>{5, 5, 5}));
    expect_clean(m);
}

// Report B11: pinned before flexible, whatever was opened first.
TEST(Group, PinnedTakesCountersFromFlexible)
{
    Machine m;
    const i64 flexible = m.open(counting(), 0, -1);
    m.join(flexible);
    const i64 pinned = m.open(with(kAttrPinned), 0, -1);
    for (int i = 0; i < 5; ++i)
        m.join(pinned);
    m.execute(1000);
    EXPECT_EQ(m.read(pinned)[2], 1000u);
    EXPECT_EQ(m.read(flexible), (std::vector<u64>{0, 1000, 0}));
    expect_clean(m);
}

// Linux group_can_go_on: an exclusive group has the PMU for itself; it takes turns with the others.
TEST(Group, ExclusiveTakesTurns)
{
    Machine m;
    constexpr u64 kInterval = 4'000'000;
    m.idle(kInterval - m.time_ns % kInterval);
    const i64 normal = m.open(counting(), 0, -1);
    const i64 exclusive = m.open(with(kAttrExclusive), 0, -1);
    m.execute(4 * kInterval);
    EXPECT_EQ(m.read(normal), (std::vector<u64>{2 * kInterval, 4 * kInterval, 2 * kInterval}));
    EXPECT_EQ(m.read(exclusive), (std::vector<u64>{2 * kInterval, 4 * kInterval, 2 * kInterval}));
    expect_clean(m);
}

// B4, B20: a group on another CPU is controlled and read there.
TEST(Group, IsReadAndControlledRemotely)
{
    Machine m;
    ScriptedTask& target = m.add_task(200, 200);
    const i64 leader = m.open(grouped(kTimes), 200, -1);
    m.join(leader, counting(), 200);
    m.run_on(1, &target);
    m.execute(300);
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    EXPECT_EQ(m.read(leader), (std::vector<u64>{2, 300, 300, 300, 300}));
    m.ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    m.run_on(1, nullptr);
    m.run_on(1, &target);
    m.execute(50);
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    EXPECT_EQ(m.read(leader), (std::vector<u64>{2, 300, 300, 300, 300}));
    expect_clean(m);
}

// Linux _perf_event_period: at once, a new period begins.
TEST(Period, TakesEffectAtOnce)
{
    Machine m;
    const i64 fd = m.open(sampling(1000, PERF_SAMPLE_IP), 0, -1);
    ASSERT_EQ(m.mmap(fd, 8), 0);
    m.execute(400);
    EXPECT_EQ(m.set_period(fd, 500), 0);
    m.execute(499);
    EXPECT_EQ(facts(m.event(fd)).samples, 0u);
    m.execute(1);
    EXPECT_EQ(facts(m.event(fd)).samples, 1u);
    m.read(fd);
    const EventFacts after = facts(m.event(fd));
    EXPECT_EQ(after.missed_events, 400u);
    EXPECT_EQ(after.reported_events + after.missed_events + after.progress, after.armed_events);
    EXPECT_EQ(m.set_period(fd, 0), -22);
    EXPECT_EQ(m.set_period(fd, u64{1} << 63), -22);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_PERIOD, 1), -14);
    const i64 counting_only = m.open(counting(), 0, -1);
    EXPECT_EQ(m.set_period(counting_only, 5), -22);
    expect_clean(m);
}

} // namespace
} // namespace perfsim
