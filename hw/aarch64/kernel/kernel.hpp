// SPDX-License-Identifier: Apache-2.0
// The reference kernel: enough of one to host the core on real registers. One task per CPU at a
// time.
#pragma once

#include "core/hal/hal.hpp"

namespace perfcore::inline aarch64_binding {

struct Hal::Task {
    TaskIds ids;
    Hal::Atomic<i32> cpu{-1}; ///< CPU it runs on
    Hal::Atomic<u32> references{1};
    void* slot = nullptr; ///< the core's
    Hal::Mutex open_mutex{"task.open_mutex"};
    Hal::Atomic<u32> stop{0};  ///< asked to leave user mode and exit
    void* kernel_sp = nullptr; ///< where leave_user() returns to
};

} // namespace perfcore::inline aarch64_binding

namespace kernel {

using namespace perfcore;
using Task = Hal::Task;

inline constexpr u32 kCpusMax = 8;

/// A cross-CPU call in flight; on its caller's stack.
struct CallRequest {
    Hal::Fn fn = nullptr;
    void* arg = nullptr;
    CallRequest* next = nullptr;
    Hal::Atomic<u32> done{0};
};

/// Per CPU, found through TPIDR_EL1.
struct Cpu {
    u32 id = 0;
    u64 midr = 0;
    u64 mpidr = 0;
    Hal::Atomic<u32> online{0};
    void* slot = nullptr; ///< the core's
    Task* current = nullptr;
    Task idle;
    Hal::Atomic<u64> next_task{0}; ///< a Task* to run, handed over by another CPU
    u32 interrupt_depth = 0;
    u32 atomic_depth = 0; ///< in hooks or call functions
    const Frame* frame = nullptr;
    Hal::SpinLock calls_lock{"cpu.calls"};
    CallRequest* calls = nullptr;
    Hal::Work* async_calls = nullptr;
    Hal::Work* deferred = nullptr;
    Hal::Timer* timers = nullptr;
    u64 ticks = 0;
};

extern Cpu cpus[kCpusMax];
extern u32 cpu_total;

inline Cpu& this_cpu()
{
    Cpu* cpu = nullptr;
    asm volatile("mrs %0, tpidr_el1" : "=r"(cpu));
    return *cpu;
}

// board and devices
namespace gic {
void init_distributor();
void init_cpu(u32 cpu);
void enable(u32 intid, bool on); ///< SGI or PPI of this CPU
u32 acknowledge();
void end(u32 intid);
void send(u32 cpu); ///< the cross-CPU interrupt
inline constexpr u32 kCallSgi = 0;
inline constexpr u32 kPmuPpi = 23;
inline constexpr u32 kTickPpi = 27;  ///< virtual timer
inline constexpr u32 kTimerPpi = 30; ///< physical timer, for Hal::Timer
inline constexpr u32 kSpurious = 1020;
} // namespace gic

namespace clock {
u64 now_ns();
void start_tick();
void tick_again();
/// Programs the physical timer for the earliest armed Hal::Timer of this CPU.
void program_timers();
inline constexpr u64 kTickNs = 4'000'000;
} // namespace clock

namespace psci {
void use_smc(bool smc);
i64 cpu_on(u64 mpidr, u64 entry, u64 context);
} // namespace psci

// console
void put(const char* text);
void put_number(u64 value);
void put_hex(u64 value);
[[noreturn]] void leave(u32 code); ///< ends QEMU with this exit status (semihosting)

// memory
u64 live_bytes();

// tasks
void init_tasks(u32 cpu);
Task* make_task(i32 pid, i32 tid);
/// This CPU, interrupts off: switches to the task with the core's hooks.
void switch_to(Task& next);
/// Runs the user program as this task on this CPU until it is stopped, then exits it.
void run_user_task(Task& task);
void handle_interrupt(Frame& frame, bool from_user);

/// Work for process context, newest first.
extern Hal::SpinLock process_work_lock;
extern Hal::Work* process_work;
/// P: runs what defer_process has queued.
void run_process_work();

// the program of this image
void self_test();

} // namespace kernel
