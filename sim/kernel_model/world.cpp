// SPDX-License-Identifier: Apache-2.0
// The life of a world: reset, boot, the scenario's threads, the drain, the last checks.
#include "sim/kernel_model/world.hpp"

#include "sim/kernel_model/program.hpp"
#include "sim/kernel_model/sim_hal.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

enum Stream : u64 { kScheduleStream = 1, kResetStream = 2 };

constexpr i32 kPidStep = 100; // process i has tgid 100 * (i + 1)
constexpr usize kScratch = 4 * perfcore::kPageSize;
constexpr u64 kUserBase = 0x7f00'0000'0000;
constexpr u64 kUserStep = 0x10'0000;

// Clusters with the same PMU name are one node.
std::vector<PmuNodeConfig> pmu_nodes(const MachineConfig& machine)
{
    std::vector<PmuNodeConfig> nodes;
    for (u32 index = 0; index < machine.clusters.size(); ++index) {
        const ClusterConfig& cluster = machine.clusters[index];
        if (cluster.pmu_name.empty())
            continue;
        auto node = std::find_if(nodes.begin(), nodes.end(), [&](PmuNodeConfig const& known) {
            return known.name == cluster.pmu_name;
        });
        if (node == nodes.end()) {
            nodes.push_back({cluster.pmu_name, {}, cluster.pmu_interrupt});
            node = nodes.end() - 1;
        }
        node->clusters.push_back(index);
    }
    return nodes;
}

} // namespace

World::World(MachineModule& module, StackPool& stacks, const MachineConfig& machine,
             const Scenario& scenario, const RunOptions& options)
    : m_module(module), m_stacks(stacks), m_machine(machine), m_scenario(scenario),
      m_options(options), m_cpus(machine.cpu_count()),
      m_clock_offset(sc_core::sc_time_stamp().value()), m_schedule(options.seed, kScheduleStream),
      m_reset(options.seed, kResetStream),
      m_heap([this](std::string text) { fail(FailureKind::Oracle, "memory", std::move(text)); }),
      m_pmu_nodes(pmu_nodes(machine)), m_marks(scenario.marks.size(), false),
      m_handles(scenario.handles.size(), nullptr), m_rings(scenario.rings.size(), nullptr),
      m_fault_allocations(scenario.faults.size(), 0)
{
}

World::~World() = default;

Task& World::make_task(u32 thread, ProcessState* process, i32 pid, i32 tid, const std::string& comm)
{
    auto task = std::make_unique<Task>();
    task->thread = thread;
    task->process = process;
    task->ids.pid = pid;
    task->ids.tid = tid;
    comm.copy(task->ids.comm, sizeof task->ids.comm - 1);
    task->user_base = kUserBase + kUserStep * m_tasks.size();
    m_tasks.push_back(std::move(task));
    return *m_tasks.back();
}

void World::set_up()
{
    for (u32 index = 0; index < m_cpus.size(); ++index) {
        Cpu& cpu = m_cpus[index];
        cpu.index = index;
        cpu.cluster = m_machine.cluster_of(index);
        const u64 seed = m_reset.next();
        cpu.pmu.reset(m_machine.clusters[cpu.cluster].pmu, seed);
        Task& idle = make_task(kNone, nullptr, 0, 0, "idle");
        idle.ids.idle = idle.ids.kernel = true;
        idle.allowed.set(index);
        idle.cpu = static_cast<i32>(index);
        idle.state = TaskState::Running;
        idle.on_cpu = true;
        idle.stack = &m_stacks.acquire([this, &cpu] { return idle_main(cpu); },
                                       [this] { return after_abandon(); });
        cpu.idle = cpu.current = &idle;
    }

    const auto kernel_task = [&](const char* name, Stack* (World::*main)()) -> Task& {
        Task& task = make_task(kNone, nullptr, 0, 0, name);
        task.ids.kernel = true;
        task.allowed.set(0);
        task.stack = &m_stacks.acquire([this, main] { return (this->*main)(); },
                                       [this] { return after_abandon(); });
        return task;
    };
    m_boot = &kernel_task("init", &World::boot_main);
    m_worker = &kernel_task("kworker", &World::worker_main);

    for (u32 index = 0; index < m_scenario.processes.size(); ++index) {
        auto process = std::make_unique<ProcessState>();
        process->index = index;
        process->tgid = kPidStep * static_cast<i32>(index + 1);
        process->perfmon = m_scenario.processes[index].perfmon;
        i32 tid = process->tgid;
        for (u32 thread : m_scenario.processes[index].threads) {
            const Thread& spec = m_scenario.threads[thread];
            Task& task = make_task(thread, process.get(), process->tgid, tid++, spec.name);
            for (u32 cpu = 0; cpu < m_cpus.size(); ++cpu)
                if (spec.cpus.empty() ||
                    std::find(spec.cpus.begin(), spec.cpus.end(), cpu) != spec.cpus.end())
                    task.allowed.set(cpu);
            task.user_memory.resize(kScratch);
            task.last_cpu = spec.cpus.empty() ? 0 : spec.cpus.front();
            ++process->live_threads;
            task.stack = &m_stacks.acquire([this, &task] { return thread_main(task); },
                                           [this] { return after_abandon(); });
        }
        m_processes.push_back(std::move(process));
    }
}

// CPU 0's first task: brings the subsystem and the other CPUs up, lets the scenario run, sees
// everybody out and shuts down.
Stack* World::boot_main()
{
    Cpu& cpu = active();
    cpu.irqs_on = true;
    const perfcore::Result<perfcore::Subsystem*> made = perfcore::hooks::init();
    if (!made.ok()) {
        fail(FailureKind::Crash, "boot", "hooks::init failed without a fault");
        abandon();
    }
    m_subsystem = made.value();
    perfcore::hooks::settings(*m_subsystem).paranoid = m_scenario.kernel.paranoid;
    for (u32 node = 0; node < m_pmu_nodes.size(); ++node)
        if (!perfcore::hooks::set_mux_interval(*m_subsystem, perfcore::kFirstDynamicType + node,
                                               m_scenario.kernel.mux_ms)
                 .ok())
            fail(FailureKind::Crash, "boot", "the rotation interval was refused");
    for (Cpu& other : m_cpus) {
        other.park = &other == &cpu ? Park::Running : Park::Idle;
        if (&other != &cpu)
            make_ready(other, m_now);
    }
    cpu.irqs_on = false;
    ++cpu.atomic_depth;
    perfcore::hooks::cpu_up();
    --cpu.atomic_depth;
    cpu.online = true;
    cpu.irqs_on = true;
    m_module.core(cpu.index).online.write(true);
    if (++m_cpus_up < m_cpus.size())
        block(WaitKind::CpusUp, "CPUs to come up");

    m_start = m_now;
    for (Fault const& fault : m_scenario.faults)
        if (fault.kind == FaultKind::CpuOff && fault.after_mark == kNone)
            push(m_start + fault.time_ps, DeviceEvent::CpuOff, fault.cpu, 0);
    for (auto& task : m_tasks) {
        if (task->thread == kNone)
            continue;
        ++m_busy_threads;
        ++m_live_threads;
        enqueue(*task);
    }
    enqueue(*m_worker);
    while (m_busy_threads != 0)
        block(WaitKind::WorldEnd, "the scenario's end");
    drain();
    while (m_live_threads != 0)
        block(WaitKind::WorldEnd, "threads to leave");
    // The last thread's CPU may still be in its switch hooks; nothing may call the core any more.
    while (!others_idle()) {
        constexpr u64 kPollPs = 1'000'000;
        push(m_now + kPollPs, DeviceEvent::Wake, 0, m_boot->wake_generation, m_boot);
        block(WaitKind::Time, "CPUs to go idle");
    }
    perfcore::hooks::shutdown(*m_subsystem);
    m_subsystem = nullptr;
    for (auto& task : m_tasks)
        if (task->references != 1)
            fail(FailureKind::Oracle, "references",
                 fmt::format("{} references to task {} were never dropped", task->references - 1,
                             task->ids.comm));
    give_up_if_failed();
    m_heap.check_end();
    observe([](Observer& o) { o.on_world_end(); });
    m_over = true;
    m_stacks.current().busy = false;
    return m_stacks.any_busy();
}

bool World::others_idle() const
{
    return std::all_of(m_cpus.begin(), m_cpus.end(), [this](Cpu const& cpu) {
        return &cpu == m_active || cpu.park == Park::Idle || cpu.park == Park::Off;
    });
}

// All sleeps of a program are killable: whoever still waits is woken and leaves.
void World::drain()
{
    m_draining = true;
    for (bool woken = true; woken;) {
        woken = false;
        for (Task* task : m_blocked) {
            if (task->thread == kNone || task->waiting == WaitKind::Mutex)
                continue;
            task->killed = true;
            wake(*task);
            woken = true;
            break;
        }
    }
}

void World::check_end()
{
    if (m_busy_threads == 0 && m_boot->waiting == WaitKind::WorldEnd)
        wake(*m_boot);
}

Stack* World::idle_main(Cpu& cpu)
{
    give_up_if_failed();
    if (!cpu.online) {
        cpu.irqs_on = false;
        ++cpu.atomic_depth;
        perfcore::hooks::cpu_up();
        --cpu.atomic_depth;
        cpu.online = true;
        m_module.core(cpu.index).online.write(true);
        cpu.irqs_on = true;
        if (++m_cpus_up == m_cpus.size() && m_boot->waiting == WaitKind::CpusUp)
            wake(*m_boot);
    } else {
        finish_switch();
        cpu.irqs_on = true;
    }
    for (;;) {
        service_interrupts();
        give_up_if_failed();
        if (cpu.off_requested && cpu.run_queue.empty())
            take_cpu_off(cpu);
        else if (cpu.need_resched || !cpu.run_queue.empty() || tasks_waiting_for(cpu))
            schedule();
        else
            park(Park::Idle);
    }
}

Stack* World::worker_main()
{
    give_up_if_failed();
    finish_switch();
    set_irqs(true);
    for (;;) {
        while (!m_process_work.empty()) {
            auto* work = m_process_work.front();
            m_process_work.pop_front();
            work->queued = false;
            work->fn(work->arg);
        }
        block(WaitKind::Work, "work");
    }
}

Stack* World::thread_main(Task& task)
{
    give_up_if_failed();
    finish_switch();
    set_irqs(true);
    Program(*this, task).run();
    active().irqs_on = false;
    Cpu& cpu = active();
    task.state = TaskState::Dead;
    --m_live_threads;
    if (!m_draining)
        check_end();
    else if (m_live_threads == 0 && m_boot->waiting == WaitKind::WorldEnd)
        wake(*m_boot);
    Task& next = pick_next(cpu);
    begin_switch(cpu, next, kNone);
    m_stacks.current().busy = false;
    return next.stack;
}

TaskView World::view(const Task& task) const
{
    return {task.thread, task.ids.pid, task.ids.tid, task.ids.idle};
}

TaskView World::running(u32 cpu) const
{
    return view(*m_cpus[cpu].current);
}

i32 World::cpu_of(i32 tid) const
{
    for (auto& task : m_tasks)
        if (task->thread != kNone && task->ids.tid == tid)
            return task->cpu;
    return -1;
}

void World::fail(FailureKind kind, std::string oracle, std::string message)
{
    // The first failure is the cause; what follows from it is noise.
    if (!m_failed)
        m_result.failures.push_back({kind, std::move(oracle), std::move(message), {}});
    m_failed = true;
}

void World::log(std::string line)
{
    constexpr usize kLines = 200'000;
    if (m_result.log.size() < kLines)
        m_result.log.push_back(std::move(line));
}

WorldResult World::run()
{
    m_observers = make_observers(*this, m_options);
    SimHal hal(*this);
    perfcore::host::HostMachine* previous = perfcore::host::set_machine(&hal);
    set_up();
    // The boot task is CPU 0's current one from the start; its idle task waits its turn.
    Cpu& first = m_cpus[0];
    m_active = &first;
    first.current = m_boot;
    m_boot->state = TaskState::Running;
    m_boot->cpu = 0;
    m_boot->on_cpu = true;
    first.idle->on_cpu = false;
    first.idle->cpu = -1;
    first.idle->state = TaskState::Runnable;
    m_stacks.run(*m_boot->stack);
    perfcore::host::set_machine(previous);
    m_result.stats.end_ps = m_now;
    return std::move(m_result);
}

} // namespace perfsim
