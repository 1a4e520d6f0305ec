// SPDX-License-Identifier: Apache-2.0
// The host HAL on the simulated machine: each call is a step of the world, is shown to the
// observers with the context it was made from, and then does what the contract says.
#pragma once

#include "sim/host_hal/host_machine.hpp"
#include "sim/kernel_model/world.hpp"

namespace perfsim {

using perfcore::host::HostFn;
using perfcore::host::HostMachine;
using perfcore::host::MutexState;
using perfcore::host::SpinLockState;
using perfcore::host::SyncPoint;
using perfcore::host::TimerState;
using perfcore::host::WorkState;

class SimHal final : public HostMachine {
public:
    explicit SimHal(World& world) : m_world(world) {}

    u32 cpu_id() override;
    u32 cpu_count() override;
    bool cpu_online(u32 cpu) override;
    perfcore::CpuInfo cpu_info(u32 cpu) override;
    u32 pmu_node_count() override;
    perfcore::PmuNode pmu_node(u32 index) override;
    void*& cpu_slot() override;
    void*& cpu_slot_of(u32 cpu) override;

    u64 irq_save() override;
    void irq_restore(u64 flags) override;
    void preempt_off() override;
    void preempt_on() override;
    ExecContext context() override;
    void relax() override;
    [[noreturn]] void panic(const char* text, const char* file, int line) override;

    void sync_point(SyncPoint kind) override;
    u64 spin_lock(SpinLockState& lock) override;
    void spin_unlock(SpinLockState& lock, u64 flags) override;
    bool spin_held(SpinLockState const& lock) override;
    void mutex_lock(MutexState& lock) override;
    void mutex_unlock(MutexState& lock) override;

    perfcore::CallResult call(u32 cpu, HostFn fn, void* arg) override;
    void call_async(u32 cpu, WorkState& slot) override;
    void defer(WorkState& work) override;
    void defer_process(WorkState& work) override;

    u64 now_ns() override;
    bool clock_read(i32 id, u64& out) override;
    perfcore::ClockUser clock_user() override;
    u64 tick_ns() override;
    void timer_arm(TimerState& timer, u64 deadline_ns) override;
    void timer_cancel(TimerState& timer) override;

    u64 pmu_read(PmuReg reg) override;
    void pmu_write(PmuReg reg, u64 value) override;
    u64 evcntr_read(u32 n) override;
    void evcntr_write(u32 n, u64 value) override;
    u64 evtyper_read(u32 n) override;
    void evtyper_write(u32 n, u64 value) override;
    void isb() override;
    void pmu_irq(bool on) override;

    const Frame* irq_frame() override;
    const Frame* user_frame(void* task) override;

    void* alloc(usize size) override;
    void free(void* pointer, usize size) override;
    void* pages_alloc(usize pages) override;
    void pages_free(void* pointer, usize pages) override;
    bool map_user(void* vma, void* pages, usize count, bool writable,
                  perfcore::MemoryAttr attr) override;
    bool copy_from_user(void* to, u64 from, usize size) override;
    bool copy_to_user(u64 to, const void* from, usize size) override;
    u64 translation_root(bool user) override;
    void* ram(u64 address, usize size) override;
    bool mlock_charge(usize pages) override;
    void mlock_uncharge(usize pages) override;

    void* current() override;
    void* task_get(i32 pid) override;
    void task_hold(void* task) override;
    void task_put(void* task) override;
    void*& task_slot(void* task) override;
    void* task_open_mutex(void* task) override;
    TaskIds task_ids(void* task) override;
    i32 task_cpu(void* task) override;
    bool may(perfcore::Capability capability, void* target) override;

    i32 fd_install(void* event, u32 flags) override;
    void* fd_event(i32 fd) override;
    void fd_put(i32 fd, void* event) override;
    void wake(void* queue, u32 events) override;
    void signal(void* owner, u32 code) override;

    bool chaos(Site site) override;
    void mark(Site site, u64 a, u64 b) override;

private:
    /// A step, then the context check of the contract.
    void enter(HalUse use, const char* function);
    u8* user_range(u64 address, usize size);
    ExecContext context_now() const;
    Cpu& cpu() { return m_world.active(); }

    World& m_world;
};

} // namespace perfsim
