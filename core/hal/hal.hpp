// SPDX-License-Identifier: Apache-2.0
// The HAL contract: everything a kernel provides to the core, function by function.
//
// Contexts: P process (may sleep, allocate, fault), A atomic (hooks and call functions: interrupts
// off, no sleeping), I interrupt. A function may be called only from the contexts named with it.
// Bound at compile time by include path (hal/binding.hpp); the concepts below pin the shape, so a
// binding that misses a function fails with the name of the group it belongs to.
//
// Types the binding defines inside Hal:
//   Task, Vma, WaitQueue   opaque, used by pointer or reference only
//   Atomic<T>              load, store, exchange, compare_exchange, fetch_add with MemoryOrder; PAI
//   AtomicRef<T>           the same on a word inside a mapped page; PAI
//   LocalWord              u64 atomic against this CPU's interrupts only: load, store; AI
//   SpinLock(const char*)  lock() returns the interrupt flags, unlock(flags); interrupts are off
//                          while held; no call, allocation or user copy; PAI
//   Mutex(const char*)     lock, unlock; may sleep; user copy not allowed while held; P
//   Timer                  init(fn, arg), arm(deadline ns), cancel(); this CPU, fires in I; AI
//   Work                   init(fn, arg): an item for defer or defer_process
//   CallSlot               init(fn, arg): an item for call_async, queued once until it runs
#pragma once

#include "core/hal/binding.hpp"

#include <concepts>

namespace perfcore::inline PERFCORE_BINDING {

/// Function run on another CPU or from deferred work.
using HalFn = void (*)(void*);

// cpu ---------------------------------------------------------------------------------------------
template <typename H>
concept HalCpu = requires(u32 cpu, u32 node)
{
    {
        H::cpu_id()
        } -> std::same_as<u32>; // AI: this CPU, 0..cpu_count-1
    {
        H::cpu_count()
        } -> std::same_as<u32>; // PAI: fixed
    {
        H::cpu_online(cpu)
        } -> std::same_as<bool>; // PAI: racy hint; calls decide
    {
        H::cpu_info(cpu)
        } -> std::same_as<CpuInfo>; // PAI: fixed after boot
    {
        H::pmu_node_count()
        } -> std::same_as<u32>; // P
    {
        H::pmu_node(node)
        } -> std::same_as<PmuNode>; // P
    {
        H::cpu_slot()
        } -> std::same_as<void*&>; // AI: our one pointer on this CPU
    {
        H::cpu_slot_of(cpu)
        } -> std::same_as<void*&>; // PAI: the same of another CPU
};

// masking -----------------------------------------------------------------------------------------
template <typename H>
concept HalMasking = requires(u64 flags, const char* text)
{
    {
        H::irq_save()
        } -> std::same_as<u64>; // PAI: interrupts off; nestable
    {
        H::irq_restore(flags)
        } -> std::same_as<void>; // PAI: a full barrier
    {
        H::preempt_off()
        } -> std::same_as<void>; // P: stay on this CPU, interrupts on
    {
        H::preempt_on()
        } -> std::same_as<void>; // P
    {
        H::context()
        } -> std::same_as<ExecContext>; // PAI: a full barrier
    {
        H::relax()
        } -> std::same_as<void>; // PAI: polite spin
    {
        H::panic(text, text, 0)
        } -> std::same_as<void>; // PAI: text, file, line; does not return
};

// sync --------------------------------------------------------------------------------------------
template <typename H>
concept HalSync = requires(typename H::template Atomic<u64>& atomic, u64& word,
                           typename H::LocalWord& local, typename H::SpinLock& spin,
                           typename H::Mutex& mutex, u64 flags)
{
    {
        atomic.load(MemoryOrder::Acquire)
        } -> std::same_as<u64>;
    {
        atomic.store(flags, MemoryOrder::Release)
        } -> std::same_as<void>;
    {
        atomic.exchange(flags, MemoryOrder::AcquireRelease)
        } -> std::same_as<u64>;
    {
        atomic.fetch_add(flags, MemoryOrder::Relaxed)
        } -> std::same_as<u64>;
    {
        atomic.compare_exchange(word, flags, MemoryOrder::AcquireRelease)
        } -> std::same_as<bool>;
    {
        atomic.peek()
        } -> std::same_as<u64>; // for assertions: never a simulation point
    {
        typename H::template AtomicRef<u64>(word).load(MemoryOrder::Acquire)
        } -> std::same_as<u64>;
    {typename H::template AtomicRef<u64>(word).store(flags, MemoryOrder::Release)};
    {
        local.load()
        } -> std::same_as<u64>;
    {
        local.store(flags)
        } -> std::same_as<void>;
    {
        spin.lock()
        } -> std::same_as<u64>;
    {
        spin.unlock(flags)
        } -> std::same_as<void>;
    {
        spin.held()
        } -> std::same_as<bool>; // for assertions: held by this CPU (or not tracked)
    {
        mutex.lock()
        } -> std::same_as<void>;
    {
        mutex.unlock()
        } -> std::same_as<void>;
    {
        H::fence(MemoryOrder::AcquireRelease)
        } -> std::same_as<void>; // PAI: a full barrier
};

// cross-CPU ---------------------------------------------------------------------------------------
template <typename H>
concept HalCross = requires(u32 cpu, HalFn fn, void* arg, typename H::CallSlot& slot,
                            typename H::Work& work)
{
    // P with interrupts on, no spin lock held: runs fn on cpu (A) and waits for it. The waiter
    // keeps serving incoming calls. cpu may be this CPU. Never times out.
    {
        H::call(cpu, fn, arg)
        } -> std::same_as<CallResult>;
    {
        H::call_async(cpu, slot)
        } -> std::same_as<void>; // PAI: fn runs in I on cpu
    {
        H::defer(work)
        } -> std::same_as<void>; // AI: this CPU, I, no scheduler lock held
    {
        H::defer_process(work)
        } -> std::same_as<void>; // PAI: some CPU, P
    slot.init(fn, arg);
    work.init(fn, arg);
};

// clock and timer ---------------------------------------------------------------------------------
template <typename H>
concept HalClock = requires(i32 id, u64& out, typename H::Timer& timer, HalFn fn, void* arg)
{
    {
        H::now_ns()
        } -> std::same_as<u64>; // PAI: monotone over CPUs; perf time
    {
        H::clock_read(id, out)
        } -> std::same_as<bool>; // PAI: attr.clockid; false: unknown
    {
        H::clock_user()
        } -> std::same_as<ClockUser>; // PAI: a full barrier
    {
        H::tick_ns()
        } -> std::same_as<u64>; // PAI: constant
    timer.init(fn, arg);
    {
        timer.arm(u64{})
        } -> std::same_as<void>; // AI: this CPU, absolute now_ns deadline
    {
        timer.cancel()
        } -> std::same_as<void>; // AI: never waits
};

// pmu ---------------------------------------------------------------------------------------------
template <typename H>
concept HalPmu = requires(u32 n, u64 value, bool on)
{
    // AI: this CPU's registers.
    {
        H::template pmu_read<PmuReg::PMCR_EL0>()
        } -> std::same_as<u64>;
    {
        H::template pmu_write<PmuReg::PMCR_EL0>(value)
        } -> std::same_as<void>;
    {
        H::evcntr_read(n)
        } -> std::same_as<u64>; // PMEVCNTR<n>_EL0, n < PMCR_EL0.N
    {
        H::evcntr_write(n, value)
        } -> std::same_as<void>;
    {
        H::evtyper_read(n)
        } -> std::same_as<u64>; // PMEVTYPER<n>_EL0
    {
        H::evtyper_write(n, value)
        } -> std::same_as<void>;
    {
        H::isb()
        } -> std::same_as<void>; // earlier register writes are in effect
    {
        H::pmu_irq(on)
        } -> std::same_as<void>; // this CPU's PPI at the interrupt controller
};

// frame and memory --------------------------------------------------------------------------------
template <typename H>
concept HalFrame = requires(typename H::Task* task)
{
    {
        H::irq_frame()
        } -> std::same_as<const Frame*>; // I: interrupted registers, else null
    {
        H::user_frame(task)
        } -> std::same_as<const Frame*>; // AI: null for kernel threads
};

template <typename H>
concept HalMemory = requires(usize size, void* pointer, u64 user, typename H::Vma& vma)
{
    {
        H::alloc(size)
        } -> std::same_as<void*>; // P: zeroed; null = out of memory
    {
        H::free(pointer, size)
        } -> std::same_as<void>; // P
    {
        H::pages_alloc(size)
        } -> std::same_as<void*>; // P: n pages, zeroed, contiguous
    {
        H::pages_free(pointer, size)
        } -> std::same_as<void>; // P
    {
        H::map_user(vma, pointer, size, true, MemoryAttr::NormalWB)
        } -> std::same_as<bool>; // P
    {
        H::copy_from_user(pointer, user, size)
        } -> std::same_as<bool>; // P, no lock held; false=fault
    {
        H::copy_to_user(user, pointer, size)
        } -> std::same_as<bool>; // P, no lock held
    {
        H::translation_root(true)
        } -> std::same_as<u64>; // I: TTBR0 (user) or TTBR1
    {
        H::ram(user, size)
        } -> std::same_as<void*>; // PAI: null unless wholly RAM
    {
        H::mlock_charge(size)
        } -> std::same_as<bool>; // P: false = EPERM
    {
        H::mlock_uncharge(size)
        } -> std::same_as<void>; // P
};

// task and file -----------------------------------------------------------------------------------
template <typename H>
concept HalTask = requires(typename H::Task* task, i32 pid, Capability capability)
{
    {
        H::current()
        } -> std::same_as<typename H::Task*>; // PAI: never null; idle has ids 0
    {
        H::task_get(pid)
        } -> std::same_as<typename H::Task*>; // P: counted; null = ESRCH
    {
        H::task_hold(task)
        } -> std::same_as<void>; // PAI: one more reference
    {
        H::task_put(task)
        } -> std::same_as<void>; // P
    {
        H::task_slot(task)
        } -> std::same_as<void*&>; // our one pointer in the task
    {
        H::task_open_mutex(task)
        } -> std::same_as<typename H::Mutex&>; // P: guards task_slot
    {
        H::task_ids(task)
        } -> std::same_as<TaskIds>; // PAI: lock-free
    {
        H::task_cpu(task)
        } -> std::same_as<i32>; // PAI: CPU it runs on or -1; a hint
    {
        H::may(capability, task)
        } -> std::same_as<bool>; // P: current's right over task (or null)
};

template <typename H>
concept HalFile = requires(void* event, u32 flags, i32 fd, typename H::WaitQueue& queue, u32 bits)
{
    {
        H::fd_install(event, flags)
        } -> std::same_as<i32>; // P: fd, or -errno (EMFILE)
    {
        H::fd_event(fd)
        } -> std::same_as<void*>; // P: counted; null = EBADF
    {
        H::fd_put(fd, event)
        } -> std::same_as<void>; // P
    {
        H::wake(queue, bits)
        } -> std::same_as<void>; // I from defer, P
    {
        H::signal(event, bits)
        } -> std::same_as<void>; // I from defer, P: POLL_IN or POLL_HUP
};

template <typename H>
concept HalTest = requires(u64 a, u64 b)
{
    {
        H::chaos(Site::Armed)
        } -> std::same_as<bool>; // PAI: constant false on hardware
    {
        H::mark(Site::Armed, a, b)
        } -> std::same_as<void>; // PAI: nothing on hardware
};

static_assert(HalCpu<Hal>, "HAL binding: cpu group (see core/hal/hal.hpp)");
static_assert(HalMasking<Hal>, "HAL binding: masking group");
static_assert(HalSync<Hal>, "HAL binding: sync group");
static_assert(HalCross<Hal>, "HAL binding: cross-CPU group");
static_assert(HalClock<Hal>, "HAL binding: clock and timer group");
static_assert(HalPmu<Hal>, "HAL binding: pmu group");
static_assert(HalFrame<Hal>, "HAL binding: frame group");
static_assert(HalMemory<Hal>, "HAL binding: memory group");
static_assert(HalTask<Hal>, "HAL binding: task group");
static_assert(HalFile<Hal>, "HAL binding: file group");
static_assert(HalTest<Hal>, "HAL binding: test group");

} // namespace perfcore::inline PERFCORE_BINDING
