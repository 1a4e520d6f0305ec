// SPDX-License-Identifier: Apache-2.0
// Oracle "contexts": which context each kind of HAL function may be called from (core/hal/hal.hpp,
// DESIGN rule 5). Oracle "locks": one order of lock classes, none held at the end.
#include "tests/sim/oracles/fake_world.hpp"

namespace perfsim {

namespace {

using Level = ExecContext::Level;

class ContextsTest : public OracleTest {
protected:
    void lock(const char* name, const void* which, bool spin, u32 cpu = 0, TaskView by = task(0))
    {
        tell([&](Observer& o) { o.on_lock(cpu, by, name, which, spin); });
    }
    void unlock(const char* name, const void* which, bool spin, u32 cpu = 0, TaskView by = task(0))
    {
        tell([&](Observer& o) { o.on_unlock(cpu, by, name, which, spin); });
    }
    void spin(const char* name, const void* which) { lock(name, which, true); }
    void mutex(const char* name, const void* which) { lock(name, which, false); }

    int a = 0; // lock addresses
    int b = 0;
    int c = 0;
};

// Rows of the contract: P with interrupts on, P with interrupts off, A, I.
struct Row {
    HalUse use;
    bool process;
    bool process_masked;
    bool atomic;
    bool interrupt;
};

constexpr Row kContract[] = {
    {HalUse::Memory, true, false, false, false},    {HalUse::CopyUser, true, false, false, false},
    {HalUse::Mutex, true, false, false, false},     {HalUse::Process, true, false, false, false},
    {HalUse::Call, true, false, false, false},      {HalUse::ThisCpu, false, true, true, true},
    {HalUse::Interrupt, false, false, false, true}, {HalUse::FromDefer, true, true, false, true},
};

class ContractTest : public ContextsTest, public ::testing::WithParamInterface<Row> {
protected:
    void expect(bool allowed, Level level, bool irqs_on)
    {
        world.failures.clear();
        hal(GetParam().use, level, irqs_on);
        EXPECT_EQ(failed("contexts"), allowed ? 0u : 1u)
            << "level " << static_cast<int>(level) << " interrupts " << irqs_on << "\n"
            << messages();
    }
};

TEST_P(ContractTest, EachUseIsAllowedWhereTheContractSaysSo)
{
    expect(GetParam().process, Level::Process, true);
    expect(GetParam().process_masked, Level::Process, false);
    expect(GetParam().atomic, Level::Atomic, false);
    expect(GetParam().interrupt, Level::Interrupt, false);
}

INSTANTIATE_TEST_SUITE_P(Hal, ContractTest, ::testing::ValuesIn(kContract));

class SpinTest : public ContextsTest, public ::testing::WithParamInterface<HalUse> {};

// DESIGN rule 5: no allocation, user copy, fd install, task look-up, call or sleep under a spin
// lock.
TEST_P(SpinTest, NothingThatMaySleepIsCalledUnderASpinLock)
{
    spin("ctx.lock", &a);
    hal(GetParam(), Level::Process, true);
    EXPECT_EQ(failed("contexts"), 1u);
    world.failures.clear();
    unlock("ctx.lock", &a, true);
    hal(GetParam(), Level::Process, true);
    EXPECT_EQ(failed(), 0u) << messages();
}

INSTANTIATE_TEST_SUITE_P(Hal, SpinTest,
                         ::testing::Values(HalUse::Memory, HalUse::CopyUser, HalUse::Mutex,
                                           HalUse::Process, HalUse::Call, HalUse::FromDefer));

TEST_F(ContextsTest, RegistersMayBeUsedUnderASpinLock)
{
    spin("ctx.lock", &a);
    hal(HalUse::ThisCpu, Level::Atomic, false);
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(ContextsTest, ASpinLockOfAnotherCpuDoesNotMatter)
{
    lock("ctx.lock", &a, true, 1, task(1));
    hal(HalUse::Memory, Level::Process, true);
    EXPECT_EQ(failed(), 0u) << messages();
}

// R7: copies to user space fault and sleep; whatever lock is held can deadlock with the mmap lock.
TEST_F(ContextsTest, AUserCopyWithAMutexHeldFails)
{
    mutex("ctx.mutex", &a);
    hal(HalUse::CopyUser, Level::Process, true);
    EXPECT_EQ(failed("contexts"), 1u);
}

TEST_F(ContextsTest, AllocationsAndCallsWithAMutexHeldPass)
{
    mutex("ctx.mutex", &a);
    hal(HalUse::Memory, Level::Process, true);
    hal(HalUse::Call, Level::Process, true);
    hal(HalUse::Mutex, Level::Process, true);
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(ContextsTest, AMutexGoesWithItsTaskToAnotherCpu)
{
    lock("ctx.mutex", &a, false, 0, task(0));
    hal(HalUse::CopyUser, Level::Process, true, 0, task(1)); // another task, same CPU
    EXPECT_EQ(failed(), 0u) << messages();
    hal(HalUse::CopyUser, Level::Process, true, 1, task(0)); // the holder, after a migration
    EXPECT_EQ(failed("contexts"), 1u);
}

TEST_F(ContextsTest, OneOrderOfLocksPasses)
{
    for (int round = 0; round < 2; ++round) {
        mutex("ctx.mutex", &a);
        mutex("child_mutex", &b);
        spin("ctx.lock", &c);
        unlock("ctx.lock", &c, true);
        unlock("child_mutex", &b, false);
        unlock("ctx.mutex", &a, false);
    }
    world_end();
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(ContextsTest, TheOtherOrderFailsWithoutAnyDeadlockHappening)
{
    mutex("A", &a);
    mutex("B", &b);
    unlock("B", &b, false);
    unlock("A", &a, false);
    EXPECT_EQ(failed(), 0u) << messages();
    mutex("B", &b);
    mutex("A", &a);
    EXPECT_EQ(failed("locks"), 1u);
}

TEST_F(ContextsTest, ACycleOfThreeClassesFails)
{
    const auto nested = [&](const char* outer, const void* outer_lock, const char* inner,
                            const void* inner_lock) {
        mutex(outer, outer_lock);
        mutex(inner, inner_lock);
        unlock(inner, inner_lock, false);
        unlock(outer, outer_lock, false);
    };
    nested("A", &a, "B", &b);
    nested("B", &b, "C", &c);
    EXPECT_EQ(failed(), 0u) << messages();
    nested("C", &c, "A", &a);
    EXPECT_EQ(failed("locks"), 1u);
}

TEST_F(ContextsTest, TheOrderHoldsAcrossTasks)
{
    lock("A", &a, false, 0, task(0));
    lock("B", &b, false, 0, task(0));
    unlock("B", &b, false, 0, task(0));
    unlock("A", &a, false, 0, task(0));
    lock("B", &b, false, 1, task(1));
    lock("A", &a, false, 1, task(1));
    EXPECT_EQ(failed("locks"), 1u);
}

// Two objects of one class have no order among themselves (R8).
TEST_F(ContextsTest, TwoLocksOfOneClassFail)
{
    spin("ctx.lock", &a);
    spin("ctx.lock", &b);
    EXPECT_EQ(failed("locks"), 1u);
}

TEST_F(ContextsTest, LocksOfDifferentTasksAreNotNested)
{
    lock("A", &a, false, 0, task(0));
    lock("B", &b, false, 1, task(1));
    unlock("B", &b, false, 1, task(1));
    lock("A", &c, false, 1, task(1));
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(ContextsTest, ASpinLockHeldAtTheEndFails)
{
    spin("ctx.lock", &a);
    world_end();
    EXPECT_EQ(failed("locks"), 1u);
}

TEST_F(ContextsTest, AMutexHeldAtTheEndFails)
{
    mutex("ctx.mutex", &a);
    world_end();
    EXPECT_EQ(failed("locks"), 1u);
}

} // namespace

} // namespace perfsim
