// SPDX-License-Identifier: Apache-2.0
// Counting: arithmetic, slices, owner rule, times. Names of rules: catalogue rows (B, R, L), Linux
// functions.
#include "tests/core/machine.hpp"

#include "core/hooks/hooks.hpp"

namespace perfsim {
namespace {

TEST(Counting, CountsWhatTheTaskExecutes)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(counting(), 0, -1);
    ASSERT_GE(fd, 3);
    m.execute(12345);
    const auto words = m.read(fd);
    EXPECT_EQ(words, (std::vector<u64>{12345, 12345, 12345}));
    expect_clean(m);
}

// R9, L19: armpmu_event_update masks a difference of 32 bits; half-range overflows keep it exact.
TEST(Counting, SurvivesWrapOfA32BitCounterInOneSlice)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(counting(), 0, -1);
    constexpr u64 kMany = (u64{1} << 32) + 5;
    m.execute(kMany);
    EXPECT_EQ(m.read(fd)[0], kMany);
    m.execute(kMany);
    EXPECT_EQ(m.read(fd)[0], 2 * kMany);
    expect_clean(m);
}

// The cycle counter is 64 bits wide but used with an upper half of ones (Linux armv8pmu bias).
TEST(Counting, CycleCounterIsExactBeyond32Bits)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(counting(0x11), 0, -1);
    EXPECT_EQ(m.event(fd).counter.index(), 31);
    m.execute(3'000'000'000, 3);
    EXPECT_EQ(m.read(fd)[0], u64{9'000'000'000});
    expect_clean(m);
}

// B1 B2: counters are per CPU and per slice; only one task runs on a CPU at a time.
TEST(Counting, EightTasksNeedNoMoreThanOneCounterPerCpu)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    ScriptedTask* tasks[8];
    i64 fds[8];
    for (int i = 0; i < 8; ++i) {
        tasks[i] = &m.add_task(200 + i, 200 + i);
        fds[i] = m.open(counting(), 200 + i, -1);
        ASSERT_GE(fds[i], 3);
    }
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 8; ++i) {
            m.run_on(static_cast<u32>(i % 2), tasks[i]);
            m.execute(1000 + static_cast<u64>(i));
            EXPECT_EQ(m.event(fds[i]).counter.index(), 0);
        }
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(m.read(fds[i])[0], 3 * (1000 + static_cast<u64>(i)));
    expect_clean(m);
}

// B3 B20: the count is taken on the CPU that has it, whoever asks from where.
TEST(Counting, RemoteReadIsLiveAndFromTheRightBank)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    ScriptedTask& target = m.add_task(200, 200);
    const i64 mine = m.open(counting(), 0, -1);
    const i64 fd = m.open(counting(), 200, -1);
    m.run_on(1, &target);
    m.execute(500);
    m.run_on(0, nullptr);
    m.run_on(0, &m.add_task(300, 300));
    m.execute(70'000);
    EXPECT_EQ(m.read(fd)[0], 500u);
    EXPECT_EQ(m.read(mine)[0], 0u);
    expect_clean(m);
}

// L5: controls act at once. R19: RESET folds first, so nothing comes back.
TEST(Counting, EnableDisableAndResetActAtOnce)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    PerfEventAttr attr = counting();
    attr.bits |= kAttrDisabled;
    const i64 fd = m.open(attr, 0, -1);
    m.execute(1000);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_ENABLE), 0);
    m.execute(2000);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_DISABLE), 0);
    m.execute(4000);
    EXPECT_EQ(m.read(fd), (std::vector<u64>{2000, 2000, 2000}));
    m.ioctl(fd, PERF_EVENT_IOC_ENABLE);
    m.execute(8000);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_RESET), 0);
    m.execute(3);
    // Times are not reset (Linux _perf_event_reset).
    EXPECT_EQ(m.read(fd), (std::vector<u64>{3, 10003, 10003}));
    expect_clean(m);
}

// B12: on the other cluster enabled time runs, running time and count do not.
TEST(Counting, ClusterEventWaitsOnTheOtherCluster)
{
    ScriptedMachine m(big_little());
    m.boot();
    ScriptedTask& task = m.add_task(200, 200);
    PerfEventAttr attr = counting();
    attr.type = 9;
    const i64 fd = m.open(attr, 200, -1);
    for (int round = 0; round < 6; ++round) {
        m.run_on(0, &task);
        m.execute(1000);
        m.run_on(2, &task);
        m.execute(3000);
    }
    m.run_on(2, nullptr);
    m.run_on(0, nullptr);
    EXPECT_EQ(m.read(fd), (std::vector<u64>{18000, 24000, 18000}));
    expect_clean(m);
}

// B13 L16: ENOENT for the other cluster's CPUs, whichever CPU opens; the PMU's own CPUs work.
TEST(Counting, CpuBoundOpenOnTheWrongClusterIsEnoent)
{
    ScriptedMachine m(big_little());
    m.boot();
    PerfEventAttr big = counting();
    big.type = 9;
    PerfEventAttr little = counting();
    little.type = 8;
    EXPECT_EQ(m.open(big, -1, 0), -2);
    EXPECT_EQ(m.open(little, -1, 3), -2);
    EXPECT_GE(m.open(big, -1, 3), 3);
    EXPECT_GE(m.open(little, -1, 1), 3);
    // A generic event finds the PMU of its CPU (perf_init_event tries each).
    const i64 fd = m.open(counting(), -1, 2);
    ASSERT_GE(fd, 3);
    EXPECT_EQ(facts(m.event(fd)).pmu_type, 9u);
    // Without a CPU the first registered PMU wins.
    EXPECT_EQ(facts(m.event(m.open(counting(), 0, -1))).pmu_type, 8u);
    expect_clean(m);
}

// B6 B7: each CPU's own load; DISABLE keeps the count and frees the counter for others.
TEST(Counting, CpuBoundEventsCountTheirCpu)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 on0 = m.open(counting(), -1, 0);
    const i64 on1 = m.open(counting(), -1, 1);
    m.execute(100);
    m.run_on(1, &m.add_task(200, 200));
    m.execute(7000);
    m.run_on(0, nullptr);
    EXPECT_EQ(m.read(on0)[0], 100u);
    EXPECT_EQ(m.read(on1)[0], 7000u);
    m.ioctl(on1, PERF_EVENT_IOC_DISABLE);
    const i64 later = m.open(counting(), -1, 1);
    m.run_on(1, nullptr);
    m.execute(11);
    EXPECT_EQ(m.read(on1)[0], 7000u);
    EXPECT_EQ(m.read(later)[0], 11u);
    expect_clean(m);
}

// B5: opening an event changes nothing for those that count already.
TEST(Counting, OpeningDisturbsNobody)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 first = m.open(counting(), 0, -1);
    for (u64 i = 0; i < 5; ++i) {
        m.execute(900);
        m.close(m.open(counting(0x11), 0, -1));
    }
    EXPECT_EQ(m.read(first)[0], 4500u);
    expect_clean(m);
}

// L21: PMEVTYPER is UNKNOWN at reset; only event number and filter may be in it afterwards.
TEST(Counting, EventTypeRegisterIsWrittenWhole)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    for (u32 n = 0; n < 6; ++n)
        m.pmu().evtyper_write(n, ~u64{0});
    PerfEventAttr attr = counting();
    attr.bits |= kAttrExcludeKernel;
    m.open(attr, 0, -1);
    EXPECT_EQ(m.pmu().evtyper_read(0), (u64{1} << 31) | 0x08);
    expect_clean(m);
}

// More events than counters: the first that does not fit ends the pass; a freed counter is used.
TEST(Counting, EventsBeyondTheCountersWaitForOne)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    std::vector<i64> fds;
    for (int i = 0; i < 7; ++i)
        fds.push_back(m.open(counting(), 0, -1));
    m.execute(1000);
    EXPECT_EQ(m.read(fds[5]), (std::vector<u64>{1000, 1000, 1000}));
    EXPECT_EQ(m.read(fds[6]), (std::vector<u64>{0, 1000, 0}));
    // Linux: a counter that comes free is given out at the next rotation or switch, not before.
    m.close(fds[0]);
    m.execute(500);
    EXPECT_EQ(m.read(fds[6]), (std::vector<u64>{0, 1500, 0}));
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    m.execute(500);
    EXPECT_EQ(m.read(fds[6]), (std::vector<u64>{500, 2000, 500}));
    expect_clean(m);
}

// CPU events come before task events (Linux ctx_sched_in); the task's event gets its counter back
// when it is scheduled in again.
TEST(Counting, CpuEventTakesACounterFromTheTask)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    std::vector<i64> fds;
    for (int i = 0; i < 6; ++i)
        fds.push_back(m.open(counting(), 0, -1));
    m.execute(100);
    const i64 cpu_event = m.open(counting(), -1, 0);
    m.execute(50);
    EXPECT_EQ(m.read(cpu_event)[0], 50u);
    EXPECT_EQ(m.read(fds[5])[0], 100u);
    m.close(cpu_event);
    m.run_on(0, nullptr);
    m.run_on(0, &m.first_task());
    m.execute(5);
    EXPECT_EQ(m.read(fds[5])[0], 105u);
    expect_clean(m);
}

// B11, R18: the last partial slice counts; the event stays readable after its task has gone.
TEST(Counting, ExitFoldsTheLastSlice)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    ScriptedTask& task = m.add_task(200, 200);
    const i64 fd = m.open(counting(), 200, -1);
    m.run_on(1, &task);
    m.execute(777);
    task.ids.exiting = true;
    hooks::exit(reinterpret_cast<Hal::Task*>(&task));
    m.run_on(1, nullptr);
    m.execute(1000);
    m.run_on(0, nullptr);
    EXPECT_EQ(m.read(fd), (std::vector<u64>{777, 777, 777}));
    EXPECT_EQ(facts(m.event(fd)).state, -3);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_ENABLE), 0);
    EXPECT_EQ(m.read(fd)[0], 777u);
    expect_clean(m);
}

// Linux perf_event_exit_cpu.
TEST(Counting, OfflineCpuKeepsTheLastCountAndRefusesNewEvents)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(counting(), -1, 1);
    m.run_on(1, nullptr);
    m.execute(123);
    m.run_on(0, nullptr);
    m.go_offline(1);
    EXPECT_EQ(m.read(fd)[0], 123u);
    EXPECT_EQ(m.open(counting(), -1, 1), -19);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_ENABLE), 0);
    EXPECT_EQ(m.read(fd)[0], 123u);
    expect_clean(m);
}

// DESIGN rule 11: a switch costs one load when nothing is open, and never depends on events
// elsewhere.
TEST(Counting, SwitchCostDependsOnOwnEventsOnly)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    ScriptedTask& task = m.add_task(200, 200);
    const auto cost = [&] {
        m.run_on(1, &task);
        const u64 before = m.hal_calls;
        m.run_on(1, nullptr);
        return m.hal_calls - before;
    };
    const u64 idle = cost();
    EXPECT_EQ(idle, 4u); // two hooks: cpu_slot and one load each
    for (int i = 0; i < 100; ++i)
        m.add_task(1000 + i, 1000 + i);
    std::vector<i64> elsewhere;
    m.files_max = 2000;
    for (int i = 0; i < 1000; ++i)
        elsewhere.push_back(m.open(counting(), 1000 + i % 100, -1));
    const u64 without = cost();
    const i64 one = m.open(counting(), 200, -1);
    const u64 with_one = cost();
    const i64 two = m.open(counting(), 200, -1);
    const u64 with_two = cost();
    EXPECT_LE(without, idle + 2); // looks for a context of the two tasks
    for (i64 fd : elsewhere)
        m.close(fd);
    EXPECT_EQ(cost(), with_two);
    m.close(two);
    EXPECT_EQ(cost(), with_one);
    m.close(one);
    EXPECT_EQ(cost(), idle);
    expect_clean(m);
}

} // namespace
} // namespace perfsim
