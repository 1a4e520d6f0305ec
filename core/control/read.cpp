// SPDX-License-Identifier: Apache-2.0
// read(2): the count and times at this instant, folded on the CPU that owns the event.
#include "core/control/control.hpp"
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"
#include "core/sched/remote.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING::control {

namespace {

struct Snapshot {
    EventState state = EventState::Off;
    u64 value = 0;
    u64 enabled = 0;
    u64 running = 0;
    u64 lost = 0;
};

void take_snapshot(CpuState*, Event& event, void* argument)
{
    refresh_event(event);
    Hal::mark(Site::Read, event.id, 0);
    *static_cast<Snapshot*>(argument) =
        Snapshot{event.state, event.counter.count(), event.enabled, event.running, event.lost};
}

// nr, enabled, running, then value, id and lost of the one member.
constexpr u32 kWordsMax = 6;

u32 layout(const Event& event, const Snapshot& snapshot, u64* words)
{
    const u64 format = event.attr.read_format;
    const bool group = (format & PERF_FORMAT_GROUP) != 0;
    u32 count = 0;
    // A group read starts with the number of members and has the times before the first value.
    words[count++] = group ? 1 : snapshot.value;
    if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0)
        words[count++] = snapshot.enabled;
    if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0)
        words[count++] = snapshot.running;
    if (group)
        words[count++] = snapshot.value;
    if ((format & PERF_FORMAT_ID) != 0)
        words[count++] = event.id;
    if ((format & PERF_FORMAT_LOST) != 0)
        words[count++] = snapshot.lost;
    return count;
}

} // namespace

Result<i64> read(Event& event, u64 user_buffer, u64 count)
{
    assert_process();
    u64 words[kWordsMax];
    const u64 size = layout(event, Snapshot{}, words) * sizeof(u64);
    Snapshot snapshot;
    {
        MutexGuard guard(event.context->mutex);
        if (event.state == EventState::Error)
            return i64{0};
        if (count < size)
            return Errno::Enospc;
        event_call(event, take_snapshot, &snapshot);
    }
    layout(event, snapshot, words);
    if (!Hal::copy_to_user(user_buffer, words, size))
        return Errno::Efault;
    return static_cast<i64>(size);
}

} // namespace perfcore::inline PERFCORE_BINDING::control
