// SPDX-License-Identifier: Apache-2.0
// perf_event_open(2): errno by Linux 6.12's rules and order of checks.
#include "tests/core/machine.hpp"

#include <cstring>
#include <functional>

namespace perfsim {
namespace {

struct Vector {
    const char* rule;
    std::function<void(PerfEventAttr&)> change;
    i32 pid;
    i32 cpu;
    i32 group;
    u64 flags;
    i64 result; ///< -errno; 0: succeeds
};

const auto kNothing = [](PerfEventAttr&) {};

const std::vector<Vector> kVectors = {
    {"a plain self event", kNothing, 0, -1, -1, 0, 0},
    {"cloexec", kNothing, 0, -1, -1, 8, 0},
    {"unknown flag", kNothing, 0, -1, -1, 16, -22},
    {"flags are checked before the attr", [](PerfEventAttr& a) { a.size = 8; }, 0, -1, -1, 16, -22},
    {"size 0 means VER0", [](PerfEventAttr& a) { a.size = 0; }, 0, -1, -1, 0, 0},
    {"size below VER0", [](PerfEventAttr& a) { a.size = 63; }, 0, -1, -1, 0, -7},
    {"size beyond a page", [](PerfEventAttr& a) { a.size = 4097; }, 0, -1, -1, 0, -7},
    {"VER1", [](PerfEventAttr& a) { a.size = 72; }, 0, -1, -1, 0, 0},
    {"larger with a zero tail", [](PerfEventAttr& a) { a.size = 144; }, 0, -1, -1, 0, 0},
    {"reserved bit 38", [](PerfEventAttr& a) { a.bits |= u64{1} << 38; }, 0, -1, -1, 0, -22},
    {"reserved_2", [](PerfEventAttr& a) { a.reserved_2 = 1; }, 0, -1, -1, 0, -22},
    {"reserved_3", [](PerfEventAttr& a) { a.reserved_3 = 1; }, 0, -1, -1, 0, -22},
    {"sample_type beyond MAX", [](PerfEventAttr& a) { a.sample_type = 1u << 25; }, 0, -1, -1, 0,
     -22},
    {"read_format beyond MAX", [](PerfEventAttr& a) { a.read_format = 1u << 5; }, 0, -1, -1, 0,
     -22},
    {"regs without mask", [](PerfEventAttr& a) { a.sample_type = 1u << 12; }, 0, -1, -1, 0, -22},
    {"regs beyond PC",
     [](PerfEventAttr& a) { a.sample_type = 1u << 12, a.sample_regs_user = u64{1} << 33; }, 0, -1,
     -1, 0, -22},
    {"stack not a multiple of 8",
     [](PerfEventAttr& a) { a.sample_type = 1u << 13, a.sample_stack_user = 12; }, 0, -1, -1, 0,
     -22},
    {"two kinds of weight", [](PerfEventAttr& a) { a.sample_type = (1u << 14) | (1u << 24); }, 0,
     -1, -1, 0, -22},
    {"inherit_thread without inherit", [](PerfEventAttr& a) { a.bits |= kAttrInheritThread; }, 0,
     -1, -1, 0, -22},
    {"remove_on_exec with enable_on_exec",
     [](PerfEventAttr& a) { a.bits |= kAttrRemoveOnExec | kAttrEnableOnExec; }, 0, -1, -1, 0, -22},
    {"sigtrap without remove_on_exec", [](PerfEventAttr& a) { a.bits |= kAttrSigtrap; }, 0, -1, -1,
     0, -22},
    {"frequency beyond the sysctl",
     [](PerfEventAttr& a) { a.bits |= kAttrFreq, a.sample_period = 100001; }, 0, -1, -1, 0, -22},
    {"period with bit 63", [](PerfEventAttr& a) { a.sample_period = u64{1} << 63; }, 0, -1, -1, 0,
     -22},
    {"cgroup without a CPU", kNothing, 5, -1, -1, 4, -22},
    {"group fd that is none", kNothing, 0, -1, 99, 0, -9},
    {"a bad group fd wins over a bad pid", kNothing, 9999, -1, 99, 0, -9},
    {"no such task", kNothing, 9999, -1, -1, 0, -3},
    {"a bad pid wins over a bad CPU", kNothing, 9999, 99, -1, 0, -3},
    {"no task and no CPU", kNothing, -1, -1, -1, 0, -22},
    {"CPU out of range", kNothing, -1, 99, -1, 0, -22},
    {"CPU -5", kNothing, 0, -5, -1, 0, -22},
    {"a bad CPU wins over an unknown PMU", [](PerfEventAttr& a) { a.type = 77; }, -1, 99, -1, 0,
     -22},
    {"unknown PMU", [](PerfEventAttr& a) { a.type = 77; }, 0, -1, -1, 0, -2},
    {"task and CPU", kNothing, 0, 1, -1, 0, 0},
    {"hardware config 10", [](PerfEventAttr& a) { a.type = PERF_TYPE_HARDWARE, a.config = 10; }, 0,
     -1, -1, 0, -22},
    {"ref cycles", [](PerfEventAttr& a) { a.type = PERF_TYPE_HARDWARE, a.config = 9; }, 0, -1, -1,
     0, -2},
    {"hardware event not in PMCEID",
     [](PerfEventAttr& a) { a.type = PERF_TYPE_HARDWARE, a.config = 6; }, 0, -1, -1, 0, -2},
    {"raw event not in PMCEID opens and counts nothing", [](PerfEventAttr& a) { a.config = 0x3f; },
     0, -1, -1, 0, 0},
    {"CHAIN", [](PerfEventAttr& a) { a.config = 0x1e; }, 0, -1, -1, 0, -22},
    {"extended type of another PMU",
     [](PerfEventAttr& a) { a.type = PERF_TYPE_HARDWARE, a.config = (u64{55} << 32) | 1; }, 0, -1,
     -1, 0, -2},
    {"extended type of this PMU",
     [](PerfEventAttr& a) { a.type = PERF_TYPE_HARDWARE, a.config = (u64{8} << 32) | 1; }, 0, -1,
     -1, 0, 0},
    {"cache event: L1D read misses",
     [](PerfEventAttr& a) { a.type = PERF_TYPE_HW_CACHE, a.config = 0x10000; }, 0, -1, -1, 0, 0},
    {"cache event: unmapped", [](PerfEventAttr& a) { a.type = PERF_TYPE_HW_CACHE, a.config = 6; },
     0, -1, -1, 0, -2},
    {"cache event: out of range",
     [](PerfEventAttr& a) { a.type = PERF_TYPE_HW_CACHE, a.config = 7; }, 0, -1, -1, 0, -22},
    {"exclude_idle", [](PerfEventAttr& a) { a.bits |= kAttrExcludeIdle; }, 0, -1, -1, 0, -95},
    {"config beyond 16 bits is masked", [](PerfEventAttr& a) { a.config = 0xabcd'0008; }, 0, -1, -1,
     0, 0},
};

TEST(Open, ErrnoFollowsLinux)
{
    for (Vector const& vector : kVectors) {
        ScriptedMachine m(two_cpus());
        m.boot();
        PerfEventAttr attr = counting();
        vector.change(attr);
        const i64 result = m.open(attr, vector.pid, vector.cpu, vector.group, vector.flags);
        if (vector.result == 0)
            EXPECT_GE(result, 3) << vector.rule;
        else
            EXPECT_EQ(result, vector.result) << vector.rule;
        m.finish();
        EXPECT_TRUE(m.problems().empty()) << vector.rule << ": " << m.problems().front();
    }
}

// perf_copy_attr: E2BIG writes the size the kernel knows back into attr.size.
TEST(Open, TooBigWritesTheKnownSizeBack)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    PerfEventAttr attr = counting();
    attr.size = 5000;
    EXPECT_EQ(m.open(attr, 0, -1), -7);
    u32 size = 0;
    ASSERT_TRUE(m.copy_from_user(&size, 0x10000 + offsetof(PerfEventAttr, size), sizeof size));
    EXPECT_EQ(size, 136u);
    expect_clean(m);
}

// B14: PMCEID decides, 0x21 first.
TEST(Open, BranchInstructionsIsBrRetiredElsePcWriteRetired)
{
    const std::pair<u64, u64> cases[] = {{0x21, 0x21}, {0x0c, 0x0c}, {0x21'0c, 0x21}, {0, 0}};
    for (auto const& [implemented, expected] : cases) {
        auto clusters = two_cpus();
        PmuConfig& pmu = clusters[0].pmu;
        pmu.pmceid0 &= ~(1u << 0x0c);
        pmu.pmceid1 = implemented == 0x21 || implemented == 0x21'0c ? 2 : 0;
        if (implemented == 0x0c || implemented == 0x21'0c)
            pmu.pmceid0 |= 1u << 0x0c;
        ScriptedMachine m(clusters);
        m.boot();
        PerfEventAttr attr = counting(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
        attr.type = PERF_TYPE_HARDWARE;
        const i64 fd = m.open(attr, 0, -1);
        if (expected == 0)
            EXPECT_EQ(fd, -2);
        else
            EXPECT_EQ(facts(m.event(fd)).event_number, expected);
        expect_clean(m);
    }
}

// Paranoid levels without CAP_PERFMON: above 1 no kernel profiling, above 0 no CPU events.
TEST(Open, ParanoidLevels)
{
    for (i32 paranoid = -1; paranoid <= 2; ++paranoid) {
        ScriptedMachine m(two_cpus());
        m.boot();
        m.subsystem().settings.paranoid = paranoid;
        m.perfmon = false;
        PerfEventAttr user = counting();
        user.bits |= kAttrExcludeKernel;
        EXPECT_EQ(m.open(counting(), 0, -1) >= 0, paranoid <= 1);
        EXPECT_GE(m.open(user, 0, -1), 3);
        EXPECT_EQ(m.open(user, -1, 0) >= 0, paranoid <= 0);
        m.add_task(200, 200);
        EXPECT_EQ(m.open(user, 200, -1), -13); // ptrace access
        expect_clean(m);
    }
}

// R12: without an interrupt counting works and sampling is EOPNOTSUPP.
TEST(Open, PmuWithoutInterruptCountsOnly)
{
    auto clusters = two_cpus();
    clusters[0].interrupt = false;
    ScriptedMachine m(clusters);
    m.boot();
    EXPECT_GE(m.open(counting(), 0, -1), 3);
    EXPECT_EQ(m.open(sampling(1000, PERF_SAMPLE_IP), 0, -1), -95);
    expect_clean(m);
}

// Every allocation of open and mmap may fail; nothing is left behind, and the next try works.
TEST(Open, AllocationFailuresLeaveNothing)
{
    for (u64 nth = 1; nth <= 6; ++nth) {
        ScriptedMachine m(two_cpus());
        m.boot();
        m.fail_allocation = nth;
        i64 fd = m.open(sampling(1000, PERF_SAMPLE_IP), 0, -1);
        const bool open_failed = fd < 0;
        EXPECT_EQ(fd, open_failed ? -12 : fd);
        if (open_failed)
            fd = m.open(sampling(1000, PERF_SAMPLE_IP), 0, -1);
        ASSERT_GE(fd, 3);
        const i64 mapped = m.mmap(fd, 1);
        if (mapped != 0) {
            EXPECT_EQ(mapped, -12);
            EXPECT_EQ(m.mmap(fd, 1), 0);
        }
        m.execute(2500);
        EXPECT_EQ(facts(m.event(fd)).samples, 2u);
        expect_clean(m);
    }
}

TEST(Open, FullDescriptorTableIsEmfile)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    m.files_max = 1;
    EXPECT_GE(m.open(counting(), 0, -1), 3);
    EXPECT_EQ(m.open(counting(), 0, -1), -24);
    m.execute(10);
    expect_clean(m);
}

} // namespace
} // namespace perfsim
