// SPDX-License-Identifier: Apache-2.0
// CPU, masking, locks, cross-CPU calls, clock and timers of the simulated HAL.
#include "sim/kernel_model/sim_hal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfsim {

namespace {

constexpr u64 kPsPerNs = 1000;
constexpr u64 kNsPerSecond = 1'000'000'000;
constexpr i32 kClockMonotonic = 1;
constexpr i32 kClockMonotonicRaw = 4;

} // namespace

ExecContext SimHal::context_now() const
{
    const Cpu& cpu = m_world.active();
    ExecContext context;
    context.level = cpu.in_interrupt        ? ExecContext::Level::Interrupt
                    : cpu.atomic_depth != 0 ? ExecContext::Level::Atomic
                                            : ExecContext::Level::Process;
    context.irqs_on = cpu.irqs_on;
    return context;
}

void SimHal::enter(HalUse use, const char* function)
{
    m_world.step();
    const Cpu& cpu = m_world.active();
    const ExecContext context = context_now();
    m_world.observe([&](Observer& o) {
        o.on_hal_use(cpu.index, m_world.view(*cpu.current), use, context, function);
    });
    m_world.give_up_if_failed();
}

u32 SimHal::cpu_id()
{
    enter(HalUse::ThisCpu, "cpu_id");
    return cpu().index;
}

u32 SimHal::cpu_count()
{
    return static_cast<u32>(m_world.m_cpus.size());
}

bool SimHal::cpu_online(u32 index)
{
    m_world.step();
    return index < m_world.m_cpus.size() && m_world.m_cpus[index].online;
}

perfcore::CpuInfo SimHal::cpu_info(u32 index)
{
    const u32 cluster = m_world.m_machine.cluster_of(index);
    const ClusterConfig& config = m_world.m_machine.clusters[cluster];
    perfcore::CpuInfo info;
    info.midr = config.midr;
    u32 first = 0;
    for (u32 before = 0; before < cluster; ++before)
        first += m_world.m_machine.clusters[before].cpus;
    if (index - first < config.mpidr.size())
        info.mpidr = config.mpidr[index - first];
    for (u32 node = 0; node < m_world.m_pmu_nodes.size(); ++node)
        for (u32 member : m_world.m_pmu_nodes[node].clusters)
            if (member == cluster)
                info.pmu_node = static_cast<i32>(node);
    return info;
}

u32 SimHal::pmu_node_count()
{
    return static_cast<u32>(m_world.m_pmu_nodes.size());
}

perfcore::PmuNode SimHal::pmu_node(u32 index)
{
    const PmuNodeConfig& config = m_world.m_pmu_nodes[index];
    perfcore::PmuNode node;
    node.name = config.name.c_str();
    node.has_interrupt = config.interrupt;
    for (Cpu const& cpu : m_world.m_cpus)
        for (u32 cluster : config.clusters)
            if (cpu.cluster == cluster)
                node.cpus.set(cpu.index);
    return node;
}

void*& SimHal::cpu_slot()
{
    enter(HalUse::ThisCpu, "cpu_slot");
    return cpu().slot;
}

void*& SimHal::cpu_slot_of(u32 index)
{
    return m_world.m_cpus[index].slot;
}

u64 SimHal::irq_save()
{
    m_world.step();
    const bool on = cpu().irqs_on;
    cpu().irqs_on = false;
    return on ? 1 : 0;
}

void SimHal::irq_restore(u64 flags)
{
    m_world.set_irqs(flags != 0);
    m_world.step();
}

void SimHal::preempt_off()
{
    ++m_world.current().preempt_count;
}

void SimHal::preempt_on()
{
    --m_world.current().preempt_count;
    m_world.step();
}

ExecContext SimHal::context()
{
    return context_now();
}

void SimHal::relax()
{
    // A polite spin lets everybody else go first.
    m_world.m_give_way = true;
    m_world.maybe_yield();
    m_world.step();
}

void SimHal::panic(const char* text, const char* file, int line)
{
    const std::string path = file;
    const auto core = path.rfind("core/");
    m_world.fail(FailureKind::Crash, "panic",
                 fmt::format("{} at {}:{} on CPU {}", text,
                             core != std::string::npos ? path.substr(core) : path, line,
                             cpu().index));
    m_world.abandon();
}

void SimHal::sync_point(SyncPoint)
{
    m_world.step();
}

u64 SimHal::spin_lock(SpinLockState& lock)
{
    const u64 flags = irq_save();
    while (lock.holder >= 0) {
        if (lock.holder == static_cast<i32>(cpu().index)) {
            m_world.fail(FailureKind::Oracle, "locks",
                         fmt::format("CPU {} takes {} twice", lock.holder, lock.name));
            m_world.abandon();
        }
        cpu().spinning_on = &lock;
        m_world.park(Park::Spin);
        cpu().spinning_on = nullptr;
    }
    lock.holder = static_cast<i32>(cpu().index);
    m_world.observe([&](Observer& o) {
        o.on_lock(cpu().index, m_world.view(m_world.current()), lock.name, &lock, true);
    });
    m_world.step();
    return flags;
}

void SimHal::spin_unlock(SpinLockState& lock, u64 flags)
{
    m_world.step();
    if (lock.holder != static_cast<i32>(cpu().index)) {
        m_world.fail(
            FailureKind::Oracle, "locks",
            fmt::format("CPU {} unlocks {} held by CPU {}", cpu().index, lock.name, lock.holder));
        m_world.abandon();
    }
    lock.holder = -1;
    m_world.observe([&](Observer& o) {
        o.on_unlock(cpu().index, m_world.view(m_world.current()), lock.name, &lock, true);
    });
    for (Cpu& other : m_world.m_cpus)
        if (other.park == Park::Spin && other.spinning_on == &lock)
            m_world.make_ready(other, m_world.m_now);
    irq_restore(flags);
}

bool SimHal::spin_held(SpinLockState const& lock)
{
    return lock.holder == static_cast<i32>(cpu().index);
}

void SimHal::mutex_lock(MutexState& lock)
{
    enter(HalUse::Mutex, "Mutex::lock");
    m_world.mutex_lock(lock);
    m_world.observe([&](Observer& o) {
        o.on_lock(cpu().index, m_world.view(m_world.current()), lock.name, &lock, false);
    });
    m_world.give_up_if_failed();
}

void SimHal::mutex_unlock(MutexState& lock)
{
    enter(HalUse::Mutex, "Mutex::unlock");
    if (lock.holder != &m_world.current()) {
        m_world.fail(FailureKind::Oracle, "locks",
                     fmt::format("{} unlocked by a task that does not hold it", lock.name));
        m_world.abandon();
    }
    m_world.observe([&](Observer& o) {
        o.on_unlock(cpu().index, m_world.view(m_world.current()), lock.name, &lock, false);
    });
    m_world.mutex_unlock(lock);
    m_world.step();
}

perfcore::CallResult SimHal::call(u32 target, HostFn fn, void* arg)
{
    enter(HalUse::Call, "call");
    if (target >= m_world.m_cpus.size() || !m_world.m_cpus[target].online)
        return perfcore::CallResult::Offline;
    if (target == cpu().index) {
        Cpu& here = cpu();
        here.irqs_on = false;
        ++here.atomic_depth;
        fn(arg);
        --here.atomic_depth;
        m_world.set_irqs(true);
        return perfcore::CallResult::Done;
    }
    Task& caller = m_world.current();
    ++caller.preempt_count;
    CallRequest request{fn, arg, cpu().index};
    Cpu& other = m_world.m_cpus[target];
    other.calls.push_back(&request);
    m_world.raise_call(other);
    while (!request.done && !request.offline) {
        m_world.service_interrupts();
        m_world.give_up_if_failed();
        if (!request.done && !request.offline)
            m_world.park(Park::Call);
    }
    --caller.preempt_count;
    m_world.step();
    return request.done ? perfcore::CallResult::Done : perfcore::CallResult::Offline;
}

void SimHal::call_async(u32 target, WorkState& slot)
{
    m_world.step();
    if (slot.queued)
        return;
    slot.queued = true;
    Cpu& other = m_world.m_cpus[target];
    other.async_calls.push_back(&slot);
    m_world.raise_call(other);
}

void SimHal::defer(WorkState& work)
{
    enter(HalUse::ThisCpu, "defer");
    if (work.queued)
        return;
    work.queued = true;
    cpu().deferred.push_back(&work);
}

void SimHal::defer_process(WorkState& work)
{
    m_world.step();
    if (work.queued)
        return;
    work.queued = true;
    m_world.m_process_work.push_back(&work);
    if (m_world.m_worker->waiting == WaitKind::Work)
        m_world.wake(*m_world.m_worker);
}

u64 SimHal::now_ns()
{
    m_world.step();
    return m_world.m_now / kPsPerNs;
}

bool SimHal::clock_read(i32 id, u64& out)
{
    m_world.step();
    out = m_world.m_now / kPsPerNs;
    return id == kClockMonotonic || id == kClockMonotonicRaw;
}

perfcore::ClockUser SimHal::clock_user()
{
    return {};
}

u64 SimHal::tick_ns()
{
    return kNsPerSecond / m_world.m_scenario.kernel.hz;
}

void SimHal::timer_arm(TimerState& timer, u64 deadline_ns)
{
    enter(HalUse::ThisCpu, "Timer::arm");
    timer.cpu = static_cast<i32>(cpu().index);
    timer.deadline_ns = deadline_ns;
    ++timer.generation;
    m_world.push(std::max(deadline_ns * kPsPerNs, m_world.m_now), DeviceEvent::Timer, cpu().index,
                 timer.generation, &timer);
}

void SimHal::timer_cancel(TimerState& timer)
{
    enter(HalUse::ThisCpu, "Timer::cancel");
    timer.cpu = -1;
    ++timer.generation;
    // It may be due already, with interrupts off.
    auto& due = cpu().timers;
    due.erase(std::remove(due.begin(), due.end(), &timer), due.end());
}

bool SimHal::chaos(Site)
{
    return false;
}

} // namespace perfsim
