// SPDX-License-Identifier: Apache-2.0
// The host binding of the HAL: every function forwards to the HostMachine in force.
#pragma once

#include "sim/host_hal/host_machine.hpp"

#define PERFCORE_BINDING host_binding

namespace perfcore::inline host_binding {

struct Hal {
    using Fn = host::HostFn;

    /// Opaque to the core; the machine knows what it is.
    struct Task;
    struct Vma;
    struct WaitQueue {
        void* waiters = nullptr; ///< the machine's
    };

    template <typename T>
    class Atomic {
    public:
        constexpr explicit Atomic(T value = T{}) : m_value(value) {}
        T load(MemoryOrder) const { return point(host::SyncPoint::Load), m_value; }
        void store(T value, MemoryOrder) { point(host::SyncPoint::Store), m_value = value; }
        T exchange(T value, MemoryOrder)
        {
            point(host::SyncPoint::ReadModifyWrite);
            T old = m_value;
            m_value = value;
            return old;
        }
        T fetch_add(T value, MemoryOrder)
        {
            point(host::SyncPoint::ReadModifyWrite);
            T old = m_value;
            m_value = static_cast<T>(m_value + value);
            return old;
        }
        bool compare_exchange(T& expected, T desired, MemoryOrder)
        {
            point(host::SyncPoint::ReadModifyWrite);
            if (m_value == expected) {
                m_value = desired;
                return true;
            }
            expected = m_value;
            return false;
        }
        T peek() const { return m_value; }

    private:
        static void point(host::SyncPoint kind) { host::machine().sync_point(kind); }
        T m_value;
    };

    template <typename T>
    class AtomicRef {
    public:
        explicit AtomicRef(T& word) : m_word(word) {}
        T load(MemoryOrder)
        {
            host::machine().sync_point(host::SyncPoint::Load);
            return *static_cast<volatile T*>(&m_word);
        }
        void store(T value, MemoryOrder)
        {
            host::machine().sync_point(host::SyncPoint::Store);
            *static_cast<volatile T*>(&m_word) = value;
        }

    private:
        T& m_word;
    };

    class LocalWord {
    public:
        u64 load() { return host::machine().sync_point(host::SyncPoint::Local), m_value; }
        void store(u64 value)
        {
            host::machine().sync_point(host::SyncPoint::Local);
            m_value = value;
        }
        u64 peek() const { return m_value; }

    private:
        u64 m_value = 0;
    };

    class SpinLock {
    public:
        explicit constexpr SpinLock(const char* name) : m_state{name} {}
        [[nodiscard]] u64 lock() { return host::machine().spin_lock(m_state); }
        void unlock(u64 flags) { host::machine().spin_unlock(m_state, flags); }
        bool held() const { return host::machine().spin_held(m_state); }

    private:
        host::SpinLockState m_state;
    };

    class Mutex {
    public:
        explicit constexpr Mutex(const char* name) : m_state{name} {}
        void lock() { host::machine().mutex_lock(m_state); }
        void unlock() { host::machine().mutex_unlock(m_state); }

    private:
        host::MutexState m_state;
    };

    class Timer {
    public:
        void init(Fn fn, void* arg) { m_state.fn = fn, m_state.arg = arg; }
        void arm(u64 deadline_ns) { host::machine().timer_arm(m_state, deadline_ns); }
        void cancel() { host::machine().timer_cancel(m_state); }

    private:
        host::TimerState m_state;
    };

    struct Work {
        void init(Fn fn, void* arg) { state.fn = fn, state.arg = arg; }
        host::WorkState state;
    };
    struct CallSlot {
        void init(Fn fn, void* arg) { state.fn = fn, state.arg = arg; }
        host::WorkState state;
    };

    static host::HostMachine& m() { return host::machine(); }

    static u32 cpu_id() { return m().cpu_id(); }
    static u32 cpu_count() { return m().cpu_count(); }
    static bool cpu_online(u32 cpu) { return m().cpu_online(cpu); }
    static CpuInfo cpu_info(u32 cpu) { return m().cpu_info(cpu); }
    static u32 pmu_node_count() { return m().pmu_node_count(); }
    static PmuNode pmu_node(u32 index) { return m().pmu_node(index); }
    static void*& cpu_slot() { return m().cpu_slot(); }
    static void*& cpu_slot_of(u32 cpu) { return m().cpu_slot_of(cpu); }

    static u64 irq_save() { return m().irq_save(); }
    static void irq_restore(u64 flags) { m().irq_restore(flags); }
    static void preempt_off() { m().preempt_off(); }
    static void preempt_on() { m().preempt_on(); }
    static ExecContext context() { return m().context(); }
    static void relax() { m().relax(); }
    [[noreturn]] static void panic(const char* text, const char* file, int line)
    {
        m().panic(text, file, line);
        __builtin_unreachable();
    }
    static void fence(MemoryOrder) { m().sync_point(host::SyncPoint::Fence); }

    static CallResult call(u32 cpu, Fn fn, void* arg) { return m().call(cpu, fn, arg); }
    static void call_async(u32 cpu, CallSlot& slot) { m().call_async(cpu, slot.state); }
    static void defer(Work& work) { m().defer(work.state); }
    static void defer_process(Work& work) { m().defer_process(work.state); }

    static u64 now_ns() { return m().now_ns(); }
    static bool clock_read(i32 id, u64& out) { return m().clock_read(id, out); }
    static ClockUser clock_user() { return m().clock_user(); }
    static u64 tick_ns() { return m().tick_ns(); }

    template <PmuReg R>
    static u64 pmu_read()
    {
        return m().pmu_read(R);
    }
    template <PmuReg R>
    static void pmu_write(u64 value)
    {
        m().pmu_write(R, value);
    }
    static u64 evcntr_read(u32 n) { return m().evcntr_read(n); }
    static void evcntr_write(u32 n, u64 value) { m().evcntr_write(n, value); }
    static u64 evtyper_read(u32 n) { return m().evtyper_read(n); }
    static void evtyper_write(u32 n, u64 value) { m().evtyper_write(n, value); }
    static void isb() { m().isb(); }
    static void pmu_irq(bool on) { m().pmu_irq(on); }

    static const Frame* irq_frame() { return m().irq_frame(); }
    static const Frame* user_frame(Task* task) { return m().user_frame(task); }

    static void* alloc(usize size) { return m().alloc(size); }
    static void free(void* pointer, usize size) { m().free(pointer, size); }
    static void* pages_alloc(usize pages) { return m().pages_alloc(pages); }
    static void pages_free(void* pointer, usize pages) { m().pages_free(pointer, pages); }
    static bool map_user(Vma& vma, void* pages, usize count, bool writable, MemoryAttr attr)
    {
        return m().map_user(&vma, pages, count, writable, attr);
    }
    static bool copy_from_user(void* to, u64 from, usize size)
    {
        return m().copy_from_user(to, from, size);
    }
    static bool copy_to_user(u64 to, const void* from, usize size)
    {
        return m().copy_to_user(to, from, size);
    }
    static u64 translation_root(bool user) { return m().translation_root(user); }
    static void* ram(u64 address, usize size) { return m().ram(address, size); }
    static bool mlock_charge(usize pages) { return m().mlock_charge(pages); }
    static void mlock_uncharge(usize pages) { m().mlock_uncharge(pages); }

    static Task* current() { return static_cast<Task*>(m().current()); }
    static Task* task_get(i32 pid) { return static_cast<Task*>(m().task_get(pid)); }
    static void task_hold(Task* task) { m().task_hold(task); }
    static void task_put(Task* task) { m().task_put(task); }
    static void*& task_slot(Task* task) { return m().task_slot(task); }
    static Mutex& task_open_mutex(Task* task)
    {
        return *static_cast<Mutex*>(m().task_open_mutex(task));
    }
    static TaskIds task_ids(Task* task) { return m().task_ids(task); }
    static i32 task_cpu(Task* task) { return m().task_cpu(task); }
    static bool may(Capability capability, Task* target) { return m().may(capability, target); }

    static i32 fd_install(void* event, u32 flags) { return m().fd_install(event, flags); }
    static void* fd_event(i32 fd) { return m().fd_event(fd); }
    static void fd_put(i32 fd, void* event) { m().fd_put(fd, event); }
    static void wake(WaitQueue& queue, u32 events) { m().wake(&queue, events); }
    static void signal(void* owner, u32 code) { m().signal(owner, code); }

    static bool chaos(Site site) { return m().chaos(site); }
    static void mark(Site site, u64 a, u64 b) { m().mark(site, a, b); }
};

} // namespace perfcore::inline host_binding
