// SPDX-License-Identifier: Apache-2.0
// What the running world tells its books, oracles and log. The world calls these at the instant the
// thing happens; observers never change the world except by reporting a failure.
#pragma once

#include "core/event/facts.hpp"
#include "sim/scenario/result.hpp"

#include <functional>
#include <memory>
#include <string>

namespace perfsim {

using perfcore::ExecContext;
using perfcore::Site;

/// Who a task is, for observers. Ids as the kernel model gave them; idle tasks have 0.
struct TaskView {
    u32 thread = kNone; ///< index into Scenario::threads; kNone: a task of the kernel itself
    i32 pid = 0;
    i32 tid = 0;
    bool idle = false;
};

/// Kinds of HAL use whose context the contract restricts (core/hal/hal.hpp).
enum class HalUse : perfcore::u8 {
    Memory,    ///< alloc, free, pages, map_user, mlock: P, no spin lock
    CopyUser,  ///< P, no lock at all
    Mutex,     ///< P, no spin lock
    Process,   ///< task_get, task_put, may, fd_*: P
    Call,      ///< P, interrupts on, no spin lock
    ThisCpu,   ///< AI: interrupts off, so that "this CPU" means something
    Interrupt, ///< I
    FromDefer, ///< wake, signal: P, or I outside hooks
};

/// A PMU node as the kernel describes it to the core.
struct PmuNodeConfig {
    std::string name;
    std::vector<u32> clusters;
    bool interrupt = true;
};

/// How the books look into the machine; implemented by the world.
class WorldView {
public:
    virtual ~WorldView() = default;
    virtual const MachineConfig& machine() const = 0;
    virtual const Scenario& scenario() const = 0;
    virtual u64 now_ps() const = 0;
    /// PmuModel::total(counter) of a CPU, brought up to date to this instant.
    virtual u64 counter_total(u32 cpu, u32 counter) = 0;
    virtual const PmuModel& pmu(u32 cpu) = 0;
    virtual TaskView running(u32 cpu) const = 0;
    /// CPU a task runs on, -1: none.
    virtual i32 cpu_of(i32 tid) const = 0;
    virtual bool online(u32 cpu) const = 0;
    /// Records a failed oracle; the world is abandoned at its next step.
    virtual void fail(FailureKind kind, std::string oracle, std::string message) = 0;
    virtual void log(std::string line) = 0;
};

/// An event as opened: what the books need to judge it. target.tid == 0: a CPU event.
struct OpenedEvent {
    u64 id = 0;
    u32 handle = kNone;
    perfcore::PerfEventAttr attr;
    u32 event_number = 0;      ///< PMUv3 number
    std::vector<u32> clusters; ///< clusters its PMU covers
    TaskView target;
    i32 cpu = -1;
};

class Observer {
public:
    virtual ~Observer() = default;
    virtual void on_opened(const OpenedEvent&) {}
    virtual void on_named(u64 /*id*/, u32 /*handle*/) {}
    virtual void on_freed(u64 /*id*/) {}
    virtual void on_mark(u32 /*cpu*/, Site, u64 /*id*/, u64 /*value*/) {}
    virtual void on_switch_out(u32 /*cpu*/, TaskView) {}
    virtual void on_switch_in(u32 /*cpu*/, TaskView) {}
    /// A task has executed user code; count(event number) tells the events of the step.
    virtual void on_execute(u32 /*cpu*/, TaskView, const std::function<u64(u32)>& /*count*/) {}
    virtual void on_hal_use(u32 /*cpu*/, TaskView, HalUse, ExecContext, const char* /*function*/) {}
    virtual void on_lock(u32 /*cpu*/, TaskView, const char* /*name*/, const void* /*lock*/,
                         bool /*spin*/)
    {
    }
    virtual void on_unlock(u32 /*cpu*/, TaskView, const char* /*name*/, const void* /*lock*/,
                           bool /*spin*/)
    {
    }
    virtual void on_interrupt(u32 /*cpu*/, const char* /*what*/) {}
    virtual void on_cpu_online(u32 /*cpu*/, bool) {}
    /// Before an operation of a program on an event; after it, when it may be judged.
    virtual void on_operation(TaskView) {}
    virtual void on_observation(Observation&, TaskView) {}
    /// The event's last state, taken under the owner rule, before it is released.
    virtual void on_closing(u64 /*id*/, const perfcore::EventFacts&, EventOutcome&) {}
    /// The bytes a reader took from the ring of an event.
    virtual void on_drained(u64 /*id*/, const std::vector<perfcore::u8>& /*records*/) {}
    /// All tasks are gone and hooks::shutdown has run.
    virtual void on_world_end() {}
};

/// Books, oracles and log of a world. `oracles/observers.cpp` lists them.
std::vector<std::unique_ptr<Observer>> make_observers(WorldView& world, const RunOptions& options);

} // namespace perfsim
