// SPDX-License-Identifier: Apache-2.0
// Sampling: periods, ring, loss, attribution, mapping rules.
#include "tests/core/machine.hpp"

#include "core/hooks/hooks.hpp"

#include <cstring>

namespace perfsim {
namespace {

constexpr u64 kIpTidTime = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

PerfEventMmapPage& page_of(ScriptedMachine& m, i64 fd)
{
    return *reinterpret_cast<PerfEventMmapPage*>(m.pages(fd));
}

u64 word_at(ScriptedMachine& m, i64 fd, u64 offset)
{
    u64 word = 0;
    std::memcpy(&word, m.pages(fd) + kPageSize + offset, sizeof word);
    return word;
}

/// Marks everything as read and returns how many bytes that was.
u64 drain(ScriptedMachine& m, i64 fd)
{
    PerfEventMmapPage& page = page_of(m, fd);
    const u64 bytes = page.data_head - page.data_tail;
    page.data_tail = page.data_head;
    return bytes;
}

i64 open_mapped(ScriptedMachine& m, const PerfEventAttr& attr, i32 pid = 0, u64 pages = 8)
{
    const i64 fd = m.open(attr, pid, -1);
    EXPECT_EQ(m.mmap(fd, pages), 0);
    return fd;
}

// Field order of perf_output_sample; values from the test's own world.
TEST(Sampling, RecordIsLaidOutAsLinuxDoes)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = open_mapped(
        m, sampling(1000, kIpTidTime | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
                              PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD));
    m.execute(1000);
    EXPECT_EQ(page_of(m, fd).data_head, 80u);
    const u64 id = facts(m.event(fd)).id;
    const u64 expected[] = {9 | (u64{2} << 32) | (u64{80} << 48), // SAMPLE, USER, size
                            id,
                            0x400000,
                            100 | (u64{100} << 32),
                            m.time_ns,
                            0,
                            id,
                            id,
                            0,
                            1000};
    for (u64 i = 0; i < 10; ++i)
        EXPECT_EQ(word_at(m, fd, i * 8), expected[i]) << "word " << i;
    expect_clean(m);
}

// L3: the remainder of a period survives slices.
TEST(Sampling, RemainderSurvivesSlices)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    ScriptedTask& task = m.add_task(200, 200);
    const i64 fd = open_mapped(m, sampling(1000, PERF_SAMPLE_TID), 200);
    for (int slice = 0; slice < 10; ++slice) {
        m.run_on(static_cast<u32>(slice % 2), &task);
        m.execute(700);
    }
    m.run_on(1, nullptr);
    m.run_on(0, nullptr);
    const EventFacts facts_now = facts(m.event(fd));
    EXPECT_EQ(facts_now.samples, 7u);
    EXPECT_EQ(facts_now.missed_events, 0u);
    expect_conserved(facts_now);
    expect_clean(m);
}

// L2: an overflow still pending at the end of a slice never samples the counter's next owner. Linux
// folds that crossing; here it is counted as missed.
TEST(Sampling, PendingOverflowDiesWithItsSlice)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    ScriptedTask& first = m.add_task(200, 200);
    ScriptedTask& second = m.add_task(300, 300);
    const i64 a = open_mapped(m, sampling(1000, PERF_SAMPLE_TID), 200);
    const i64 b = open_mapped(m, sampling(1000, PERF_SAMPLE_TID), 300);
    m.run_on(0, &first);
    // The counter crosses but the interrupt does not come before the switch.
    m.pmu().advance(ExceptionLevel::El0, [](u32 event) -> u64 { return event == 0x08 ? 1000 : 0; });
    EXPECT_NE(m.pmu().read(PmuReg::PMOVSSET_EL0), 0u);
    m.run_on(0, &second);
    EXPECT_EQ(m.pmu().read(PmuReg::PMOVSSET_EL0), 0u);
    m.execute(500);
    EXPECT_EQ(facts(m.event(b)).samples, 0u);
    m.run_on(0, &first);
    m.execute(1000);
    const EventFacts facts_a = facts(m.event(a));
    EXPECT_EQ(facts_a.samples, 1u);
    EXPECT_EQ(facts_a.missed_events, 1000u);
    expect_conserved(facts_a);
    m.run_on(0, nullptr);
    expect_clean(m);
}

// L27: an interrupt that comes late costs no event; several periods late, Linux restarts the phase.
TEST(Sampling, LatenessKeepsOrCountsEveryEvent)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = open_mapped(m, sampling(1000, PERF_SAMPLE_TID));
    for (u64 late : {1u, 999u, 1000u, 5432u}) {
        m.pmu().advance(ExceptionLevel::El0,
                        [&](u32 event) -> u64 { return event == 0x08 ? 1000 + late : 0; });
        m.take_pmu_interrupt();
        expect_conserved(facts(m.event(fd)));
    }
    EXPECT_EQ(facts(m.event(fd)).armed_events, 4000u + 1 + 999 + 1000 + 5432);
    EXPECT_EQ(facts(m.event(fd)).samples, 4u);
    expect_clean(m);
}

// A period beyond the counter's range is folded in software (armpmu_event_set_period).
TEST(Sampling, PeriodBeyond32Bits)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    constexpr u64 kPeriod = (u64{1} << 33) + 7;
    const i64 fd = open_mapped(m, sampling(kPeriod, PERF_SAMPLE_PERIOD));
    m.execute(kPeriod - 1);
    EXPECT_EQ(facts(m.event(fd)).samples, 0u);
    m.execute(1);
    EXPECT_EQ(facts(m.event(fd)).samples, 1u);
    expect_conserved(facts(m.event(fd)));
    expect_clean(m);
}

// B24: CIRC_SPACE never fills the last byte: 127 records of 32 bytes in a page; the rest is lost.
TEST(Ring, FullRingLosesAndCounts)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    PerfEventAttr attr = sampling(100, kIpTidTime);
    attr.read_format = PERF_FORMAT_LOST;
    const i64 fd = open_mapped(m, attr, 0, 1);
    m.execute(100 * 130);
    EXPECT_EQ(page_of(m, fd).data_head, 127u * 32);
    EXPECT_EQ(m.read(fd), (std::vector<u64>{13000, 3}));
    // B32 L31: the LOST record and the sample behind it are one reservation of 56 bytes; 47 free
    // bytes would take either alone.
    page_of(m, fd).data_tail = 16;
    m.execute(100);
    EXPECT_EQ(page_of(m, fd).data_head, 127u * 32);
    EXPECT_EQ(drain(m, fd), 127u * 32 - 16);
    m.execute(100);
    EXPECT_EQ(page_of(m, fd).data_head, 127u * 32 + 24 + 32);
    const u64 at = 127 * 32;
    EXPECT_EQ(word_at(m, fd, at), 2 | (u64{24} << 48)); // LOST, size 24
    EXPECT_EQ(word_at(m, fd, at + 8), facts(m.event(fd)).id);
    EXPECT_EQ(word_at(m, fd, at + 16), 4u);
    expect_conserved(facts(m.event(fd)));
    expect_clean(m);
}

// L11: with sample_id_all the LOST record carries the trailer.
TEST(Ring, LostCarriesTheTrailer)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    PerfEventAttr attr = sampling(100, kIpTidTime | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
    attr.bits |= kAttrSampleIdAll;
    const i64 fd = open_mapped(m, attr, 0, 1);
    m.execute(100 * 100); // 48 bytes each: 85 fit
    EXPECT_EQ(drain(m, fd), 85u * 48);
    m.execute(100);
    const u64 at = 85 * 48 % 4096;
    const u64 id = facts(m.event(fd)).id;
    const u64 lost[] = {2 | (u64{56} << 48), id, 15, 100 | (u64{100} << 32), m.time_ns, 0, id};
    for (u64 i = 0; i < 7; ++i)
        EXPECT_EQ(word_at(m, fd, (at + i * 8) % 4096), lost[i]) << "word " << i;
    expect_clean(m);
}

// L9: geometry and head are private; whatever user space writes into its page, records stay inside.
TEST(Ring, HostileUserPageChangesNothing)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = open_mapped(m, sampling(100, kIpTidTime), 0, 1);
    const u64 garbage[] = {0, 1, 7, 4095, 4096, u64{1} << 63, ~u64{0}, ~u64{0} - 31};
    for (u64 tail : garbage) {
        PerfEventMmapPage& page = page_of(m, fd);
        page.data_tail = tail;
        page.data_size = u64{1} << 63;
        page.data_offset = ~u64{0};
        page.data_head = 12345;
        m.execute(5000);
    }
    expect_conserved(facts(m.event(fd)));
    expect_clean(m); // red zones and quarantine are checked there
}

// Read-only mapping: the tail is not looked at, nothing is ever lost.
TEST(Ring, OverwriteModeNeverLoses)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(sampling(100, kIpTidTime), 0, -1);
    ASSERT_EQ(m.mmap(fd, 1, false), 0);
    m.execute(100 * 1000);
    EXPECT_EQ(facts(m.event(fd)).lost, 0u);
    EXPECT_EQ(page_of(m, fd).data_head, 32000u);
    expect_clean(m);
}

// Samples without a buffer: none mapped yet, none with data pages, unmapped again (L10).
TEST(Ring, SamplesWithoutABufferAreMissedNotLost)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(sampling(100, kIpTidTime), 0, -1);
    m.execute(300);
    EXPECT_EQ(facts(m.event(fd)).missed_events, 300u);
    EXPECT_EQ(m.mmap(fd, 0), 0);
    m.execute(200);
    EXPECT_EQ(facts(m.event(fd)).missed_events, 500u);
    m.munmap(fd);
    EXPECT_EQ(m.mmap(fd, 2), 0);
    m.execute(200);
    m.munmap(fd);
    m.execute(100);
    const EventFacts last = facts(m.event(fd));
    EXPECT_EQ(last.samples, 2u);
    EXPECT_EQ(last.lost, 0u);
    EXPECT_EQ(last.missed_events, 600u);
    expect_conserved(last);
    expect_clean(m);
}

// mmap rules of perf_mmap.
TEST(Ring, MmapErrno)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(counting(), 0, -1);
    EXPECT_EQ(m.mmap(fd, 3), -22);
    Hal::Vma* none = nullptr;
    u64 room[4] = {};
    none = reinterpret_cast<Hal::Vma*>(room);
    const auto map = [&](MapRequest request) {
        return control::mmap(m.event(fd), *none, request).syscall_result();
    };
    EXPECT_EQ(map({0, 0, true, true}), -22);
    EXPECT_EQ(map({5000, 0, true, true}), -22);
    EXPECT_EQ(map({2 * kPageSize, 1, true, true}), -22);
    EXPECT_EQ(map({2 * kPageSize, 0, false, true}), -22);
    m.locked_pages_max = 4;
    EXPECT_EQ(m.mmap(fd, 8), -1);
    EXPECT_EQ(m.mmap(fd, 2), 0);
    // A second mapping shares the ring and must be of its size.
    EXPECT_EQ(map({2 * kPageSize, 0, true, true}), -22);
    EXPECT_EQ(map({3 * kPageSize, 0, true, true}), 0);
    hooks::vma_close(m.event(fd));
    EXPECT_EQ(page_of(m, fd).data_size, 2 * kPageSize);
    expect_clean(m);
}

// read(2): every single format, ENOSPC for a short buffer, GROUP of one.
TEST(Read, FormatsAndSizes)
{
    for (u64 format = 0; format < PERF_FORMAT_MAX; ++format) {
        ScriptedMachine m(two_cpus());
        m.boot();
        PerfEventAttr attr = counting();
        attr.read_format = format;
        const i64 fd = m.open(attr, 0, -1);
        m.execute(50);
        std::vector<u64> expected;
        const bool group = (format & PERF_FORMAT_GROUP) != 0;
        expected.push_back(group ? 1 : 50);
        if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0)
            expected.push_back(50);
        if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0)
            expected.push_back(50);
        if (group)
            expected.push_back(50);
        if ((format & PERF_FORMAT_ID) != 0)
            expected.push_back(facts(m.event(fd)).id);
        if ((format & PERF_FORMAT_LOST) != 0)
            expected.push_back(0);
        EXPECT_EQ(m.read(fd), expected) << "format " << format;
        EXPECT_EQ(control::read(m.event(fd), 0x10000, expected.size() * 8 - 1).syscall_result(),
                  -28);
        EXPECT_EQ(control::read(m.event(fd), 1, 4096).syscall_result(), -14);
        expect_clean(m);
    }
}

TEST(Ioctl, IdAndUnknownCommands)
{
    ScriptedMachine m(two_cpus());
    m.boot();
    const i64 fd = m.open(counting(), 0, -1);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_ID, 0x10000), 0);
    u64 id = 0;
    ASSERT_TRUE(m.copy_from_user(&id, 0x10000, sizeof id));
    EXPECT_EQ(id, facts(m.event(fd)).id);
    EXPECT_NE(facts(m.event(m.open(counting(), 0, -1))).id, id);
    EXPECT_EQ(m.ioctl(fd, PERF_EVENT_IOC_ID, 1), -14);
    EXPECT_EQ(m.ioctl(fd, 0x2499), -25);
    expect_clean(m);
}

// An interrupt between any two HAL calls of a control operation corrupts nothing.
TEST(Interrupts, BetweenAnyTwoStepsOfControlOperations)
{
    const auto scenario = [](u64 inject_at) -> bool {
        ScriptedMachine m(two_cpus());
        m.boot();
        const i64 fd = open_mapped(m, sampling(1000, kIpTidTime));
        m.execute(1500);
        m.inject_at = m.hal_calls + inject_at;
        const u64 end = m.inject_at;
        m.inject = [&m] {
            // Whatever counter is enabled overflows now, and its interrupt is taken if unmasked.
            m.pmu().advance(ExceptionLevel::El0,
                            [](u32 event) -> u64 { return event == 0x08 ? 600 : 0; });
            m.take_pmu_interrupt();
        };
        m.read(fd);
        m.ioctl(fd, PERF_EVENT_IOC_DISABLE);
        m.ioctl(fd, PERF_EVENT_IOC_ENABLE);
        m.ioctl(fd, PERF_EVENT_IOC_RESET);
        m.munmap(fd);
        EXPECT_EQ(m.mmap(fd, 8), 0);
        m.execute(2000);
        m.ioctl(fd, PERF_EVENT_IOC_DISABLE);
        expect_conserved(facts(m.event(fd)));
        const bool more = m.hal_calls > end;
        m.finish();
        EXPECT_TRUE(m.problems().empty()) << "at " << inject_at << ": " << m.problems().front();
        return more;
    };
    u64 at = 1;
    while (scenario(at))
        ++at;
    EXPECT_GT(at, 100u);
}

} // namespace
} // namespace perfsim
