// SPDX-License-Identifier: Apache-2.0
// Context: the events of one task, or the cpu-bound events of one CPU, and their common clock.
#pragma once

#include "core/event/event.hpp"

namespace perfcore::inline PERFCORE_BINDING {

using EventList = List<Event, &Event::context_link>;

struct Context {
    explicit Context(Hal::Task* task_in) : task(task_in) {}

    /// Serialises the control operations of the context's events; taken before lock.
    Hal::Mutex mutex{"context.mutex"};
    /// Owns the context while it is on no CPU; also taken to become active or inactive.
    Hal::SpinLock lock{"context.lock"};

    Hal::Task* const task; ///< null: a CPU's. Not counted: events hold their task
    i32 active_cpu = -1;   ///< CPU whose owner rule holds now; -1: lock's
    bool dead = false;     ///< the task has exited
    EventList events;      ///< in order of opening
    Hal::Atomic<u32> references{1};

    // The clock runs while the context is on a CPU.
    u64 time = 0;      ///< ns
    u64 timestamp = 0; ///< Hal::now_ns() at the last advance

    /// Context time at this instant. Owner rule.
    u64 now()
    {
        if (active_cpu >= 0) {
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
    }
};

/// P. Null: out of memory. One reference, the caller's.
Context* context_create(Hal::Task* task);
/// PAI: one more reference.
void context_hold(Context& context);
/// P: one less; the last frees it.
void context_put(Context& context);

} // namespace perfcore::inline PERFCORE_BINDING
