// SPDX-License-Identifier: Apache-2.0
// Context: the events of one task, or the cpu-bound events of one CPU, and their common clock.
#pragma once

#include "core/event/event.hpp"

namespace perfcore::inline PERFCORE_BINDING {

using GroupList = List<Event, &Event::group_link>;

/// Pinned groups come first and must always be on; flexible ones take turns.
enum class GroupKind : u8 { Pinned, Flexible };
inline constexpr GroupKind kGroupKinds[] = {GroupKind::Pinned, GroupKind::Flexible};
inline constexpr u32 kGroupKindCount = 2;

inline GroupKind kind_of(const Event& leader)
{
    return leader.has(kAttrPinned) ? GroupKind::Pinned : GroupKind::Flexible;
}

struct Context {
    explicit Context(Hal::Task* task_in) : task(task_in) {}

    /// Serialises the control operations of the context's events; taken before lock.
    Hal::Mutex mutex{"context.mutex"};
    /// Owns the context while it is on no CPU; also taken to become active or inactive.
    Hal::SpinLock lock{"context.lock"};

    Hal::Task* const task; ///< null: a CPU's. Not counted: events hold their task
    i32 active_cpu = -1;   ///< CPU whose owner rule holds now; -1: lock's
    bool dead = false;     ///< the task has exited
    GroupList
        groups[kGroupKindCount]; ///< leaders, in order of opening; rotation moves the first back
    /// The groups of a kind have had their turn to get counters (Linux ctx->is_active).
    bool scheduled[kGroupKindCount] = {};
    bool rotate = false; ///< some flexible group found no counter (Linux rotate_necessary)
    Hal::Atomic<u32> references{1};

    [[nodiscard]] bool empty() const
    {
        return groups_of(GroupKind::Pinned).empty() && groups_of(GroupKind::Flexible).empty();
    }
    [[nodiscard]] GroupList& groups_of(GroupKind kind) { return groups[static_cast<u32>(kind)]; }
    [[nodiscard]] const GroupList& groups_of(GroupKind kind) const
    {
        return groups[static_cast<u32>(kind)];
    }

    // The clock runs while the context is on a CPU.
    u64 time = 0;      ///< ns
    u64 timestamp = 0; ///< Hal::now_ns() at the last advance
    bool frozen = false;

    /// Context time at this instant. Owner rule.
    u64 now()
    {
        if (active_cpu >= 0 && !frozen) {
            const u64 instant = Hal::now_ns();
            time += instant - timestamp;
            timestamp = instant;
        }
        return time;
    }

    /// Owner rule: the context goes on / leaves a CPU. Only a context with events goes on one, so
    /// that a switch need not look at tasks without.
    void activate(u32 cpu)
    {
        timestamp = Hal::now_ns();
        active_cpu = static_cast<i32>(cpu);
    }
    void deactivate()
    {
        now();
        active_cpu = -1;
        rotate = false;
        for (bool& kind : scheduled)
            kind = false;
    }
};

/// One instant for all that is done to a context while it lives, so that an event which gets its
/// counter at once ran all the time it was enabled (Linux ctx_time_freeze). Owner rule.
class ContextInstant {
public:
    /// Null: no context.
    explicit ContextInstant(Context* context)
        : m_context(context), m_was_frozen(context != nullptr && context->frozen)
    {
        if (m_context == nullptr)
            return;
        m_context->now();
        m_context->frozen = true;
    }
    ~ContextInstant()
    {
        if (m_context != nullptr)
            m_context->frozen = m_was_frozen;
    }
    ContextInstant(const ContextInstant&) = delete;
    ContextInstant& operator=(const ContextInstant&) = delete;

private:
    Context* m_context;
    bool m_was_frozen;
};

/// P. Null: out of memory. One reference, the caller's.
Context* context_create(Hal::Task* task);
/// PAI: one more reference.
void context_hold(Context& context);
/// P: one less; the last frees it.
void context_put(Context& context);

} // namespace perfcore::inline PERFCORE_BINDING
