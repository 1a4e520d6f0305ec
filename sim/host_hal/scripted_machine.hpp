// SPDX-License-Identifier: Apache-2.0
// ScriptedMachine: a HostMachine without SystemC for unit tests, fuzzers and benchmarks. One
// thread; the test says which CPU and task are current, lets user code "execute", and may inject a
// callback (an interrupt, say) before the nth HAL call. Calls to another CPU run there and then.
// HAL calls are counted; misuse of contexts, leaks, double frees and writes after free are recorded
// as problems.
#pragma once

#include "core/abi/perf_event.hpp"
#include "core/control/control.hpp"
#include "sim/pmu_model/pmu_model.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace perfsim {

using namespace perfcore;

struct ScriptedTask {
    TaskIds ids;
    i32 cpu = -1;
    u32 references = 1;
    void* slot = nullptr;
    Hal::Mutex open_mutex{"task.open_mutex"};
};

class ScriptedMachine : public host::HostMachine {
public:
    struct Cluster {
        const char* pmu_name = "armv8_cortex_a55";
        u32 cpus = 1;
        PmuConfig pmu;
        bool interrupt = true;
        std::vector<CounterPlacement> placements = {};
    };

    /// Becomes the machine of the host binding until it is destroyed.
    explicit ScriptedMachine(std::vector<Cluster> clusters);
    ~ScriptedMachine() override;

    /// hooks::init and hooks::cpu_up on every CPU; CPU 0 is current afterwards, with its first
    /// task.
    Subsystem& boot();
    /// Releases everything that is open, exits the tasks and shuts down. Problems are complete
    /// then.
    void finish();

    ScriptedTask& add_task(i32 pid, i32 tid);
    /// The one CPU 0 runs after boot().
    ScriptedTask& first_task() { return m_tasks.front(); }
    /// Switch hooks and all: the CPU becomes current and runs the task (null: its idle task).
    void run_on(u32 cpu, ScriptedTask* task);
    /// The current CPU executes user code, taking overflow interrupts at the exact instruction.
    void execute(u64 instructions, u64 cycles_per_instruction = 1);
    /// The current CPU's clock goes on with nothing executed; timers fire at their instants.
    void idle(u64 ns);
    /// Takes the current CPU's PMU interrupt if its line is high and unmasked.
    void take_pmu_interrupt();
    void go_offline(u32 cpu);

    /// perf_event_open for the current task; -errno or a descriptor.
    i64 open(const PerfEventAttr& attr, i32 pid, i32 cpu, i32 group = -1, u64 flags = 0);
    /// The words read(2) returned; empty on error (see last_error).
    std::vector<u64> read(i64 fd);
    i64 ioctl(i64 fd, u32 command, u64 argument = 0);
    /// PERF_EVENT_IOC_PERIOD, whose argument is a pointer.
    i64 set_period(i64 fd, u64 period);
    /// 0 or -errno; the ring's pages are then at pages(fd).
    i64 mmap(i64 fd, u64 data_pages, bool writable = true);
    void munmap(i64 fd);
    void close(i64 fd);
    Event& event(i64 fd) { return *static_cast<Event*>(m_files.at(fd).event); }
    u8* pages(i64 fd) { return m_files.at(fd).pages; }

    PmuModel& pmu(u32 cpu) { return m_cpus[cpu].pmu; }
    PmuModel& pmu() { return m_cpus[m_cpu].pmu; }
    const std::vector<std::string>& problems() const { return m_problems; }
    Subsystem& subsystem() { return *m_subsystem; }

    static constexpr u64 kUserBase = 0x10000; ///< address of the user buffer, a page

    u64 hal_calls = 0;
    u64 time_ns = 1'000'000;
    u64 fail_allocation = 0; ///< the nth from now returns null; 0: none
    bool perfmon = true;     ///< current holds CAP_PERFMON
    usize live_allocations() const;
    i64 last_error = 0;
    std::map<u64, std::vector<Site>> marks; ///< by event id

    /// Called before HAL call number hal_calls == inject_at, once.
    u64 inject_at = 0;
    std::function<void()> inject;

    // HostMachine
    u32 cpu_id() override;
    u32 cpu_count() override { return static_cast<u32>(m_cpus.size()); }
    bool cpu_online(u32 cpu) override { return m_cpus[cpu].online; }
    CpuInfo cpu_info(u32 cpu) override;
    u32 pmu_node_count() override { return static_cast<u32>(m_clusters.size()); }
    PmuNode pmu_node(u32 index) override;
    void*& cpu_slot() override;
    void*& cpu_slot_of(u32 cpu) override { return m_cpus[cpu].slot; }
    u64 irq_save() override;
    void irq_restore(u64 flags) override;
    void preempt_off() override {}
    void preempt_on() override {}
    ExecContext context() override;
    void relax() override { step(); }
    [[noreturn]] void panic(const char* text, const char* file, int line) override;
    void sync_point(host::SyncPoint) override { step(); }
    u64 spin_lock(host::SpinLockState& lock) override;
    void spin_unlock(host::SpinLockState& lock, u64 flags) override;
    bool spin_held(host::SpinLockState const& lock) override;
    void mutex_lock(host::MutexState& lock) override;
    void mutex_unlock(host::MutexState& lock) override;
    CallResult call(u32 cpu, host::HostFn fn, void* arg) override;
    void call_async(u32 cpu, host::WorkState& slot) override;
    void defer(host::WorkState& work) override;
    void defer_process(host::WorkState& work) override;
    u64 now_ns() override;
    bool clock_read(i32, u64&) override { return false; }
    ClockUser clock_user() override { return {}; }
    u64 tick_ns() override { return 4'000'000; }
    void timer_arm(host::TimerState& timer, u64 deadline_ns) override;
    void timer_cancel(host::TimerState& timer) override;
    u64 pmu_read(PmuReg reg) override;
    void pmu_write(PmuReg reg, u64 value) override;
    u64 evcntr_read(u32 n) override;
    void evcntr_write(u32 n, u64 value) override;
    u64 evtyper_read(u32 n) override;
    void evtyper_write(u32 n, u64 value) override;
    void isb() override { step(); }
    void pmu_irq(bool on) override;
    const Frame* irq_frame() override;
    const Frame* user_frame(void*) override { return nullptr; }
    void* alloc(usize size) override;
    void free(void* pointer, usize size) override;
    void* pages_alloc(usize pages) override { return alloc(pages * kPageSize); }
    void pages_free(void* pointer, usize pages) override { free(pointer, pages * kPageSize); }
    bool map_user(void* vma, void* pages, usize count, bool, MemoryAttr) override;
    bool copy_from_user(void* to, u64 from, usize size) override;
    bool copy_to_user(u64 to, const void* from, usize size) override;
    u64 translation_root(bool) override { return 0; }
    void* ram(u64, usize) override { return nullptr; }
    bool mlock_charge(usize pages) override;
    void mlock_uncharge(usize pages) override { locked_pages -= pages; }
    void* current() override;
    void* task_get(i32 pid) override;
    void task_hold(void* task) override { ++static_cast<ScriptedTask*>(task)->references; }
    void task_put(void* task) override;
    void*& task_slot(void* task) override;
    void* task_open_mutex(void* task) override;
    TaskIds task_ids(void* task) override;
    i32 task_cpu(void* task) override;
    bool may(Capability, void*) override { return perfmon; }
    i32 fd_install(void* event, u32) override;
    void* fd_event(i32 fd) override;
    void fd_put(i32, void*) override {}
    void wake(void*, u32) override {}
    void signal(void*, u32) override {}
    bool chaos(Site) override { return false; }
    void mark(Site site, u64 a, u64 b) override;

    u64 locked_pages = 0;
    u64 locked_pages_max = ~u64{0};
    u64 files_max = 64;

private:
    struct CpuBox {
        PmuModel pmu;
        u32 cluster = 0;
        bool online = false;
        bool line_enabled = false;
        void* slot = nullptr;
        ScriptedTask* task = nullptr;
        ScriptedTask idle;
        std::vector<host::TimerState*> timers; ///< armed
    };
    struct File {
        void* event = nullptr;
        u8* pages = nullptr;
    };
    struct Block {
        std::unique_ptr<u8[]> bytes;
        u8* data = nullptr;
        usize size = 0;
        bool freed = false;
    };
    void step();
    /// Nanoseconds until the current CPU's next timer.
    u64 until_timer() const;
    void fire_timers();
    void problem(const std::string& text) { m_problems.push_back(text); }
    void need_process(const char* what);

    std::vector<Cluster> m_clusters;
    std::deque<CpuBox> m_cpus;
    std::deque<ScriptedTask> m_tasks;
    host::HostMachine* m_previous;
    Subsystem* m_subsystem = nullptr;
    u32 m_cpu = 0;
    bool m_irqs_on = true;
    bool m_in_interrupt = false;
    u32 m_spin_depth = 0;
    u32 m_mutex_depth = 0;
    Frame m_frame;
    std::map<i64, File> m_files;
    i64 m_next_fd = 3;
    std::vector<Block> m_blocks;
    std::vector<u8> m_user;
    std::vector<std::string> m_problems;
};

} // namespace perfsim
