// SPDX-License-Identifier: Apache-2.0
// One simulated CPU: its devices, what runs on it and why it is parked.
#pragma once

#include "sim/cluster_model/gic.hpp"
#include "sim/host_hal/host_machine.hpp"
#include "sim/kernel_model/task.hpp"

#include <deque>

namespace perfsim {

/// Why a CPU has no code to run now.
enum class Park : u8 { Running, User, Idle, Spin, Call, Off };

/// A cross-CPU call in flight; lives on its caller's stack.
struct CallRequest {
    perfcore::host::HostFn fn;
    void* arg;
    u32 caller;
    bool done = false;
    bool offline = false;
};

struct Cpu {
    u32 index = 0;
    u32 cluster = 0;
    PmuModel pmu;
    Gic gic;
    void* slot = nullptr;

    bool online = false;
    bool irqs_on = false;
    bool in_interrupt = false;
    u32 atomic_depth = 0; ///< inside hooks or call functions
    bool need_resched = false;
    bool off_requested = false;

    Task* current = nullptr;
    Task* idle = nullptr;
    Task* switched_from = nullptr; ///< whose stack this CPU has just left
    u32 switched_to_cpu = kNone;   ///< where that task is to go on; kNone: anywhere
    std::deque<Task*> run_queue;

    Park park = Park::Off;
    bool ready = false;
    u64 ready_at = 0;
    const void* spinning_on = nullptr;

    // User phase in progress.
    bool in_user = false;
    u64 stop_position = 0;
    u64 stop_generation = 0;

    u64 tick_generation = 0;
    bool ticking = false;

    bool line = false; ///< PMU line at the core
    u64 line_generation = 0;

    std::deque<CallRequest*> calls;
    std::deque<perfcore::host::WorkState*> async_calls;
    std::deque<perfcore::host::WorkState*> deferred;
    std::deque<perfcore::host::TimerState*> timers;

    Frame frame;
    bool frame_valid = false;
    u64 interrupts_at = 0; ///< instant of the last interrupt, for livelock detection
    u32 interrupts_there = 0;
};

} // namespace perfsim
