// SPDX-License-Identifier: Apache-2.0
// The whole HAL of a dummy kernel: one CPU, one task, interrupts a flag, registers in an array.
#pragma once
#include <cstdlib>
#include <cstring>
#define PERFCORE_BINDING dummy_binding
namespace perfcore::inline dummy_binding {
struct Hal {
    using Fn = void (*)(void*);
    struct Task {
        void* slot;
    };
    struct Vma {};
    struct WaitQueue {};
    template <typename T>
    struct Atomic {
        explicit Atomic(T v = T{}) : m(v) {}
        T m;
        T load(MemoryOrder) const { return m; }
        void store(T v, MemoryOrder) { m = v; }
        T exchange(T v, MemoryOrder)
        {
            T o = m;
            m = v;
            return o;
        }
        T fetch_add(T v, MemoryOrder)
        {
            T o = m;
            m = T(m + v);
            return o;
        }
        bool compare_exchange(T& e, T d, MemoryOrder)
        {
            bool same = m == e;
            same ? m = d : e = m;
            return same;
        }
        T peek() const { return m; }
    };
    template <typename T>
    struct AtomicRef {
        explicit AtomicRef(T& w) : m(w) {}
        T& m;
        T load(MemoryOrder) { return m; }
        void store(T v, MemoryOrder) { m = v; }
    };
    struct LocalWord {
        u64 m = 0;
        u64 load() { return m; }
        void store(u64 v) { m = v; }
        u64 peek() const { return m; }
    };
    struct SpinLock {
        explicit SpinLock(const char*) {}
        u64 lock() { return irq_save(); }
        void unlock(u64 f) { irq_restore(f); }
        bool held() const { return true; }
    };
    struct Mutex {
        explicit Mutex(const char*) {}
        void lock() {}
        void unlock() {}
    };
    struct Timer {
        void init(Fn, void*) {}
        void arm(u64) {}
        void cancel() {}
    };
    struct Work {
        void init(Fn, void*) {}
    };
    struct CallSlot {
        void init(Fn, void*) {}
    };
    static inline bool irqs = true;
    static inline void* slot;
    static inline Task task{};
    static inline void* file;
    static inline u64 registers[16], counters[31], types[31], clock;
    static u32 cpu_id() { return 0; }
    static u32 cpu_count() { return 1; }
    static bool cpu_online(u32 c) { return c == 0; }
    static CpuInfo cpu_info(u32) { return {0, 0, 0}; }
    static u32 pmu_node_count() { return 1; }
    static PmuNode pmu_node(u32)
    {
        PmuNode n;
        n.name = "dummy";
        n.cpus.set(0);
        return n;
    }
    static void*& cpu_slot() { return slot; }
    static void*& cpu_slot_of(u32) { return slot; }
    static u64 irq_save()
    {
        bool was = irqs;
        irqs = false;
        return was;
    }
    static void irq_restore(u64 f) { irqs = f != 0; }
    static void preempt_off() {}
    static void preempt_on() {}
    static ExecContext context() { return {ExecContext::Level::Process, irqs}; }
    static void relax() {}
    [[noreturn]] static void panic(const char*, const char*, int) { std::abort(); }
    static void fence(MemoryOrder) {}
    static CallResult call(u32, Fn fn, void* arg)
    {
        irqs = false;
        fn(arg);
        irqs = true;
        return CallResult::Done;
    }
    static void call_async(u32, CallSlot&) {}
    static void defer(Work&) {}
    static void defer_process(Work&) {}
    static u64 now_ns() { return clock; }
    static bool clock_read(i32, u64&) { return false; }
    static ClockUser clock_user() { return {}; }
    static u64 tick_ns() { return 4'000'000; }
    template <PmuReg R>
    static u64 pmu_read()
    {
        if (R == PmuReg::PMCR_EL0)
            return registers[0] | (6u << 11);
        if (R == PmuReg::ID_AA64DFR0_EL1)
            return 4u << 8;
        return R == PmuReg::PMCEID0_EL0 ? 0x20101 : registers[unsigned(R)];
    }
    template <PmuReg R>
    static void pmu_write(u64 v)
    {
        registers[unsigned(R)] = v;
    }
    static u64 evcntr_read(u32 n) { return counters[n]; }
    static void evcntr_write(u32 n, u64 v) { counters[n] = v; }
    static u64 evtyper_read(u32 n) { return types[n]; }
    static void evtyper_write(u32 n, u64 v) { types[n] = v; }
    static void isb() {}
    static void pmu_irq(bool) {}
    static const Frame* irq_frame() { return nullptr; }
    static const Frame* user_frame(Task*) { return nullptr; }
    static void* alloc(usize n) { return std::calloc(1, n); }
    static void free(void* p, usize) { std::free(p); }
    static void* pages_alloc(usize n) { return std::calloc(n, 4096); }
    static void pages_free(void* p, usize) { std::free(p); }
    static bool map_user(Vma&, void*, usize, bool, MemoryAttr) { return true; }
    static bool copy_from_user(void* to, u64 from, usize n)
    {
        std::memcpy(to, reinterpret_cast<void*>(from), n);
        return true;
    }
    static bool copy_to_user(u64 to, const void* from, usize n)
    {
        std::memcpy(reinterpret_cast<void*>(to), from, n);
        return true;
    }
    static u64 translation_root(bool) { return 0; }
    static void* ram(u64, usize) { return nullptr; }
    static bool mlock_charge(usize) { return true; }
    static void mlock_uncharge(usize) {}
    static Task* current() { return &task; }
    static Task* task_get(i32 pid) { return pid == 0 ? &task : nullptr; }
    static void task_hold(Task*) {}
    static void task_put(Task*) {}
    static void*& task_slot(Task* t) { return t->slot; }
    static Mutex& task_open_mutex(Task*)
    {
        static Mutex m("open");
        return m;
    }
    static TaskIds task_ids(Task*) { return {1, 1, 0}; }
    static i32 task_cpu(Task*) { return 0; }
    static bool may(Capability, Task*) { return true; }
    static i32 fd_install(void* event, u32)
    {
        file = event;
        return 3;
    }
    static void* fd_event(i32) { return file; }
    static void fd_put(i32, void*) {}
    static void wake(WaitQueue&, u32) {}
    static void signal(void*, u32) {}
    static bool chaos(Site) { return false; }
    static void mark(Site, u64, u64) {}
};
} // namespace perfcore::inline dummy_binding
