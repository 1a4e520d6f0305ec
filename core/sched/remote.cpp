// SPDX-License-Identifier: Apache-2.0
// A task context is found in three steps. The CPU hint says where to try; that CPU checks, with its
// interrupts off, that the task is really its current one (then nothing can take the task away
// while the operation runs). A task that runs nowhere is handled here, under context.lock, which
// the task would need to become active. Between hint and check the task may have moved: try again.
//
// The second look at the hint, under the lock, closes the gap with a task whose context was not yet
// active when it was switched in: its CPU stores the hint, then looks for a context; we linked the
// context, then read the hint. One of the two sees the other (both sides have a full barrier).
#include "core/sched/remote.hpp"

#include "core/hal/assert.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

struct Request {
    Event& event;
    EventFn fn;
    void* arg;
    bool done = false;
};

/// A, on the CPU asked.
void run_on_cpu(void* argument)
{
    assert_irqs_off();
    Request& request = *static_cast<Request*>(argument);
    Event& event = request.event;
    CpuState& cpu = this_cpu();
    if (event.task != nullptr && Hal::current() != event.task)
        return;
    Context& context = *event.context;
    SpinGuard guard(context.lock);
    // An exited task's context is on no CPU, though the task may still be running its exit.
    const bool active = context.active_cpu == static_cast<i32>(cpu.cpu);
    PERFCORE_ASSERT(active || context.active_cpu < 0);
    const bool owner = event.task != nullptr ? !context.dead : active;
    request.fn(owner ? &cpu : nullptr, event, request.arg);
    request.done = true;
}

/// The context is on no CPU: acts under its lock. False: it is on one after all.
bool run_here(Request& request)
{
    Event& event = request.event;
    Context& context = *event.context;
    SpinGuard guard(context.lock);
    Hal::fence(MemoryOrder::AcquireRelease);
    if (context.active_cpu >= 0)
        return false;
    if (event.task != nullptr && !context.dead && Hal::task_cpu(event.task) >= 0)
        return false;
    request.fn(nullptr, event, request.arg);
    return true;
}

} // namespace

void event_call(Event& event, EventFn fn, void* arg)
{
    assert_process();
    Request request{event, fn, arg};
    for (u64 attempt = 1;; ++attempt) {
        const i32 cpu = event.task != nullptr ? Hal::task_cpu(event.task) : event.cpu;
        if (cpu >= 0) {
            const CallResult result = Hal::call(static_cast<u32>(cpu), run_on_cpu, &request);
            if (result == CallResult::Done && request.done)
                return;
            if (result == CallResult::Offline && event.task == nullptr && run_here(request))
                return;
        } else if (run_here(request)) {
            return;
        }
        Hal::mark(Site::RemoteRetry, event.id, attempt);
        Hal::relax();
    }
}

} // namespace perfcore::inline PERFCORE_BINDING
