// SPDX-License-Identifier: Apache-2.0
// Tasks, processes and files of the simulated kernel.
#pragma once

#include "core/hal/hal.hpp"
#include "sim/cluster_model/phase.hpp"
#include "sim/kernel_model/stack_pool.hpp"

#include <memory>
#include <string>
#include <vector>

namespace perfsim {

using perfcore::CpuMask;
using perfcore::Frame;
using perfcore::Hal;
using perfcore::TaskIds;
using perfcore::u16;
using perfcore::u8;

enum class TaskState : u8 { Runnable, Running, Blocked, Dead };

/// An open event file. One reference per descriptor and per mapping.
struct File {
    perfcore::Event* event = nullptr;
    u64 id = 0;
    u32 references = 0;
    u32 handle = kNone;
    bool closed = false; ///< its descriptor is gone
};

struct Vma {
    File* file = nullptr;
    u8* pages = nullptr;
    u64 page_count = 0;
    bool writable = false;
    u32 ring = kNone;
};

struct ProcessState {
    u32 index = 0;
    i32 tgid = 0;
    bool perfmon = true;
    u32 live_threads = 0;
    std::vector<std::unique_ptr<File>> files; ///< index = descriptor - kFirstFd
    std::vector<std::unique_ptr<Vma>> vmas;
    u64 locked_pages = 0;
};

/// What a blocked task waits for.
enum class WaitKind : u8 { None, Mark, Forever, Time, Mutex, Work, WorldEnd, CpusUp };

struct Task {
    u32 thread = kNone; ///< index into Scenario::threads; kNone: the kernel's own
    TaskIds ids;
    ProcessState* process = nullptr;
    TaskState state = TaskState::Runnable;
    i32 cpu = -1;        ///< CPU it runs on, as Hal::task_cpu tells
    bool on_cpu = false; ///< its stack is in use by a CPU (also while switching out)
    u32 last_cpu = 0;
    CpuMask allowed;
    u64 slice_start_ps = 0;
    u32 preempt_count = 0;

    Stack* stack = nullptr;
    Phase phase;
    Frame user; ///< registers at the last kernel entry

    u32 references = 1;
    void* slot = nullptr;
    Hal::Mutex open_mutex{"task.open_mutex"};

    WaitKind waiting = WaitKind::None;
    u32 waiting_mark = kNone;
    const void* waiting_mutex = nullptr;
    const char* waiting_name = "";
    u64 wake_generation = 0;
    bool killed = false;

    u64 user_base = 0; ///< address of its scratch user memory
    std::vector<u8> user_memory;
};

inline constexpr i32 kFirstFd = 3;

} // namespace perfsim
