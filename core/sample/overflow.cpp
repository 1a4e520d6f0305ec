// SPDX-License-Identifier: Apache-2.0
// The overflow interrupt (Linux armv8pmu_handle_irq): flags are read and cleared before anything is
// handled, so an overflow that happens meanwhile is a new one; the counters stand still meanwhile,
// so events of one CPU do not skew against each other.
#include "core/sample/overflow.hpp"

#include "core/hal/assert.hpp"
#include "core/pmu/registers.hpp"
#include "core/record/sample.hpp"
#include "core/ring/ring.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

void take_sample(CpuState& cpu, Event& event)
{
    SampleSource source;
    const Frame* frame = Hal::irq_frame();
    if (frame != nullptr) {
        source.ip = frame->pc;
        source.user = frame->user();
    }
    // A task's event belongs to the task it was armed for; a CPU's to whom it interrupts.
    i32 pid = event.owner_pid;
    i32 tid = event.owner_tid;
    if (event.task == nullptr) {
        const TaskIds ids = Hal::task_ids(Hal::current());
        pid = ids.pid;
        tid = ids.tid;
    }
    source.pid = static_cast<u32>(pid);
    source.tid = static_cast<u32>(tid);
    source.time = Hal::now_ns();
    source.cpu = cpu.cpu;
    source.period = event.counter.last_period();

    const SampleOutcome outcome = write_sample(event, source);
    switch (outcome) {
    case SampleOutcome::Written:
        ++event.samples;
        event.counter.report();
        break;
    case SampleOutcome::Lost:
        ++event.lost;
        event.counter.report();
        break;
    case SampleOutcome::NoBuffer:
        ++event.discarded;
        event.counter.miss(source.period);
        break;
    }
    Hal::mark(Site::Sampled, event.id, outcome == SampleOutcome::Written ? event.ring->head() : 0);
}

} // namespace

bool handle_overflow(CpuState& cpu)
{
    assert_interrupt();
    const u64 overflowed = Hal::pmu_read<PmuReg::PMOVSCLR_EL0>() & cpu.pool.implemented();
    if (overflowed == 0)
        return false;
    Hal::pmu_write<PmuReg::PMOVSCLR_EL0>(overflowed);
    const u64 pmcr = Hal::pmu_read<PmuReg::PMCR_EL0>();
    Hal::pmu_write<PmuReg::PMCR_EL0>(pmcr & ~PMCR_E);
    Hal::isb();

    for (u64 bits = overflowed; bits != 0; bits &= bits - 1) {
        HwCounter* counter = cpu.pool.owner(static_cast<u32>(__builtin_ctzll(bits)));
        if (counter == nullptr)
            continue; // flag without owner: stale, cleared above
        counter->update();
        if (counter->next_period() && counter->sampling())
            take_sample(cpu, *static_cast<Event*>(counter->owner()));
    }

    Hal::pmu_write<PmuReg::PMCR_EL0>(pmcr | PMCR_E);
    Hal::isb();
    return true;
}

} // namespace perfcore::inline PERFCORE_BINDING
