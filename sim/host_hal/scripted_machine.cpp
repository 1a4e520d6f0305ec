// SPDX-License-Identifier: Apache-2.0
#include "sim/host_hal/scripted_machine.hpp"

#include "core/control/control.hpp"
#include "core/hooks/hooks.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace perfsim {

namespace {

constexpr usize kUserSize = 8 * kPageSize;
constexpr u8 kFreeFill = 0xdb;
constexpr i32 kEmfile = 24;

} // namespace

ScriptedMachine::ScriptedMachine(std::vector<Cluster> clusters)
    : m_clusters(std::move(clusters)), m_previous(host::set_machine(this)), m_user(kUserSize)
{
    for (u32 cluster = 0; cluster < m_clusters.size(); ++cluster)
        for (u32 cpu = 0; cpu < m_clusters[cluster].cpus; ++cpu) {
            CpuBox& box = m_cpus.emplace_back();
            box.cluster = cluster;
            box.pmu.reset(m_clusters[cluster].pmu, 1 + m_cpus.size());
            box.idle.ids.idle = box.idle.ids.kernel = true;
            box.idle.cpu = static_cast<i32>(m_cpus.size() - 1);
            box.task = &box.idle;
        }
}

ScriptedMachine::~ScriptedMachine()
{
    host::set_machine(m_previous);
}

Subsystem& ScriptedMachine::boot()
{
    m_subsystem = hooks::init().value();
    for (m_cpu = 0; m_cpu < m_cpus.size(); ++m_cpu) {
        m_irqs_on = false;
        hooks::cpu_up();
        m_irqs_on = true;
        m_cpus[m_cpu].online = true;
    }
    m_cpu = 0;
    run_on(0, &add_task(100, 100));
    return *m_subsystem;
}

void ScriptedMachine::finish()
{
    run_on(0, &m_tasks.front());
    while (!m_files.empty()) {
        const i64 fd = m_files.begin()->first;
        if (m_files[fd].pages != nullptr)
            munmap(fd);
        close(fd);
    }
    for (ScriptedTask& task : m_tasks) {
        if (task.ids.exiting)
            continue;
        run_on(0, &task);
        task.ids.exiting = true;
        hooks::exit(reinterpret_cast<Hal::Task*>(&task));
        run_on(0, nullptr);
        if (task.references != 1)
            problem("a task reference was kept");
    }
    hooks::shutdown(*m_subsystem);
    if (live_allocations() != 0)
        problem(std::to_string(live_allocations()) + " allocations were never freed");
    for (Block const& block : m_blocks)
        if (block.freed && !std::all_of(block.data, block.data + block.size,
                                        [](u8 byte) { return byte == kFreeFill; }))
            problem("write after free");
    for (CpuBox const& cpu : m_cpus)
        if ((cpu.pmu.read(PmuReg::PMCNTENSET_EL0) | cpu.pmu.read(PmuReg::PMINTENSET_EL1) |
             cpu.pmu.read(PmuReg::PMOVSSET_EL0)) != 0)
            problem("PMU registers are not quiet");
    if (locked_pages != 0)
        problem("locked pages stay charged");
}

ScriptedTask& ScriptedMachine::add_task(i32 pid, i32 tid)
{
    ScriptedTask& task = m_tasks.emplace_back();
    task.ids.pid = pid;
    task.ids.tid = tid;
    return task;
}

void ScriptedMachine::run_on(u32 cpu, ScriptedTask* task)
{
    m_cpu = cpu;
    CpuBox& box = m_cpus[cpu];
    ScriptedTask& next = task != nullptr ? *task : box.idle;
    if (box.task == &next)
        return;
    m_irqs_on = false;
    // A task that runs elsewhere is taken off there first.
    if (next.cpu >= 0 && &next != &box.idle) {
        m_cpu = static_cast<u32>(next.cpu);
        hooks::switch_out(reinterpret_cast<Hal::Task*>(&next));
        next.cpu = -1;
        m_cpus[m_cpu].task = &m_cpus[m_cpu].idle;
        hooks::switch_in(reinterpret_cast<Hal::Task*>(&m_cpus[m_cpu].idle));
        m_cpu = cpu;
    }
    hooks::switch_out(reinterpret_cast<Hal::Task*>(box.task));
    if (box.task != &box.idle)
        box.task->cpu = -1;
    box.task = &next;
    next.cpu = static_cast<i32>(cpu);
    hooks::switch_in(reinterpret_cast<Hal::Task*>(&next));
    m_irqs_on = true;
}

void ScriptedMachine::go_offline(u32 cpu)
{
    const u32 before = m_cpu;
    run_on(cpu, nullptr);
    m_irqs_on = false;
    hooks::cpu_down();
    m_irqs_on = true;
    m_cpus[cpu].online = false;
    m_cpu = before;
}

i64 ScriptedMachine::open(const PerfEventAttr& attr, i32 pid, i32 cpu, i32 group, u64 flags)
{
    std::memcpy(m_user.data(), &attr, sizeof attr);
    return control::open(*m_subsystem, kUserBase, pid, cpu, group, flags).syscall_result();
}

std::vector<u64> ScriptedMachine::read(i64 fd)
{
    const Result<i64> result = control::read(event(fd), kUserBase, kPageSize);
    last_error = result.syscall_result();
    std::vector<u64> words;
    // An end of file leaves nothing to copy to.
    if (!result.ok() || result.value() == 0)
        return words;
    words.resize(static_cast<usize>(result.value()) / sizeof(u64));
    std::memcpy(words.data(), m_user.data(), words.size() * sizeof(u64));
    return words;
}

i64 ScriptedMachine::ioctl(i64 fd, u32 command, u64 argument)
{
    return control::ioctl(event(fd), command, argument).syscall_result();
}

i64 ScriptedMachine::set_period(i64 fd, u64 period)
{
    std::memcpy(m_user.data(), &period, sizeof period);
    return ioctl(fd, PERF_EVENT_IOC_PERIOD, kUserBase);
}

i64 ScriptedMachine::mmap(i64 fd, u64 data_pages, bool writable)
{
    const MapRequest request{(1 + data_pages) * kPageSize, 0, true, writable};
    return control::mmap(event(fd), reinterpret_cast<Hal::Vma&>(m_files.at(fd)), request)
        .syscall_result();
}

void ScriptedMachine::munmap(i64 fd)
{
    hooks::vma_close(event(fd));
    m_files.at(fd).pages = nullptr;
}

void ScriptedMachine::close(i64 fd)
{
    Event& closing = event(fd);
    m_files.erase(fd);
    control::release(closing);
}

usize ScriptedMachine::live_allocations() const
{
    return static_cast<usize>(std::count_if(m_blocks.begin(), m_blocks.end(),
                                            [](Block const& block) { return !block.freed; }));
}

void ScriptedMachine::step()
{
    if (++hal_calls == inject_at && inject) {
        const auto run = std::move(inject);
        inject = nullptr;
        run();
    }
}

void ScriptedMachine::need_process(const char* what)
{
    step();
    if (!m_irqs_on || m_in_interrupt || m_spin_depth != 0)
        problem(std::string(what) + " outside process context");
}

u32 ScriptedMachine::cpu_id()
{
    step();
    return m_cpu;
}

CpuInfo ScriptedMachine::cpu_info(u32 cpu)
{
    CpuInfo info;
    info.pmu_node = static_cast<i32>(m_cpus[cpu].cluster);
    return info;
}

PmuNode ScriptedMachine::pmu_node(u32 index)
{
    PmuNode node;
    node.name = m_clusters[index].pmu_name;
    node.has_interrupt = m_clusters[index].interrupt;
    node.placements = m_clusters[index].placements.data();
    node.placement_count = static_cast<u32>(m_clusters[index].placements.size());
    for (u32 cpu = 0; cpu < m_cpus.size(); ++cpu)
        if (m_cpus[cpu].cluster == index)
            node.cpus.set(cpu);
    return node;
}

void*& ScriptedMachine::cpu_slot()
{
    step();
    if (m_irqs_on)
        problem("cpu_slot with interrupts on");
    return m_cpus[m_cpu].slot;
}

u64 ScriptedMachine::irq_save()
{
    step();
    const u64 flags = m_irqs_on ? 1 : 0;
    m_irqs_on = false;
    return flags;
}

void ScriptedMachine::irq_restore(u64 flags)
{
    m_irqs_on = flags != 0;
    step();
    take_pmu_interrupt();
}

ExecContext ScriptedMachine::context()
{
    step();
    return {m_in_interrupt ? ExecContext::Level::Interrupt : ExecContext::Level::Process,
            m_irqs_on};
}

void ScriptedMachine::panic(const char* text, const char* file, int line)
{
    throw std::logic_error(std::string(text) + " at " + file + ":" + std::to_string(line));
}

u64 ScriptedMachine::spin_lock(host::SpinLockState& lock)
{
    const u64 flags = irq_save();
    if (lock.holder >= 0)
        problem(std::string("spin lock taken twice: ") + lock.name);
    lock.holder = static_cast<i32>(m_cpu);
    ++m_spin_depth;
    return flags;
}

void ScriptedMachine::spin_unlock(host::SpinLockState& lock, u64 flags)
{
    lock.holder = -1;
    --m_spin_depth;
    irq_restore(flags);
}

bool ScriptedMachine::spin_held(host::SpinLockState const& lock)
{
    return lock.holder == static_cast<i32>(m_cpu);
}

void ScriptedMachine::mutex_lock(host::MutexState& lock)
{
    need_process("Mutex::lock");
    if (lock.holder != nullptr)
        problem(std::string("mutex taken twice: ") + lock.name);
    lock.holder = this;
    ++m_mutex_depth;
}

void ScriptedMachine::mutex_unlock(host::MutexState& lock)
{
    lock.holder = nullptr;
    --m_mutex_depth;
    step();
}

CallResult ScriptedMachine::call(u32 cpu, host::HostFn fn, void* arg)
{
    need_process("call");
    if (!m_cpus[cpu].online)
        return CallResult::Offline;
    const u32 caller = m_cpu;
    m_cpu = cpu;
    m_irqs_on = false;
    fn(arg);
    m_irqs_on = true;
    take_pmu_interrupt();
    m_cpu = caller;
    return CallResult::Done;
}

void ScriptedMachine::call_async(u32 cpu, host::WorkState& slot)
{
    step();
    const u32 caller = m_cpu;
    m_cpu = cpu;
    slot.fn(slot.arg);
    m_cpu = caller;
}

void ScriptedMachine::defer(host::WorkState& work)
{
    step();
    work.fn(work.arg);
}

void ScriptedMachine::defer_process(host::WorkState& work)
{
    step();
    work.fn(work.arg);
}

u64 ScriptedMachine::now_ns()
{
    step();
    return time_ns;
}

u64 ScriptedMachine::pmu_read(PmuReg reg)
{
    step();
    return pmu().read(reg);
}

void ScriptedMachine::pmu_write(PmuReg reg, u64 value)
{
    step();
    if (m_irqs_on)
        problem("PMU register written with interrupts on");
    pmu().write(reg, value);
}

u64 ScriptedMachine::evcntr_read(u32 n)
{
    step();
    return pmu().evcntr_read(n);
}

void ScriptedMachine::evcntr_write(u32 n, u64 value)
{
    step();
    pmu().evcntr_write(n, value);
}

u64 ScriptedMachine::evtyper_read(u32 n)
{
    step();
    return pmu().evtyper_read(n);
}

void ScriptedMachine::evtyper_write(u32 n, u64 value)
{
    step();
    pmu().evtyper_write(n, value);
}

void ScriptedMachine::pmu_irq(bool on)
{
    step();
    m_cpus[m_cpu].line_enabled = on;
}

const Frame* ScriptedMachine::irq_frame()
{
    step();
    return m_in_interrupt ? &m_frame : nullptr;
}

void* ScriptedMachine::alloc(usize size)
{
    need_process("alloc");
    if (fail_allocation != 0 && --fail_allocation == 0)
        return nullptr;
    Block block;
    const usize room = size + kPageSize;
    block.bytes = std::make_unique<u8[]>(room);
    const auto base = reinterpret_cast<std::uintptr_t>(block.bytes.get());
    block.data = block.bytes.get() + (kPageSize - base % kPageSize) % kPageSize;
    block.size = size;
    m_blocks.push_back(std::move(block));
    return m_blocks.back().data;
}

void ScriptedMachine::free(void* pointer, usize size)
{
    need_process("free");
    for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block) {
        if (block->data != pointer)
            continue;
        if (block->freed)
            problem("double free");
        if (block->size != size)
            problem("freed with another size");
        block->freed = true;
        std::memset(block->data, kFreeFill, block->size);
        return;
    }
    problem("free of an unknown pointer");
}

bool ScriptedMachine::map_user(void* vma, void* pages, usize, bool, MemoryAttr)
{
    need_process("map_user");
    static_cast<File*>(vma)->pages = static_cast<u8*>(pages);
    return true;
}

bool ScriptedMachine::copy_from_user(void* to, u64 from, usize size)
{
    need_process("copy_from_user");
    if (m_mutex_depth != 0)
        problem("copy_from_user with a lock held");
    if (from < kUserBase || from - kUserBase > kUserSize || size > kUserSize - (from - kUserBase))
        return false;
    std::memcpy(to, m_user.data() + (from - kUserBase), size);
    return true;
}

bool ScriptedMachine::copy_to_user(u64 to, const void* from, usize size)
{
    need_process("copy_to_user");
    if (m_mutex_depth != 0)
        problem("copy_to_user with a lock held");
    if (to < kUserBase || to - kUserBase > kUserSize || size > kUserSize - (to - kUserBase))
        return false;
    std::memcpy(m_user.data() + (to - kUserBase), from, size);
    return true;
}

bool ScriptedMachine::mlock_charge(usize pages)
{
    need_process("mlock_charge");
    if (locked_pages + pages > locked_pages_max)
        return false;
    locked_pages += pages;
    return true;
}

void* ScriptedMachine::current()
{
    step();
    return m_cpus[m_cpu].task;
}

void* ScriptedMachine::task_get(i32 pid)
{
    need_process("task_get");
    ScriptedTask* found = pid == 0 ? m_cpus[m_cpu].task : nullptr;
    for (ScriptedTask& task : m_tasks)
        if (pid != 0 && task.ids.tid == pid && !task.ids.exiting)
            found = &task;
    if (found != nullptr)
        ++found->references;
    return found;
}

void ScriptedMachine::task_put(void* task)
{
    need_process("task_put");
    --static_cast<ScriptedTask*>(task)->references;
}

void*& ScriptedMachine::task_slot(void* task)
{
    step();
    return static_cast<ScriptedTask*>(task)->slot;
}

void* ScriptedMachine::task_open_mutex(void* task)
{
    return &static_cast<ScriptedTask*>(task)->open_mutex;
}

TaskIds ScriptedMachine::task_ids(void* task)
{
    step();
    return static_cast<ScriptedTask*>(task)->ids;
}

i32 ScriptedMachine::task_cpu(void* task)
{
    step();
    return static_cast<ScriptedTask*>(task)->cpu;
}

i32 ScriptedMachine::fd_install(void* event, u32)
{
    need_process("fd_install");
    if (m_files.size() >= files_max)
        return -kEmfile;
    m_files[m_next_fd] = {event, nullptr};
    return static_cast<i32>(m_next_fd++);
}

void* ScriptedMachine::fd_event(i32 fd)
{
    need_process("fd_event");
    const auto file = m_files.find(fd);
    return file != m_files.end() ? file->second.event : nullptr;
}

void ScriptedMachine::mark(Site site, u64 a, u64)
{
    step();
    marks[a].push_back(site);
}

} // namespace perfsim
