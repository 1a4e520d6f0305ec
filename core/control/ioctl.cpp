// SPDX-License-Identifier: Apache-2.0
#include "core/control/control.hpp"
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"
#include "core/sched/remote.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING::control {

namespace {

void enable(CpuState* cpu, Event& event, void*)
{
    enable_event(cpu, event);
}

void disable(CpuState* cpu, Event& event, void*)
{
    disable_event(cpu, event);
}

void reset(CpuState*, Event& event, void*)
{
    reset_event(event);
}

// An event without siblings is a group of one: PERF_IOC_FLAG_GROUP changes nothing.
Result<i64> control_event(Event& event, EventFn fn)
{
    MutexGuard guard(event.context->mutex);
    event_call(event, fn, nullptr);
    return i64{0};
}

} // namespace

Result<i64> ioctl(Event& event, u32 command, u64 argument)
{
    assert_process();
    switch (command) {
    case PERF_EVENT_IOC_ENABLE:
        return control_event(event, enable);
    case PERF_EVENT_IOC_DISABLE:
        return control_event(event, disable);
    case PERF_EVENT_IOC_RESET:
        return control_event(event, reset);
    case PERF_EVENT_IOC_ID:
        if (!Hal::copy_to_user(argument, &event.id, sizeof event.id))
            return Errno::Efault;
        return i64{0};
    case PERF_EVENT_IOC_REFRESH:
    case PERF_EVENT_IOC_PERIOD:
    case PERF_EVENT_IOC_SET_OUTPUT:
    case PERF_EVENT_IOC_PAUSE_OUTPUT:
        return Errno::Eopnotsupp;
    default:
        return Errno::Enotty;
    }
}

} // namespace perfcore::inline PERFCORE_BINDING::control
