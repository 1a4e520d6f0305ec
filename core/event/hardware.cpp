// SPDX-License-Identifier: Apache-2.0
// PmuOps of the cluster PMUs.
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

bool reserve(CpuState& cpu, Event& event)
{
    PERFCORE_ASSERT(cpu.pmu == event.pmu);
    return event.counter.reserve(cpu.pool);
}

void cancel(CpuState& cpu, Event& event)
{
    event.counter.cancel(cpu.pool);
}

void start(CpuState&, Event& event)
{
    // Captured here, while current is the owner: an overflow is attributed to whom the counter was
    // armed for, whoever runs when the interrupt is taken.
    if (event.task != nullptr) {
        const TaskIds ids = Hal::task_ids(event.task);
        event.owner_pid = ids.pid;
        event.owner_tid = ids.tid;
    }
    event.counter.start(event.id);
}

void stop(CpuState& cpu, Event& event)
{
    event.counter.stop(cpu.pool, event.id);
}

void update(Event& event)
{
    event.counter.update();
}

} // namespace

const PmuOps kHardwarePmuOps = {reserve, cancel, start, stop, update};

} // namespace perfcore::inline PERFCORE_BINDING
