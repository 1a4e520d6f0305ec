// SPDX-License-Identifier: Apache-2.0
// The program of this image: the same core, on real registers, takes its first samples.
//
// A user task runs at EL0 on CPU 1. CPU 0 opens a cycles event on it, maps a ring, enables the
// event from afar, waits for ten samples, looks at every field, reads and disables it from afar,
// closes it, and checks that nothing is left. One line per check; the exit status is the verdict.
#include "core/abi/perf_event.hpp"
#include "core/control/control.hpp"
#include "core/event/facts.hpp"
#include "core/hooks/hooks.hpp"
#include "core/pmu/registers.hpp"
#include "hw/aarch64/kernel/kernel.hpp"

extern "C" const char user_loop[];
extern "C" const char user_loop_end[];

namespace kernel {

extern Subsystem* subsystem;

namespace {

constexpr u64 kPeriod = 200'000; // cycles; well above what the handler needs on an emulator
constexpr u64 kSamples = 10;
constexpr u64 kUserAlias = 0x4000'0000;
constexpr i32 kTaskPid = 200;
constexpr i32 kTaskTid = 201;
constexpr u64 kWaitNs = 20'000'000'000;
constexpr u64 kDataPages = 8;

u32 s_checks = 0;
u32 s_failures = 0;

void check(const char* what, bool good)
{
    ++s_checks;
    s_failures += good ? 0 : 1;
    put(good ? "ok " : "FAIL ");
    put(what);
    put("\n");
}

struct Sample {
    u64 header;
    u64 ip;
    u32 pid;
    u32 tid;
    u64 time;
    u32 cpu;
    u32 reserved;
    u64 period;
};
static_assert(sizeof(Sample) == 48);

PerfEventAttr cycles_attr()
{
    PerfEventAttr attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_HW_CPU_CYCLES;
    attr.sample_period = kPeriod;
    attr.sample_type =
        PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.bits = kAttrDisabled | kAttrExcludeKernel;
    return attr;
}

/// Waits, doing what process context owes; false after kWaitNs.
template <typename Condition>
bool wait_for(Condition&& condition)
{
    const u64 until = clock::now_ns() + kWaitNs;
    while (!condition()) {
        run_process_work();
        if (clock::now_ns() > until)
            return false;
        Hal::relax();
    }
    return true;
}

void check_samples(const u8* data, u64 bytes)
{
    check("ten samples of 48 bytes",
          bytes >= kSamples * sizeof(Sample) && bytes % sizeof(Sample) == 0);
    bool headers = true, ips = true, tasks = true, cpus_right = true, periods = true, times = true;
    u64 last = 0;
    const u64 begin = reinterpret_cast<u64>(user_loop) + kUserAlias;
    const u64 end = reinterpret_cast<u64>(user_loop_end) + kUserAlias;
    for (u64 at = 0; at < bytes; at += sizeof(Sample)) {
        const auto& sample = *reinterpret_cast<const Sample*>(data + at);
        headers &= sample.header == (PERF_RECORD_SAMPLE | (u64{PERF_RECORD_MISC_USER} << 32) |
                                     (u64{sizeof(Sample)} << 48));
        ips &= sample.ip >= begin && sample.ip < end;
        tasks &=
            sample.pid == static_cast<u32>(kTaskPid) && sample.tid == static_cast<u32>(kTaskTid);
        cpus_right &= sample.cpu == 1;
        periods &= sample.period == kPeriod;
        times &= sample.time > last;
        last = sample.time;
    }
    check("headers: SAMPLE, user mode, size", headers);
    check("ip inside the EL0 loop", ips);
    check("pid and tid of the task", tasks);
    check("cpu is the one the task runs on", cpus_right);
    check("period", periods);
    check("time goes forward", times);
}

bool quiet()
{
    return (Hal::pmu_read<PmuReg::PMCNTENSET_EL0>() | Hal::pmu_read<PmuReg::PMINTENSET_EL1>() |
            Hal::pmu_read<PmuReg::PMOVSSET_EL0>()) == 0;
}

void quiet_on(void* result)
{
    *static_cast<bool*>(result) = quiet();
}

struct Values {
    u64 value = 0;
    u64 enabled = 0;
    u64 running = 0;
};

Values read_event(Event& event)
{
    Values values;
    const auto size = control::read(event, reinterpret_cast<u64>(&values), sizeof values);
    check("read returns 24 bytes", size.ok() && size.value() == sizeof values);
    return values;
}

void sample_a_task(Task& task)
{
    const PerfEventAttr attr = cycles_attr();
    const auto fd = control::open(*subsystem, reinterpret_cast<u64>(&attr), kTaskTid, -1, -1, 0);
    check("open cycles on the task", fd.ok());
    if (!fd.ok())
        return;
    Event& event = *static_cast<Event*>(Hal::fd_event(fd.value()));
    Hal::Vma vma;
    const MapRequest request{(1 + kDataPages) * kPageSize, 0, true, true};
    check("mmap a ring", control::mmap(event, vma, request).ok());
    const auto& page = *static_cast<const PerfEventMmapPage*>(vma.pages);

    cpus[1].next_task.store(reinterpret_cast<u64>(&task), MemoryOrder::Release);
    gic::send(1);
    check("the task runs on CPU 1", wait_for([&] { return Hal::task_cpu(&task) == 1; }));
    check("enable it there from CPU 0", control::ioctl(event, PERF_EVENT_IOC_ENABLE, 0).ok());
    check("ten samples arrive", wait_for([&] {
              return __atomic_load_n(&page.data_head, __ATOMIC_ACQUIRE) >=
                     kSamples * sizeof(Sample);
          }));
    const Values live = read_event(event);
    check("a live read covers the samples", live.value >= kSamples * kPeriod);
    check("running equals enabled", live.running == live.enabled && live.running > 0);
    check("disable it from CPU 0", control::ioctl(event, PERF_EVENT_IOC_DISABLE, 0).ok());
    const Values stopped = read_event(event);
    const Values still = read_event(event);
    check("a disabled event stands still",
          stopped.value == still.value && stopped.enabled == still.enabled);
    check("counts do not go back", stopped.value >= live.value);
    const EventFacts last = facts(event);
    check("every event is accounted for",
          last.sample_period * (last.samples + last.lost) + last.missed_events + last.progress ==
              last.armed_events);
    check("the ring holds what the core wrote", page.data_head == last.samples * sizeof(Sample));
    check_samples(static_cast<const u8*>(vma.pages) + kPageSize, page.data_head);

    task.stop.store(1, MemoryOrder::Release);
    gic::send(1);
    check("the task exits", wait_for([&] { return Hal::task_cpu(&task) < 0; }));
    hooks::vma_close(event);
    control::release(event);
}

} // namespace

void self_test()
{
    Task* task = make_task(kTaskPid, kTaskTid);
    const u64 bytes_before = live_bytes();
    sample_a_task(*task);
    check("all memory came back", live_bytes() == bytes_before);
    check("the task's reference count is one", task->references.peek() == 1);
    bool quiet_there = false;
    check("call CPU 1", Hal::call(1, quiet_on, &quiet_there) == CallResult::Done);
    check("CPU 1 is quiet", quiet_there);
    check("CPU 0 is quiet", quiet());
    put(s_failures == 0 ? "PASS " : "FAIL ");
    put_number(s_checks - s_failures);
    put(" of ");
    put_number(s_checks);
    put(" checks\n");
    leave(s_failures == 0 ? 0 : 1);
}

} // namespace kernel
