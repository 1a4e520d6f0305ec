// SPDX-License-Identifier: Apache-2.0
// Tasks, files and their part of the HAL. A task is handed to a CPU, runs the EL0 program there
// until it is stopped, exits through the core's hooks, and the CPU's idle task is current again.
#include "core/hooks/hooks.hpp"
#include "hw/aarch64/kernel/kernel.hpp"

extern "C" void enter_user(perfcore::u64 pc, void** saved_sp);
extern "C" [[noreturn]] void leave_user(void* saved_sp);
extern "C" const char user_loop[];

namespace kernel {

Hal::SpinLock process_work_lock{"process_work"};
Hal::Work* process_work = nullptr;

namespace {

constexpr u32 kTasksMax = 16;
constexpr u32 kFilesMax = 16;
constexpr i32 kFirstFd = 3;
constexpr u64 kUserAlias = 0x4000'0000; // EL0 sees RAM this much higher

Task s_tasks[kTasksMax];
u32 s_task_count = 0;
void* s_files[kFilesMax];

} // namespace

void run_process_work()
{
    const u64 flags = process_work_lock.lock();
    Hal::Work* work = process_work;
    process_work = nullptr;
    process_work_lock.unlock(flags);
    while (work != nullptr) {
        Hal::Work* next = work->next;
        work->queued.store(0, MemoryOrder::Release);
        work->fn(work->arg);
        work = next;
    }
}

void init_tasks(u32 cpu)
{
    Cpu& here = cpus[cpu];
    here.idle.ids.idle = here.idle.ids.kernel = true;
    here.idle.cpu.store(static_cast<i32>(cpu), MemoryOrder::Relaxed);
    here.current = &here.idle;
}

Task* make_task(i32 pid, i32 tid)
{
    if (s_task_count == kTasksMax)
        return nullptr;
    Task& task = s_tasks[s_task_count++];
    task.ids.pid = pid;
    task.ids.tid = tid;
    return &task;
}

void switch_to(Task& next)
{
    Cpu& cpu = this_cpu();
    ++cpu.atomic_depth;
    hooks::switch_out(cpu.current);
    cpu.current->cpu.store(-1, MemoryOrder::Release);
    cpu.current = &next;
    next.cpu.store(static_cast<i32>(cpu.id), MemoryOrder::Release);
    Hal::fence(MemoryOrder::AcquireRelease);
    hooks::switch_in(&next);
    --cpu.atomic_depth;
}

void run_user_task(Task& task)
{
    const u64 flags = Hal::irq_save();
    switch_to(task);
    enter_user(reinterpret_cast<u64>(user_loop) + kUserAlias, &task.kernel_sp);
    // leave_user() came back here with interrupts masked.
    Hal::irq_restore(flags);
    task.ids.exiting = true;
    hooks::exit(&task);
    const u64 again = Hal::irq_save();
    switch_to(this_cpu().idle);
    Hal::irq_restore(again);
}

} // namespace kernel

namespace perfcore::inline aarch64_binding {

using kernel::this_cpu;

const Frame* Hal::irq_frame()
{
    return this_cpu().frame;
}

const Frame* Hal::user_frame(Task*)
{
    return nullptr; // user registers live in the interrupt frame only
}

Hal::Task* Hal::current()
{
    const u64 flags = irq_save();
    Task* task = this_cpu().current;
    irq_restore(flags);
    return task;
}

Hal::Task* Hal::task_get(i32 pid)
{
    Task* found = pid == 0 ? current() : nullptr;
    for (u32 i = 0; pid != 0 && i < kernel::s_task_count; ++i)
        if (kernel::s_tasks[i].ids.tid == pid && !kernel::s_tasks[i].ids.exiting)
            found = &kernel::s_tasks[i];
    if (found != nullptr)
        task_hold(found);
    return found;
}

void Hal::task_hold(Task* task)
{
    task->references.fetch_add(1, MemoryOrder::Relaxed);
}

void Hal::task_put(Task* task)
{
    task->references.fetch_add(~u32{0}, MemoryOrder::AcquireRelease);
}

void*& Hal::task_slot(Task* task)
{
    return task->slot;
}

Hal::Mutex& Hal::task_open_mutex(Task* task)
{
    return task->open_mutex;
}

TaskIds Hal::task_ids(Task* task)
{
    return task->ids;
}

i32 Hal::task_cpu(Task* task)
{
    return task->cpu.load(MemoryOrder::Acquire);
}

bool Hal::may(Capability, Task*)
{
    return true; // everything runs as root here
}

i32 Hal::fd_install(void* event, u32)
{
    constexpr i32 kEmfile = 24;
    for (u32 i = 0; i < kernel::kFilesMax; ++i) {
        if (kernel::s_files[i] != nullptr)
            continue;
        kernel::s_files[i] = event;
        return kernel::kFirstFd + static_cast<i32>(i);
    }
    return -kEmfile;
}

void* Hal::fd_event(i32 fd)
{
    const i32 index = fd - kernel::kFirstFd;
    return index >= 0 && index < static_cast<i32>(kernel::kFilesMax) ? kernel::s_files[index]
                                                                     : nullptr;
}

// Descriptors are closed by their one user, so a look-up holds nothing.
void Hal::fd_put(i32, void*) {}

void Hal::wake(WaitQueue& queue, u32 events)
{
    queue.events |= events;
}

void Hal::signal(void*, u32) {}

} // namespace perfcore::inline aarch64_binding
