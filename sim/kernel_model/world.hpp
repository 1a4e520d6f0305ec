// SPDX-License-Identifier: Apache-2.0
// World: one run of one scenario on one machine, from reset to the last byte freed.
//
// Exactly one stack runs at a time and holds the baton; the CPU it runs for is active(). A CPU that
// has nothing to execute parks; make_ready() says from when on it has. pass_baton() picks the CPU
// with the earliest instant, letting devices act first. Time only moves there.
#pragma once

#include "core/event/subsystem.hpp"
#include "core/hooks/hooks.hpp"
#include "sim/cluster_model/event_queue.hpp"
#include "sim/cluster_model/machine_module.hpp"
#include "sim/kernel_model/cpu.hpp"
#include "sim/kernel_model/heap.hpp"
#include "sim/kernel_model/observer.hpp"
#include "sim/kernel_model/random.hpp"

#include <memory>
#include <set>

namespace perfsim {

class World final : public WorldView {
public:
    World(MachineModule& module, StackPool& stacks, const MachineConfig& machine,
          const Scenario& scenario, const RunOptions& options);
    ~World() override;

    /// Driver: runs to the end.
    WorldResult run();

    // WorldView
    const MachineConfig& machine() const override { return m_machine; }
    const Scenario& scenario() const override { return m_scenario; }
    u64 now_ps() const override { return m_now; }
    u64 counter_total(u32 cpu, u32 counter) override;
    const PmuModel& pmu(u32 cpu) override { return m_cpus[cpu].pmu; }
    TaskView running(u32 cpu) const override;
    i32 cpu_of(i32 tid) const override;
    bool online(u32 cpu) const override { return m_cpus[cpu].online; }
    void fail(FailureKind kind, std::string oracle, std::string message) override;
    void log(std::string line) override;

private:
    friend class SimHal;
    friend class Program;

    // world.cpp: life of the world
    void set_up();
    Task& make_task(u32 thread, ProcessState* process, i32 pid, i32 tid, const std::string& comm);
    Stack* boot_main();
    Stack* idle_main(Cpu& cpu);
    Stack* worker_main();
    Stack* thread_main(Task& task);
    void drain();
    bool others_idle() const;
    void check_end();
    template <typename Call>
    void observe(Call&& call)
    {
        for (auto& observer : m_observers)
            call(*observer);
    }
    TaskView view(const Task& task) const;
    static Hal::Task& hal_task(Task& task) { return reinterpret_cast<Hal::Task&>(task); }

    // dispatch.cpp: time and baton
    Cpu& active() { return *m_active; }
    Task& current() { return *m_active->current; }
    void make_ready(Cpu& cpu, u64 at);
    void park(Park why);
    Cpu& dispatch();
    void resume_stack(Stack& next);
    void handle(const QueuedEvent& event);
    void push(u64 instant, DeviceEvent kind, u32 cpu, u64 generation, void* object = nullptr);
    /// Every HAL call comes through here: counts, charges, lets others run, takes interrupts.
    void step();
    void maybe_yield();
    void give_up_if_failed();
    [[noreturn]] void abandon();
    Stack* after_abandon();
    std::string waiting_report();
    bool random() const { return m_options.schedule == ScheduleKind::Random; }

    // interrupts.cpp
    void kick(Cpu& cpu);
    void update_line(Cpu& cpu);
    void service_interrupts();
    bool interrupt_pending(const Cpu& cpu) const;
    void take_interrupt(Cpu& cpu);
    void handle_calls(Cpu& cpu);
    void handle_tick(Cpu& cpu);
    void set_irqs(bool on);
    void start_tick(Cpu& cpu);
    void request_resched(Cpu& cpu);
    void raise_call(Cpu& cpu);

    // user_mode.cpp
    void run_user(const Function& function, u64 instructions);
    void advance_user(Cpu& cpu, u64 position);
    void sync(Cpu& cpu);
    void charge_kernel(Cpu& cpu);

    // scheduler.cpp
    void schedule(u32 target = kNone);
    Task& pick_next(Cpu& cpu);
    Task* steal(Cpu& cpu);
    bool tasks_waiting_for(const Cpu& cpu) const;
    void begin_switch(Cpu& cpu, Task& next, u32 target);
    void finish_switch();
    void enqueue(Task& task, u32 target = kNone);
    void wake(Task& task);
    void block(WaitKind kind, const char* name);
    bool may_run_on(const Task& task, u32 cpu) const;
    void preempt_if_needed();
    void mutex_lock(perfcore::host::MutexState& lock);
    void mutex_unlock(perfcore::host::MutexState& lock);

    // faults.cpp
    void raise_mark(u32 mark);
    bool fault_on(const Fault& fault) const;
    u64 fault_time(FaultKind kind, u32 cpu) const;
    bool allocation_fails();
    void take_cpu_off(Cpu& cpu);

    MachineModule& m_module;
    StackPool& m_stacks;
    const MachineConfig& m_machine;
    const Scenario& m_scenario;
    const RunOptions& m_options;

    std::vector<Cpu> m_cpus;
    Cpu* m_active = nullptr;
    std::vector<std::unique_ptr<Task>> m_tasks;
    std::vector<std::unique_ptr<ProcessState>> m_processes;
    Task* m_boot = nullptr;
    Task* m_worker = nullptr;
    std::deque<perfcore::host::WorkState*> m_process_work;
    std::vector<Task*> m_blocked; ///< in order of blocking

    std::vector<u32> m_scratch; ///< for enqueue

    u64 m_now = 0;
    u64 m_clock_offset = 0; ///< SystemC time at which this world's time is 0
    u64 m_start = 0;        ///< when the scenario's threads began; `at` counts from here
    EventQueue m_queue;
    u64 m_order = 0;
    std::set<std::pair<u64, u32>> m_ready;
    Random m_schedule;
    Random m_reset;

    perfcore::Subsystem* m_subsystem = nullptr;
    Heap m_heap;
    std::vector<PmuNodeConfig> m_pmu_nodes;
    std::vector<bool> m_marks;
    std::vector<File*> m_handles; ///< by handle
    std::vector<Vma*> m_rings;    ///< by ring name
    std::vector<u8> m_drained;    ///< for Program::drain_ring
    u32 m_busy_threads = 0;       ///< threads that still have something to do
    u32 m_live_threads = 0;
    u32 m_cpus_up = 0;
    bool m_draining = false;
    std::vector<u64> m_fault_allocations; ///< by fault: allocations seen since it began

    bool m_give_way = false; ///< the next dispatch: the running CPU spins, prefer another
    bool m_failed = false;   ///< abandon at the next step
    bool m_over = false;     ///< finished; only idle stacks remain
    std::vector<std::unique_ptr<Observer>> m_observers;
    WorldResult m_result;
};

} // namespace perfsim
