// SPDX-License-Identifier: Apache-2.0
// HostMachine: what stands behind the host binding of the HAL. Two implementations: the SystemC
// machine (sim/kernel_model) and ScriptedMachine (sim/host_hal/scripted_machine.hpp). Each method
// mirrors the HAL function of the same name; contexts and meanings are documented in core/hal.
#pragma once

#include "core/hal/types.hpp"

#include <string>

namespace perfcore::host {

using HostFn = void (*)(void*);

/// Lock state lives in the core's objects; the machine owns its meaning.
struct SpinLockState {
    const char* name; ///< lock class, for lock-order checking
    i32 holder = -1;  ///< CPU that holds it
};

struct MutexState {
    const char* name;
    const void* holder = nullptr; ///< task that holds it
    u64 waiters = 0;
};

struct TimerState {
    HostFn fn = nullptr;
    void* arg = nullptr;
    i32 cpu = -1; ///< CPU it is armed on
    u64 deadline_ns = 0;
    u64 generation = 0; ///< the machine's: tells a cancelled deadline from a live one
};

struct WorkState {
    HostFn fn = nullptr;
    void* arg = nullptr;
    bool queued = false;
};

enum class SyncPoint : u8 { Load, Store, ReadModifyWrite, Fence, Local };

class HostMachine {
public:
    virtual ~HostMachine() = default;

    // cpu
    virtual u32 cpu_id() = 0;
    virtual u32 cpu_count() = 0;
    virtual bool cpu_online(u32 cpu) = 0;
    virtual CpuInfo cpu_info(u32 cpu) = 0;
    virtual u32 pmu_node_count() = 0;
    virtual PmuNode pmu_node(u32 index) = 0;
    virtual void*& cpu_slot() = 0;
    virtual void*& cpu_slot_of(u32 cpu) = 0;

    // masking
    virtual u64 irq_save() = 0;
    virtual void irq_restore(u64 flags) = 0;
    virtual void preempt_off() = 0;
    virtual void preempt_on() = 0;
    virtual ExecContext context() = 0;
    virtual void relax() = 0;
    [[noreturn]] virtual void panic(const char* text, const char* file, int line) = 0;

    // sync: called before the access takes place; another CPU or an interrupt may run inside
    virtual void sync_point(SyncPoint kind) = 0;
    virtual u64 spin_lock(SpinLockState& lock) = 0;
    virtual void spin_unlock(SpinLockState& lock, u64 flags) = 0;
    virtual bool spin_held(SpinLockState const& lock) = 0;
    virtual void mutex_lock(MutexState& lock) = 0;
    virtual void mutex_unlock(MutexState& lock) = 0;

    // cross-CPU
    virtual CallResult call(u32 cpu, HostFn fn, void* arg) = 0;
    virtual void call_async(u32 cpu, WorkState& slot) = 0;
    virtual void defer(WorkState& work) = 0;
    virtual void defer_process(WorkState& work) = 0;

    // clock and timer
    virtual u64 now_ns() = 0;
    virtual bool clock_read(i32 id, u64& out) = 0;
    virtual ClockUser clock_user() = 0;
    virtual u64 tick_ns() = 0;
    virtual void timer_arm(TimerState& timer, u64 deadline_ns) = 0;
    virtual void timer_cancel(TimerState& timer) = 0;

    // pmu
    virtual u64 pmu_read(PmuReg reg) = 0;
    virtual void pmu_write(PmuReg reg, u64 value) = 0;
    virtual u64 evcntr_read(u32 n) = 0;
    virtual void evcntr_write(u32 n, u64 value) = 0;
    virtual u64 evtyper_read(u32 n) = 0;
    virtual void evtyper_write(u32 n, u64 value) = 0;
    virtual void isb() = 0;
    virtual void pmu_irq(bool on) = 0;

    // frame
    virtual const Frame* irq_frame() = 0;
    virtual const Frame* user_frame(void* task) = 0;

    // memory
    virtual void* alloc(usize size) = 0;
    virtual void free(void* pointer, usize size) = 0;
    virtual void* pages_alloc(usize pages) = 0;
    virtual void pages_free(void* pointer, usize pages) = 0;
    virtual bool map_user(void* vma, void* pages, usize count, bool writable, MemoryAttr attr) = 0;
    virtual bool copy_from_user(void* to, u64 from, usize size) = 0;
    virtual bool copy_to_user(u64 to, const void* from, usize size) = 0;
    virtual u64 translation_root(bool user) = 0;
    virtual void* ram(u64 address, usize size) = 0;
    virtual bool mlock_charge(usize pages) = 0;
    virtual void mlock_uncharge(usize pages) = 0;

    // task
    virtual void* current() = 0;
    virtual void* task_get(i32 pid) = 0;
    virtual void task_hold(void* task) = 0;
    virtual void task_put(void* task) = 0;
    virtual void*& task_slot(void* task) = 0;
    /// The task's open mutex: a Hal::Mutex placed in the task by the machine, by address.
    virtual void* task_open_mutex(void* task) = 0;
    virtual TaskIds task_ids(void* task) = 0;
    virtual i32 task_cpu(void* task) = 0;
    virtual bool may(Capability capability, void* target) = 0;

    // file
    virtual i32 fd_install(void* event, u32 flags) = 0;
    virtual void* fd_event(i32 fd) = 0;
    virtual void fd_put(i32 fd, void* event) = 0;
    virtual void wake(void* queue, u32 events) = 0;
    virtual void signal(void* owner, u32 code) = 0;

    // test
    virtual bool chaos(Site site) = 0;
    virtual void mark(Site site, u64 a, u64 b) = 0;
};

/// The machine behind the binding. Exactly one at a time; set by the machine's own scope.
HostMachine& machine();
/// Returns the previous one. Null: none.
HostMachine* set_machine(HostMachine* machine);

} // namespace perfcore::host
