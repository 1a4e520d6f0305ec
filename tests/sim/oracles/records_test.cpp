// SPDX-License-Identifier: Apache-2.0
// Oracles "records" (well-formed, of this event, in order of time, LOST followed by its sample),
// "identity" (tid, pid, cpu, ip, id) and "loss" (readers never see more than the core claims).
// Layouts: perf_event_open(2), "MMAP layout".
#include "tests/sim/oracles/fake_world.hpp"
#include "tests/sim/oracles/record_bytes.hpp"

namespace perfsim {

namespace {

using namespace perfcore;

constexpr u64 kIp = 0x40'0010; // in function "hot"
constexpr u64 kIpNowhere = 0x30'0000;
constexpr u64 kIpKernel = 0xffff'8000'8000'0000;
const u64 kIds100 = RecordBytes::pair(100, 100);
const u64 kOnLittle0 = RecordBytes::pair(kLittle0, 0);

class RecordsTest : public OracleTest {
protected:
    static constexpr u64 kType = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                                 PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

    /// thread kNone: of CPU kLittle0. The tasks have been switched in at 10 ns.
    void sampling(u64 type = kType, u32 thread = 0)
    {
        OpenedEvent event = event_of(kId, 0, thread, thread == kNone ? kLittle0 : -1);
        event.attr.sample_period = kPeriod;
        event.attr.sample_type = type;
        open(event);
        at_ns(10);
        switch_to(kLittle0, task(0));
    }
    static RecordBytes sample(u64 time, u64 ids = kIds100, u64 cpu = kOnLittle0, u64 ip = kIp)
    {
        return RecordBytes{}.sample({ip, ids, time, kId, cpu, kPeriod});
    }
    perfcore::EventFacts facts(u64 samples, u64 lost) const
    {
        perfcore::EventFacts facts;
        facts.id = kId;
        facts.samples = samples;
        facts.lost = lost;
        return facts;
    }
};

TEST_F(RecordsTest, GoodSamplesPass)
{
    sampling();
    RecordBytes ring = sample(20);
    ring.sample({kIp, kIds100, 30, kId, kOnLittle0, kPeriod});
    ring.lost({kId, 4});
    ring.sample({kIp, kIds100, 40, kId, kOnLittle0, kPeriod});
    drained(kId, ring.bytes);
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(RecordsTest, AnEmptyRingPasses)
{
    sampling();
    drained(kId, {});
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(RecordsTest, ARecordThatIsLargerThanItsFieldsFails)
{
    sampling();
    RecordBytes ring = sample(20);
    ring.sample({kIp, kIds100, 30, kId, kOnLittle0, kPeriod, 0});
    drained(kId, ring.bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, ARecordThatIsSmallerThanItsFieldsFails)
{
    sampling();
    drained(kId, RecordBytes{}.sample({kIp, kIds100, 30, kId, kOnLittle0}).bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, AnUnknownRecordTypeFails)
{
    sampling();
    drained(kId, RecordBytes{}.record(77, 0, {1}).bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, ASizeThatIsNoMultipleOfEightFails)
{
    sampling();
    RecordBytes ring;
    ring.word(PERF_RECORD_SAMPLE | u64{12} << 48).word(0);
    drained(kId, ring.bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, ATornRecordFails)
{
    sampling();
    std::vector<perfcore::u8> bytes = sample(20).bytes;
    bytes.resize(bytes.size() - sizeof(u64));
    drained(kId, bytes);
    EXPECT_EQ(failed("records"), 1u);
    bytes.resize(4);
    drained(kId, bytes);
    EXPECT_EQ(failed("records"), 2u);
}

TEST_F(RecordsTest, AHeaderOfSizeZeroFails)
{
    sampling();
    drained(kId, RecordBytes{}.word(0).bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, TimeThatGoesBackFailsAcrossDrainsToo)
{
    sampling();
    drained(kId, sample(20).bytes);
    drained(kId, sample(20).bytes);
    EXPECT_EQ(failed(), 0u) << messages();
    drained(kId, sample(19).bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, AnotherPeriodFails)
{
    sampling();
    drained(kId, RecordBytes{}.sample({kIp, kIds100, 20, kId, kOnLittle0, kPeriod + 1}).bytes);
    EXPECT_EQ(failed("records"), 1u);
}

// L31: LOST and the sample behind it are reserved together.
TEST_F(RecordsTest, ALostRecordWithoutItsSampleFails)
{
    sampling();
    RecordBytes ring = sample(20);
    ring.lost({kId, 4});
    drained(kId, ring.bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, TwoLostRecordsInSuccessionFail)
{
    sampling();
    RecordBytes ring;
    ring.lost({kId, 4}).lost({kId, 1});
    ring.sample({kIp, kIds100, 20, kId, kOnLittle0, kPeriod});
    drained(kId, ring.bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, ALostRecordOfNothingOrOfAnotherEventFails)
{
    sampling();
    RecordBytes ring;
    ring.lost({kId, 0});
    ring.sample({kIp, kIds100, 20, kId, kOnLittle0, kPeriod});
    drained(kId, ring.bytes);
    EXPECT_EQ(failed("records"), 1u);
    RecordBytes other;
    other.lost({kId + 1, 2});
    other.sample({kIp, kIds100, 20, kId, kOnLittle0, kPeriod});
    drained(kId, other.bytes);
    EXPECT_EQ(failed("records"), 2u);
}

// L11: with sample_id_all a LOST record has a trailer, here tid, time, id, cpu.
TEST_F(RecordsTest, ALostRecordWithoutItsTrailerFails)
{
    OpenedEvent event = event_of(kId, 0, 0);
    event.attr.sample_period = kPeriod;
    event.attr.sample_type = kType;
    event.attr.bits = kAttrSampleIdAll;
    open(event);
    switch_to(kLittle0, task(0));
    RecordBytes with;
    with.lost({kId, 4, kIds100, 20, kId, kOnLittle0});
    with.sample({kIp, kIds100, 20, kId, kOnLittle0, kPeriod});
    drained(kId, with.bytes);
    EXPECT_EQ(failed(), 0u) << messages();
    RecordBytes without;
    without.lost({kId, 4});
    without.sample({kIp, kIds100, 20, kId, kOnLittle0, kPeriod});
    drained(kId, without.bytes);
    EXPECT_EQ(failed("records"), 1u);
}

TEST_F(RecordsTest, AnotherIdFails)
{
    sampling(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID);
    drained(kId, RecordBytes{}.sample({kId, kId}).bytes);
    EXPECT_EQ(failed(), 0u) << messages();
    drained(kId, RecordBytes{}.sample({kOther, kId}).bytes);
    drained(kId, RecordBytes{}.sample({kId, kOther}).bytes);
    EXPECT_EQ(failed("identity"), 2u);
}

// B31: a sample of a task's event names that task, whoever runs when the interrupt is taken.
TEST_F(RecordsTest, ATaskEventsSampleNamesAnotherTask)
{
    sampling();
    at_ns(30);
    switch_to(kLittle0, task(1));
    drained(kId, sample(20, RecordBytes::pair(100, 101)).bytes);
    EXPECT_EQ(failed("identity"), 1u);
}

TEST_F(RecordsTest, PidAndTidSwappedFail)
{
    sampling(PERF_SAMPLE_TID, 1);
    drained(kId, RecordBytes{}.sample({RecordBytes::pair(100, 101)}).bytes);
    EXPECT_EQ(failed(), 0u) << messages();
    drained(kId, RecordBytes{}.sample({RecordBytes::pair(101, 100)}).bytes);
    drained(kId, RecordBytes{}.sample({RecordBytes::pair(101, 101)}).bytes);
    EXPECT_EQ(failed("identity"), 2u);
}

TEST_F(RecordsTest, ACpuOutsideTheEventsPmuFails)
{
    sampling();
    drained(kId, sample(20, kIds100, RecordBytes::pair(kBig0, 0)).bytes);
    EXPECT_GE(failed("identity"), 1u);
}

// R5: wrong CPU in the records of perf record -a.
TEST_F(RecordsTest, AnotherCpuThanTheCpuBoundEventsFails)
{
    sampling(kType, kNone);
    drained(kId, sample(20, kIds100, RecordBytes::pair(kLittle1, 0)).bytes);
    EXPECT_EQ(failed("identity"), 1u);
}

TEST_F(RecordsTest, ACpuEventsSampleNamesWhoRanThereThen)
{
    sampling(kType, kNone); // task 0 from 10 ns on
    at_ns(50);
    switch_to(kLittle0, task(2));
    at_ns(90);
    switch_to(kLittle0, task(0));
    RecordBytes ring = sample(49);
    ring.sample({kIp, RecordBytes::pair(200, 200), 51, kId, kOnLittle0, kPeriod});
    ring.sample({kIp, kIds100, 91, kId, kOnLittle0, kPeriod});
    drained(kId, ring.bytes);
    EXPECT_EQ(failed(), 0u) << messages();
}

TEST_F(RecordsTest, ACpuEventsSampleThatNamesWhoRanBeforeOrAfterFails)
{
    sampling(kType, kNone);
    at_ns(50);
    switch_to(kLittle0, task(2));
    RecordBytes ring;
    ring.sample({kIp, RecordBytes::pair(200, 200), 49, kId, kOnLittle0, kPeriod});
    ring.sample({kIp, kIds100, 51, kId, kOnLittle0, kPeriod});
    drained(kId, ring.bytes);
    EXPECT_EQ(failed("identity"), 2u);
}

TEST_F(RecordsTest, ACpuEventsSampleNamesATaskOfAnotherCpu)
{
    sampling(kType, kNone);
    switch_to(kLittle1, task(2));
    drained(kId, sample(20, RecordBytes::pair(200, 200)).bytes);
    EXPECT_EQ(failed("identity"), 1u);
}

TEST_F(RecordsTest, AnIpThatIsNoCodeFails)
{
    sampling(PERF_SAMPLE_IP);
    drained(kId, RecordBytes{}.sample({kIp}).bytes);
    drained(kId, RecordBytes{}.sample({kIpKernel}, PERF_RECORD_MISC_KERNEL).bytes);
    EXPECT_EQ(failed(), 0u) << messages();
    drained(kId, RecordBytes{}.sample({kIpNowhere}).bytes);
    drained(kId, RecordBytes{}.sample({0x40'0100}).bytes); // first byte behind "hot"
    EXPECT_EQ(failed("identity"), 2u);
}

TEST_F(RecordsTest, ReadersMaySeeLessThanTheCoreClaimsButNotMore)
{
    sampling();
    RecordBytes ring = sample(20);
    ring.lost({kId, 3});
    ring.sample({kIp, kIds100, 30, kId, kOnLittle0, kPeriod});
    drained(kId, ring.bytes);
    close(facts(2, 3));
    close(facts(9, 5)); // the rest is still in the ring, or pending
    EXPECT_EQ(failed("loss"), 0u) << messages();
    close(facts(1, 3));
    EXPECT_EQ(failed("loss"), 1u);
    close(facts(2, 2));
    EXPECT_EQ(failed("loss"), 2u);
}

} // namespace

} // namespace perfsim
