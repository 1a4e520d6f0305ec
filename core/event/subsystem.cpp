// SPDX-License-Identifier: Apache-2.0
#include "core/event/subsystem.hpp"

#include "core/hal/assert.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

void Subsystem::add_task_events(u64 count)
{
    MutexGuard guard(hot_mutex);
    if (task_events == 0 && count != 0)
        for (u32 cpu = 0; cpu < cpu_count; ++cpu)
            cpus[cpu].hot.store(1, MemoryOrder::Release);
    task_events += count;
}

void Subsystem::remove_task_events(u64 count)
{
    MutexGuard guard(hot_mutex);
    PERFCORE_ASSERT(task_events >= count);
    task_events -= count;
    if (task_events == 0 && count != 0)
        for (u32 cpu = 0; cpu < cpu_count; ++cpu)
            cpus[cpu].hot.store(0, MemoryOrder::Relaxed);
}

} // namespace perfcore::inline PERFCORE_BINDING
