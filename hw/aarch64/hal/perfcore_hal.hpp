// SPDX-License-Identifier: Apache-2.0
// The HAL contract on real AArch64 registers. What needs a kernel behind it is declared here and
// implemented in hw/aarch64/kernel; everything else is an instruction or two, inlined.
#pragma once

#ifndef __aarch64__
#error "this HAL binding is for AArch64 only"
#endif

#define PERFCORE_BINDING aarch64_binding

namespace perfcore::inline aarch64_binding {

struct Hal {
    using Fn = void (*)(void*);

    struct Task;
    struct Vma {
        void* pages = nullptr; ///< kernel and user see the same cacheable memory
        usize count = 0;
    };
    struct WaitQueue {
        u32 events = 0;
    };

    static constexpr int order_of(MemoryOrder order)
    {
        switch (order) {
        case MemoryOrder::Relaxed:
            return __ATOMIC_RELAXED;
        case MemoryOrder::Acquire:
            return __ATOMIC_ACQUIRE;
        case MemoryOrder::Release:
            return __ATOMIC_RELEASE;
        case MemoryOrder::AcquireRelease:
            break;
        }
        return __ATOMIC_ACQ_REL;
    }

    template <typename T>
    class Atomic {
    public:
        constexpr explicit Atomic(T value = T{}) : m_value(value) {}
        T load(MemoryOrder order) const { return __atomic_load_n(&m_value, order_of(order)); }
        void store(T value, MemoryOrder order)
        {
            __atomic_store_n(&m_value, value, order_of(order));
        }
        T exchange(T value, MemoryOrder order)
        {
            return __atomic_exchange_n(&m_value, value, order_of(order));
        }
        T fetch_add(T value, MemoryOrder order)
        {
            return __atomic_fetch_add(&m_value, value, order_of(order));
        }
        bool compare_exchange(T& expected, T desired, MemoryOrder order)
        {
            return __atomic_compare_exchange_n(&m_value, &expected, desired, false, order_of(order),
                                               __ATOMIC_RELAXED);
        }
        T peek() const { return __atomic_load_n(&m_value, __ATOMIC_RELAXED); }

    private:
        T m_value;
    };

    template <typename T>
    class AtomicRef {
    public:
        explicit AtomicRef(T& word) : m_word(word) {}
        T load(MemoryOrder order) { return __atomic_load_n(&m_word, order_of(order)); }
        void store(T value, MemoryOrder order)
        {
            __atomic_store_n(&m_word, value, order_of(order));
        }

    private:
        T& m_word;
    };

    /// Plain memory: program order is all an interrupt on the same CPU needs.
    class LocalWord {
    public:
        u64 load() { return m_value; }
        void store(u64 value) { m_value = value; }
        u64 peek() const { return m_value; }

    private:
        volatile u64 m_value = 0;
    };

    class SpinLock {
    public:
        explicit constexpr SpinLock(const char*) {}
        [[nodiscard]] u64 lock()
        {
            const u64 flags = irq_save();
            while (m_locked.exchange(1, MemoryOrder::Acquire) != 0)
                relax();
            return flags;
        }
        void unlock(u64 flags)
        {
            m_locked.store(0, MemoryOrder::Release);
            irq_restore(flags);
        }
        bool held() const { return m_locked.peek() != 0; }

    private:
        Atomic<u32> m_locked{0};
    };

    /// Every task of this kernel has a CPU of its own, so waiting is polite spinning with
    /// interrupts on.
    class Mutex {
    public:
        explicit constexpr Mutex(const char*) {}
        void lock()
        {
            while (m_locked.exchange(1, MemoryOrder::Acquire) != 0)
                relax();
        }
        void unlock() { m_locked.store(0, MemoryOrder::Release); }

    private:
        Atomic<u32> m_locked{0};
    };

    class Timer {
    public:
        void init(Fn fn, void* arg) { m_fn = fn, m_arg = arg; }
        void arm(u64 deadline_ns);
        void cancel();
        void fire() { m_fn(m_arg); }
        u64 deadline_ns() const { return m_deadline_ns; }
        Timer* next = nullptr; ///< the CPU's list of armed timers

    private:
        Fn m_fn = nullptr;
        void* m_arg = nullptr;
        u64 m_deadline_ns = 0;
    };

    struct Work {
        void init(Fn fn_in, void* arg_in) { fn = fn_in, arg = arg_in; }
        Fn fn = nullptr;
        void* arg = nullptr;
        Work* next = nullptr;
        Atomic<u32> queued{0};
    };
    using CallSlot = Work;

    // cpu
    static u32 cpu_id();
    static u32 cpu_count();
    static bool cpu_online(u32 cpu);
    static CpuInfo cpu_info(u32 cpu);
    static u32 pmu_node_count();
    static PmuNode pmu_node(u32 index);
    static void*& cpu_slot();
    static void*& cpu_slot_of(u32 cpu);

    // masking
    static u64 irq_save()
    {
        u64 flags = 0;
        asm volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(flags) : : "memory");
        return flags;
    }
    static void irq_restore(u64 flags) { asm volatile("msr daif, %0" : : "r"(flags) : "memory"); }
    static void preempt_off() {}
    static void preempt_on() {}
    static ExecContext context();
    static void relax() { asm volatile("yield" : : : "memory"); }
    [[noreturn]] static void panic(const char* text, const char* file, int line);
    static void fence(MemoryOrder) { asm volatile("dmb ish" : : : "memory"); }

    // cross-CPU
    static CallResult call(u32 cpu, Fn fn, void* arg);
    static void call_async(u32 cpu, CallSlot& slot);
    static void defer(Work& work);
    static void defer_process(Work& work);

    // clock
    static u64 now_ns();
    static bool clock_read(i32 id, u64& out);
    static ClockUser clock_user();
    static u64 tick_ns();

    // pmu
    template <PmuReg R>
    static u64 pmu_read()
    {
        u64 value = 0;
        if constexpr (R == PmuReg::PMCR_EL0)
            asm volatile("mrs %0, pmcr_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMCNTENSET_EL0)
            asm volatile("mrs %0, pmcntenset_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMCNTENCLR_EL0)
            asm volatile("mrs %0, pmcntenclr_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMOVSCLR_EL0)
            asm volatile("mrs %0, pmovsclr_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMOVSSET_EL0)
            asm volatile("mrs %0, pmovsset_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMSELR_EL0)
            asm volatile("mrs %0, pmselr_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMCEID0_EL0)
            asm volatile("mrs %0, pmceid0_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMCEID1_EL0)
            asm volatile("mrs %0, pmceid1_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMCCNTR_EL0)
            asm volatile("mrs %0, pmccntr_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMCCFILTR_EL0)
            asm volatile("mrs %0, pmccfiltr_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMUSERENR_EL0)
            asm volatile("mrs %0, pmuserenr_el0" : "=r"(value));
        else if constexpr (R == PmuReg::PMINTENSET_EL1)
            asm volatile("mrs %0, pmintenset_el1" : "=r"(value));
        else if constexpr (R == PmuReg::PMINTENCLR_EL1)
            asm volatile("mrs %0, pmintenclr_el1" : "=r"(value));
        else if constexpr (R == PmuReg::PMMIR_EL1)
            asm volatile("mrs %0, S3_0_C9_C14_6" : "=r"(value));
        else if constexpr (R == PmuReg::ID_AA64DFR0_EL1)
            asm volatile("mrs %0, id_aa64dfr0_el1" : "=r"(value));
        else
            static_assert(R == PmuReg::PMCR_EL0, "a write-only register");
        return value;
    }
    template <PmuReg R>
    static void pmu_write(u64 value)
    {
        if constexpr (R == PmuReg::PMCR_EL0)
            asm volatile("msr pmcr_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMCNTENSET_EL0)
            asm volatile("msr pmcntenset_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMCNTENCLR_EL0)
            asm volatile("msr pmcntenclr_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMOVSCLR_EL0)
            asm volatile("msr pmovsclr_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMOVSSET_EL0)
            asm volatile("msr pmovsset_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMSWINC_EL0)
            asm volatile("msr pmswinc_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMSELR_EL0)
            asm volatile("msr pmselr_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMCCNTR_EL0)
            asm volatile("msr pmccntr_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMCCFILTR_EL0)
            asm volatile("msr pmccfiltr_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMUSERENR_EL0)
            asm volatile("msr pmuserenr_el0, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMINTENSET_EL1)
            asm volatile("msr pmintenset_el1, %0" : : "r"(value));
        else if constexpr (R == PmuReg::PMINTENCLR_EL1)
            asm volatile("msr pmintenclr_el1, %0" : : "r"(value));
        else
            static_assert(R == PmuReg::PMCR_EL0, "a read-only register");
    }
    static u64 evcntr_read(u32 n);
    static void evcntr_write(u32 n, u64 value);
    static u64 evtyper_read(u32 n);
    static void evtyper_write(u32 n, u64 value);
    static void isb() { asm volatile("isb" : : : "memory"); }
    static void pmu_irq(bool on);

    // frame
    static const Frame* irq_frame();
    static const Frame* user_frame(Task* task);

    // memory
    static void* alloc(usize size);
    static void free(void* pointer, usize size);
    static void* pages_alloc(usize pages);
    static void pages_free(void* pointer, usize pages);
    static bool map_user(Vma& vma, void* pages, usize count, bool writable, MemoryAttr attr);
    static bool copy_from_user(void* to, u64 from, usize size);
    static bool copy_to_user(u64 to, const void* from, usize size);
    static u64 translation_root(bool user);
    static void* ram(u64 address, usize size);
    static bool mlock_charge(usize pages);
    static void mlock_uncharge(usize pages);

    // task
    static Task* current();
    static Task* task_get(i32 pid);
    static void task_hold(Task* task);
    static void task_put(Task* task);
    static void*& task_slot(Task* task);
    static Mutex& task_open_mutex(Task* task);
    static TaskIds task_ids(Task* task);
    static i32 task_cpu(Task* task);
    static bool may(Capability capability, Task* target);

    // file
    static i32 fd_install(void* event, u32 flags);
    static void* fd_event(i32 fd);
    static void fd_put(i32 fd, void* event);
    static void wake(WaitQueue& queue, u32 events);
    static void signal(void* owner, u32 code);

    // test
    static constexpr bool chaos(Site) { return false; }
    static constexpr void mark(Site, u64, u64) {}
};

} // namespace perfcore::inline aarch64_binding
