// SPDX-License-Identifier: Apache-2.0
// read(2): counts and times at one instant, folded on the CPU that owns the event or its group.
#include "core/control/read.hpp"

#include "core/control/control.hpp"
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"
#include "core/sched/change.hpp"
#include "core/sched/remote.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING::control {

namespace {

struct Request {
    const Event& reader; ///< whose read_format says what is asked for
    u64* words;
    u32 count = 0;

    void put(u64 word) { words[count++] = word; }
    [[nodiscard]] bool has(u64 bit) const { return (reader.attr.read_format & bit) != 0; }
};

void put_times(Request& request, const Event& event)
{
    if (request.has(PERF_FORMAT_TOTAL_TIME_ENABLED))
        request.put(event.enabled);
    if (request.has(PERF_FORMAT_TOTAL_TIME_RUNNING))
        request.put(event.running);
}

void put_identity(Request& request, const Event& event)
{
    if (request.has(PERF_FORMAT_ID))
        request.put(event.id);
    if (request.has(PERF_FORMAT_LOST))
        request.put(event.lost);
}

void take(Request& request, Event& event)
{
    refresh_event(event);
    Hal::mark(Site::Read, event.id, request.reader.id);
}

void take_one(CpuState*, Event& event, void* argument)
{
    Request& request = *static_cast<Request*>(argument);
    take(request, event);
    request.put(event.counter.count());
    put_times(request, event);
    put_identity(request, event);
}

void take_group(CpuState*, Event& leader, void* argument)
{
    Request& request = *static_cast<Request*>(argument);
    const ContextInstant instant(leader.context);
    // Nothing is written before all members are folded: the group is one snapshot.
    for_each_member(leader, [&](Event& event) { take(request, event); });
    request.put(1 + u64{leader.sibling_count});
    put_times(request, leader);
    for_each_member(leader, [&](Event& event) {
        request.put(event.counter.count());
        put_identity(request, event);
    });
}

/// Memory for what a read returns; a small one stays on the stack.
class Buffer {
public:
    Buffer() = default;
    ~Buffer()
    {
        if (m_allocated != nullptr)
            Hal::free(m_allocated, m_size);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    /// Null: out of memory.
    u64* reserve(u64 size)
    {
        if (size <= sizeof m_words)
            return m_words;
        m_size = size;
        m_allocated = static_cast<u64*>(Hal::alloc(size));
        return m_allocated;
    }
    [[nodiscard]] const u64* words() const
    {
        return m_allocated != nullptr ? m_allocated : m_words;
    }

private:
    u64 m_size = 0;
    u64* m_allocated = nullptr;
    u64 m_words[32];
};

/// The bytes of the read. The mutex keeps the group's shape, and with it the size, until the values
/// are taken; it may not be held over the copy to user memory.
Result<u64> take_values(Event& event, u64 room, Buffer& buffer)
{
    MutexGuard guard(event.context->mutex);
    // Linux: end of file for an event that could not be kept on.
    if (event.state == EventState::Error)
        return u64{0};
    const u64 size = read_size(event.attr.read_format, event.leader->sibling_count);
    if (room < size)
        return Errno::Enospc;
    Request request{event, buffer.reserve(size)};
    if (request.words == nullptr)
        return Errno::Enomem;
    if (request.has(PERF_FORMAT_GROUP))
        event_call(*event.leader, take_group, &request);
    else
        event_call(event, take_one, &request);
    PERFCORE_ASSERT(request.count * sizeof(u64) == size);
    return size;
}

} // namespace

bool read_sizes_fit(Event& leader, const Event& joining)
{
    const u32 siblings = leader.sibling_count + (&leader == &joining ? 0 : 1);
    bool fit = read_size(joining.attr.read_format, siblings) <= kReadSizeMax;
    for_each_member(leader, [&](Event& event) {
        fit = fit && read_size(event.attr.read_format, siblings) <= kReadSizeMax;
    });
    return fit;
}

Result<i64> read(Event& event, u64 user_buffer, u64 count)
{
    assert_process();
    Buffer buffer;
    const u64 size = PERFCORE_TRY(take_values(event, count, buffer));
    if (size != 0 && !Hal::copy_to_user(user_buffer, buffer.words(), size))
        return Errno::Efault;
    return static_cast<i64>(size);
}

} // namespace perfcore::inline PERFCORE_BINDING::control
