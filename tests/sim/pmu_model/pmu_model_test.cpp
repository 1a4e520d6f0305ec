// SPDX-License-Identifier: Apache-2.0
// The PMU model by rules of the Arm ARM (DDI 0487), named in each test, and against a naive model
// that counts one event at a time.
#include "sim/kernel_model/random.hpp"
#include "sim/pmu_model/event_catalogue.hpp"
#include "sim/pmu_model/pmu_model.hpp"

#include <gtest/gtest.h>

namespace perfsim {
namespace {

constexpr u64 kE = 1, kP = 2, kC = 4, kD = 8, kLc = 0x40, kLp = 0x80;
constexpr u64 kCycleBit = u64{1} << 31;

PmuConfig config(perfcore::u8 version = 4)
{
    PmuConfig pmu;
    pmu.pmu_version = version;
    pmu.pmceid0 = (1u << 0x00) | (1u << 0x08) | (1u << 0x11) | (1u << 0x1e);
    return pmu;
}

PmuModel fresh(perfcore::u8 version = 4)
{
    PmuModel pmu;
    pmu.reset(config(version), 1);
    pmu.write(PmuReg::PMCR_EL0, kE | kP | kC | kLc);
    pmu.write(PmuReg::PMCNTENCLR_EL0, ~u64{0});
    pmu.write(PmuReg::PMINTENCLR_EL1, ~u64{0});
    pmu.write(PmuReg::PMOVSCLR_EL0, ~u64{0});
    pmu.write(PmuReg::PMCCFILTR_EL0, 0);
    for (u32 n = 0; n < 6; ++n)
        pmu.evtyper_write(n, 0x08);
    return pmu;
}

void run(PmuModel& pmu, u64 instructions, ExceptionLevel el = ExceptionLevel::El0)
{
    pmu.advance(el, [&](u32 event) -> u64 {
        return event == 0x08 ? instructions : event == 0x11 ? 2 * instructions : 0;
    });
}

// "PMCR_EL0.E resets to 0"; other fields and registers are architecturally UNKNOWN.
TEST(Reset, EverythingButEnableIsUnknown)
{
    PmuModel a, b;
    a.reset(config(), 1);
    b.reset(config(), 2);
    EXPECT_EQ(a.read(PmuReg::PMCR_EL0) & kE, 0u);
    EXPECT_EQ(b.read(PmuReg::PMCR_EL0) & kE, 0u);
    EXPECT_NE(a.read(PmuReg::PMCCNTR_EL0), b.read(PmuReg::PMCCNTR_EL0));
    EXPECT_NE(a.evtyper_read(0), b.evtyper_read(0));
    PmuModel again;
    again.reset(config(), 1);
    EXPECT_EQ(a.read(PmuReg::PMOVSSET_EL0), again.read(PmuReg::PMOVSSET_EL0));
}

// PMCR_EL0.N, IMP; PMCNTENSET and friends have bits for implemented counters only.
TEST(Registers, ImplementedBits)
{
    PmuModel pmu = fresh();
    EXPECT_EQ((pmu.read(PmuReg::PMCR_EL0) >> 11) & 0x1f, 6u);
    EXPECT_EQ((pmu.read(PmuReg::PMCR_EL0) >> 24) & 0xff, 0x41u);
    pmu.write(PmuReg::PMCNTENSET_EL0, ~u64{0});
    EXPECT_EQ(pmu.read(PmuReg::PMCNTENSET_EL0), 0x8000'003fu);
    EXPECT_EQ(pmu.read(PmuReg::PMCNTENCLR_EL0), 0x8000'003fu);
    pmu.evtyper_write(0, ~u64{0});
    EXPECT_EQ(pmu.evtyper_read(0), 0xfe00'ffffu); // as measured on QEMU
    pmu.evcntr_write(0, ~u64{0});
    EXPECT_EQ(pmu.evcntr_read(0), 0xffff'ffffu);
    pmu.evcntr_write(6, 5);
    EXPECT_EQ(pmu.evcntr_read(6), 0u);
    EXPECT_EQ((pmu.read(PmuReg::ID_AA64DFR0_EL1) >> 8) & 0xf, 4u);
}

// PMCR_EL0.P and C reset counters at the write, read as zero and leave PMOVS alone.
TEST(Registers, ResetBitsActAtTheWrite)
{
    PmuModel pmu = fresh();
    pmu.evcntr_write(3, 77);
    pmu.write(PmuReg::PMCCNTR_EL0, 88);
    pmu.write(PmuReg::PMOVSSET_EL0, 1);
    pmu.write(PmuReg::PMCR_EL0, kE | kP);
    EXPECT_EQ(pmu.evcntr_read(3), 0u);
    EXPECT_EQ(pmu.read(PmuReg::PMCCNTR_EL0), 88u);
    pmu.write(PmuReg::PMCR_EL0, kE | kC);
    EXPECT_EQ(pmu.read(PmuReg::PMCCNTR_EL0), 0u);
    EXPECT_EQ(pmu.read(PmuReg::PMCR_EL0) & (kP | kC), 0u);
    EXPECT_EQ(pmu.read(PmuReg::PMOVSSET_EL0), 1u);
}

// "Controlling the PMU counters": PMCR.E and PMCNTEN both; P and U filter EL1 and EL0.
TEST(Counting, EnablesAndFilters)
{
    PmuModel pmu = fresh();
    pmu.write(PmuReg::PMCNTENSET_EL0, 0xf);
    pmu.evtyper_write(1, 0x08 | (u64{1} << 31)); // P
    pmu.evtyper_write(2, 0x08 | (u64{1} << 30)); // U
    pmu.evtyper_write(3, 0x21);                  // not in PMCEID: counts nothing
    run(pmu, 10);
    run(pmu, 100, ExceptionLevel::El1);
    pmu.write(PmuReg::PMCR_EL0, kLc);
    run(pmu, 1000);
    EXPECT_EQ(pmu.evcntr_read(0), 110u);
    EXPECT_EQ(pmu.evcntr_read(1), 10u);
    EXPECT_EQ(pmu.evcntr_read(2), 100u);
    EXPECT_EQ(pmu.evcntr_read(3), 0u);
    EXPECT_EQ(pmu.evtyper_read(3), 0x21u);
    EXPECT_EQ(pmu.evcntr_read(4), 0u);
}

// "Generating overflow interrupt requests": a level: PMCR.E and PMOVS and PMINTEN.
TEST(Overflow, LineIsALevel)
{
    PmuModel pmu = fresh();
    pmu.write(PmuReg::PMCNTENSET_EL0, 1);
    pmu.evcntr_write(0, 0xffff'fffe);
    run(pmu, 1);
    EXPECT_EQ(pmu.read(PmuReg::PMOVSSET_EL0), 0u);
    run(pmu, 1);
    EXPECT_EQ(pmu.read(PmuReg::PMOVSSET_EL0), 1u);
    EXPECT_EQ(pmu.evcntr_read(0), 0u);
    EXPECT_FALSE(pmu.line());
    pmu.write(PmuReg::PMINTENSET_EL1, 1);
    EXPECT_TRUE(pmu.line());
    pmu.write(PmuReg::PMCR_EL0, kLc);
    EXPECT_FALSE(pmu.line());
    pmu.write(PmuReg::PMCR_EL0, kLc | kE);
    EXPECT_TRUE(pmu.line());
    pmu.write(PmuReg::PMOVSCLR_EL0, 1);
    EXPECT_FALSE(pmu.line());
}

// PMCR_EL0.LC: cycle counter overflow at 64 or 32 bits; D divides by 64 unless LC is set.
TEST(Overflow, CycleCounterWidthAndDivider)
{
    for (bool lc : {false, true}) {
        PmuModel pmu = fresh();
        pmu.write(PmuReg::PMCR_EL0, kE | (lc ? kLc : 0));
        pmu.write(PmuReg::PMCNTENSET_EL0, kCycleBit);
        pmu.write(PmuReg::PMCCNTR_EL0, 0xffff'ffff);
        run(pmu, 1);
        EXPECT_EQ(pmu.read(PmuReg::PMCCNTR_EL0), 0x1'0000'0001u);
        EXPECT_EQ(pmu.read(PmuReg::PMOVSSET_EL0), lc ? 0 : kCycleBit);
        pmu.write(PmuReg::PMOVSCLR_EL0, kCycleBit);
        pmu.write(PmuReg::PMCCNTR_EL0, ~u64{0} - 1);
        run(pmu, 1);
        EXPECT_EQ(pmu.read(PmuReg::PMCCNTR_EL0), 0u);
        EXPECT_EQ(pmu.read(PmuReg::PMOVSSET_EL0), kCycleBit);
    }
    PmuModel pmu = fresh();
    pmu.write(PmuReg::PMCR_EL0, kE | kC | kD);
    pmu.write(PmuReg::PMCNTENSET_EL0, kCycleBit);
    for (int i = 0; i < 64; ++i)
        run(pmu, 1); // two cycles each
    EXPECT_EQ(pmu.read(PmuReg::PMCCNTR_EL0), 2u);
}

// PMUv3p5: 64-bit event counters; LP selects the width of overflow. Before, LP is RES0.
TEST(Overflow, LongEventCounters)
{
    PmuModel pmu = fresh(6);
    pmu.write(PmuReg::PMCNTENSET_EL0, 1);
    pmu.evcntr_write(0, 0xffff'ffff);
    run(pmu, 1);
    EXPECT_EQ(pmu.evcntr_read(0), u64{1} << 32);
    EXPECT_EQ(pmu.read(PmuReg::PMOVSSET_EL0), 1u);
    pmu.write(PmuReg::PMOVSCLR_EL0, 1);
    pmu.write(PmuReg::PMCR_EL0, kE | kLc | kLp);
    pmu.evcntr_write(0, 0xffff'ffff);
    run(pmu, 1);
    EXPECT_EQ(pmu.read(PmuReg::PMOVSSET_EL0), 0u);
    PmuModel old = fresh(4);
    old.write(PmuReg::PMCR_EL0, kE | kLp);
    EXPECT_EQ(old.read(PmuReg::PMCR_EL0) & kLp, 0u);
}

// CHAIN on an odd counter counts the overflows of its even neighbour.
TEST(Overflow, ChainCountsTheNeighboursOverflows)
{
    PmuModel pmu = fresh();
    pmu.evtyper_write(3, 0x1e);
    pmu.write(PmuReg::PMCNTENSET_EL0, 0xc);
    pmu.evcntr_write(2, 0xffff'fff0);
    pmu.evcntr_write(3, 0xffff'ffff);
    pmu.write(PmuReg::PMINTENSET_EL1, 8);
    run(pmu, 0x20);
    EXPECT_EQ(pmu.evcntr_read(2), 0x10u);
    EXPECT_EQ(pmu.evcntr_read(3), 0u);
    EXPECT_TRUE(pmu.line());
}

// PMSWINC_EL0 counts on enabled counters whose event is SW_INCR.
TEST(Counting, SoftwareIncrement)
{
    PmuModel pmu = fresh();
    pmu.evtyper_write(0, 0);
    pmu.write(PmuReg::PMCNTENSET_EL0, 3);
    pmu.write(PmuReg::PMSWINC_EL0, 3);
    run(pmu, 5);
    EXPECT_EQ(pmu.evcntr_read(0), 1u);
    EXPECT_EQ(pmu.evcntr_read(1), 5u);
}

TEST(Catalogue, NamesAndNumbers)
{
    EXPECT_EQ(event_catalogue().size(), 0x40u);
    for (u32 number = 0; number < 0x40; ++number) {
        const EventName* event = find_event(number);
        ASSERT_NE(event, nullptr);
        EXPECT_EQ(find_event(event->name), event);
    }
    EXPECT_EQ(find_event("br_retired")->number, 0x21u);
    EXPECT_EQ(find_event("nonsense"), nullptr);
}

// The overflow the model predicts is the one that happens; splitting a step changes nothing; and a
// model that counts one instruction at a time agrees. Random register programs.
TEST(Property, PredictionAdditivityAndNaiveModelAgree)
{
    Random random(7, 1);
    for (u32 round = 0; round < 400; ++round) {
        const perfcore::u8 version = random.one_in(2) ? 4 : 6;
        PmuModel whole = fresh(version);
        const u64 pmcr = kE | (random.next() & (kD | kLc | kLp));
        whole.write(PmuReg::PMCR_EL0, pmcr);
        bool chained = false;
        for (u32 n = 0; n < 6; ++n) {
            constexpr u64 kEvents[] = {0x08, 0x11, 0x1e, 0x21};
            const u64 filter = random.one_in(4) ? random.next() & (u64{3} << 30) : 0;
            const u64 event = kEvents[random.below(4)];
            chained |= event == 0x1e;
            whole.evtyper_write(n, event | filter);
            whole.evcntr_write(n, u64{0} - random.below(300));
        }
        whole.write(PmuReg::PMCCNTR_EL0, u64{0} - random.below(300));
        whole.write(PmuReg::PMCNTENSET_EL0, random.next());
        whole.write(PmuReg::PMINTENSET_EL1, random.next());
        PmuModel split = whole, naive = whole, predicted = whole;

        const u64 at = predicted.next_overflow(ExceptionLevel::El0, [](u32 event, u64 n) -> u64 {
            return event == 0x08 ? n : event == 0x11 && n != kNever ? (n + 1) / 2 : kNever;
        });
        if (at != kNever && at < 100'000) {
            run(predicted, at - 1);
            EXPECT_FALSE(predicted.line()) << round;
            run(predicted, 1);
            // A chained pair is stopped at for its lower half; its line rises with the upper one.
            if (!chained) {
                EXPECT_TRUE(predicted.line()) << round;
            }
        }
        const u64 length = random.below(600);
        const u64 first = random.below(length + 1);
        run(whole, length);
        run(split, first);
        run(split, length - first);
        for (u64 i = 0; i < length; ++i)
            run(naive, 1);
        for (PmuModel const* other : {&split, &naive}) {
            for (u32 n = 0; n < 6; ++n) {
                EXPECT_EQ(whole.evcntr_read(n), other->evcntr_read(n)) << round << " counter " << n;
                EXPECT_EQ(whole.total(n), other->total(n));
            }
            EXPECT_EQ(whole.read(PmuReg::PMCCNTR_EL0), other->read(PmuReg::PMCCNTR_EL0));
            EXPECT_EQ(whole.read(PmuReg::PMOVSSET_EL0), other->read(PmuReg::PMOVSSET_EL0)) << round;
        }
    }
}

} // namespace
} // namespace perfsim
