// SPDX-License-Identifier: Apache-2.0
#include "core/control/control.hpp"
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"
#include "core/sched/change.hpp"
#include "core/sched/remote.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING::control {

namespace {

void enable(CpuState* cpu, Event& event, void*)
{
    enable_event(cpu, event);
}

void enable_members(CpuState* cpu, Event& leader, void*)
{
    enable_group(cpu, leader);
}

void disable(CpuState* cpu, Event& event, void*)
{
    disable_event(cpu, event);
}

void disable_members(CpuState* cpu, Event& leader, void*)
{
    disable_group(cpu, leader);
}

void reset(CpuState*, Event& event, void*)
{
    reset_event(event);
}

void reset_members(CpuState*, Event& leader, void*)
{
    for_each_member(leader, reset_event);
}

// A group changes in one step on its CPU: its members start, stop and are reset together.
Result<i64> control_event(Event& event, u64 flags, EventFn one, EventFn group)
{
    MutexGuard guard(event.context->mutex);
    if ((flags & PERF_IOC_FLAG_GROUP) != 0)
        event_call(*event.leader, group, nullptr);
    else
        event_call(event, one, nullptr);
    return i64{0};
}

// Linux _perf_event_period.
Result<i64> set_period(Event& event, u64 user_period)
{
    u64 period = 0;
    if (!Hal::copy_from_user(&period, user_period, sizeof period))
        return Errno::Efault;
    constexpr u64 kHighBit = u64{1} << 63;
    if (!event.counter.sampling() || period == 0 || (period & kHighBit) != 0)
        return Errno::Einval;
    MutexGuard guard(event.context->mutex);
    event_call(
        event,
        [](CpuState*, Event& target, void* argument) {
            target.attr.sample_period = *static_cast<u64*>(argument);
            target.counter.set_period(target.attr.sample_period);
        },
        &period);
    return i64{0};
}

} // namespace

Result<i64> ioctl(Event& event, u32 command, u64 argument)
{
    assert_process();
    switch (command) {
    case PERF_EVENT_IOC_ENABLE:
        return control_event(event, argument, enable, enable_members);
    case PERF_EVENT_IOC_DISABLE:
        return control_event(event, argument, disable, disable_members);
    case PERF_EVENT_IOC_RESET:
        return control_event(event, argument, reset, reset_members);
    case PERF_EVENT_IOC_ID:
        if (!Hal::copy_to_user(argument, &event.id, sizeof event.id))
            return Errno::Efault;
        return i64{0};
    case PERF_EVENT_IOC_PERIOD:
        return set_period(event, argument);
    case PERF_EVENT_IOC_REFRESH:
    case PERF_EVENT_IOC_SET_OUTPUT:
    case PERF_EVENT_IOC_PAUSE_OUTPUT:
        return Errno::Eopnotsupp;
    default:
        return Errno::Enotty;
    }
}

} // namespace perfcore::inline PERFCORE_BINDING::control
