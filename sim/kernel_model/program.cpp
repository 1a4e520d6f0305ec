// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel_model/program.hpp"

#include "core/control/control.hpp"
#include "core/event/facts.hpp"
#include "core/sched/change.hpp"
#include "core/sched/remote.hpp"

#include <cstring>

namespace perfsim {

namespace {

constexpr i64 kEbadf = 9;
constexpr i64 kEnomem = 12;
constexpr i64 kEfault = 14;
constexpr i32 kNoFile = 0x7fff'ffff; ///< a descriptor that is never open

} // namespace

void Program::run()
{
    for (m_op = 0; m_op < m_spec.run.size() && !m_task.killed; ++m_op) {
        const Op& op = m_spec.run[m_op];
        if (op.code == OpCode::Exit)
            break;
        execute(op);
        m_world.give_up_if_failed();
    }
    if (!m_task.killed)
        --m_world.m_busy_threads;
    leave();
}

void Program::execute(const Op& op)
{
    switch (op.code) {
    case OpCode::Run:
        m_world.run_user(m_world.m_scenario.functions[op.function], op.insn);
        break;
    case OpCode::Mark:
        m_world.raise_mark(op.mark);
        break;
    case OpCode::Wait:
        wait_for(op);
        break;
    case OpCode::At:
        sleep_until(m_world.m_start + op.time_ps);
        break;
    case OpCode::Sleep:
        sleep_until(m_world.m_now + op.time_ps);
        break;
    case OpCode::Yield:
        m_world.active().need_resched = true;
        m_world.preempt_if_needed();
        break;
    case OpCode::SetAffinity:
        set_affinity(op);
        break;
    case OpCode::Open:
        open(op);
        break;
    case OpCode::Ioctl:
        ioctl(op);
        break;
    case OpCode::Read:
        read(op);
        break;
    case OpCode::Mmap:
        map(op);
        break;
    case OpCode::Munmap:
        unmap(op);
        break;
    case OpCode::Drain:
        drain_ring(op);
        break;
    case OpCode::Close:
        close(op);
        break;
    case OpCode::Exit:
        break;
    }
}

void Program::wait_for(const Op& op)
{
    if (op.mark == kNone) {
        --m_world.m_busy_threads;
        m_world.check_end();
        m_world.block(WaitKind::Forever, "nothing, for ever");
        return;
    }
    if (m_world.m_marks[op.mark])
        return;
    m_task.waiting_mark = op.mark;
    m_world.block(WaitKind::Mark, "mark");
}

void Program::sleep_until(u64 ps)
{
    if (ps <= m_world.m_now)
        return;
    m_world.push(ps, DeviceEvent::Wake, m_world.active().index, m_task.wake_generation, &m_task);
    m_world.block(WaitKind::Time, "time");
}

void Program::set_affinity(const Op& op)
{
    m_task.allowed = CpuMask{};
    for (u32 cpu : op.cpus)
        m_task.allowed.set(cpu);
    if (!m_world.may_run_on(m_task, m_world.active().index))
        m_world.schedule();
}

void Program::open(const Op& op)
{
    const EventSpec& spec = m_world.m_scenario.events[op.event];
    perfcore::PerfEventAttr attr = spec.attr;
    if (!spec.pmu.empty()) {
        attr.type = ~u32{0};
        for (u32 node = 0; node < m_world.m_pmu_nodes.size(); ++node)
            if (m_world.m_pmu_nodes[node].name == spec.pmu)
                attr.type = perfcore::kFirstDynamicType + node;
    }
    i32 pid = -1;
    if (op.target == OpenTarget::Self)
        pid = 0;
    else if (op.target == OpenTarget::Pid)
        pid = op.pid;
    else if (op.target == OpenTarget::Thread)
        for (auto& task : m_world.m_tasks)
            if (task->thread == op.thread)
                pid = task->ids.tid;
    // A leader that is not open (any more) here is asked for all the same, and refused.
    i32 group = op.group >= 0 ? kNoFile : -1;
    if (op.group >= 0 && m_world.m_handles[static_cast<usize>(op.group)] != nullptr)
        for (usize fd = 0; fd < m_task.process->files.size(); ++fd)
            if (m_task.process->files[fd].get() == m_world.m_handles[static_cast<usize>(op.group)])
                group = kFirstFd + static_cast<i32>(fd);

    std::memcpy(scratch(), &attr, sizeof attr);
    m_world.observe([&](Observer& o) { o.on_operation(m_world.view(m_task)); });
    const perfcore::Result<i32> fd = perfcore::control::open(*m_world.m_subsystem, m_task.user_base,
                                                             pid, op.cpu, group, op.flags);
    if (fd.ok()) {
        File* file = m_task.process->files[static_cast<usize>(fd.value() - kFirstFd)].get();
        file->handle = op.handle;
        m_world.m_handles[op.handle] = file;
        m_world.observe([&](Observer& o) { o.on_named(file->id, op.handle); });
    }
    observe(op, op.handle, fd.syscall_result());
}

File* Program::file_of(const Op& op)
{
    File* file = m_world.m_handles[op.handle];
    if (file != nullptr && !file->closed)
        return file;
    observe(op, op.handle, -kEbadf);
    return nullptr;
}

void Program::read(const Op& op)
{
    File* file = file_of(op);
    if (file == nullptr)
        return;
    ++file->references; // as the descriptor's lookup does
    m_world.observe([&](Observer& o) { o.on_operation(m_world.view(m_task)); });
    const u64 size = std::min<u64>(op.size, m_task.user_memory.size());
    const i64 result =
        perfcore::control::read(*file->event, m_task.user_base, size).syscall_result();
    observe(op, op.handle, result, scratch(), result > 0 ? static_cast<u64>(result) : 0);
    put(*file);
}

void Program::ioctl(const Op& op)
{
    File* file = file_of(op);
    if (file == nullptr)
        return;
    ++file->references;
    const bool id = op.command == perfcore::PERF_EVENT_IOC_ID;
    // The kernel takes a pointer to the period.
    const bool period = op.command == perfcore::PERF_EVENT_IOC_PERIOD;
    if (period)
        std::memcpy(scratch(), &op.argument, sizeof op.argument);
    m_world.observe([&](Observer& o) { o.on_operation(m_world.view(m_task)); });
    const i64 result = perfcore::control::ioctl(*file->event, op.command,
                                                id || period ? m_task.user_base : op.argument)
                           .syscall_result();
    observe(op, op.handle, result, scratch(), id && result == 0 ? sizeof(u64) : 0);
    put(*file);
}

void Program::map(const Op& op)
{
    File* file = file_of(op);
    if (file == nullptr)
        return;
    m_task.process->vmas.push_back(std::make_unique<Vma>());
    Vma& vma = *m_task.process->vmas.back();
    vma.ring = op.ring;
    ++file->references;
    const perfcore::MapRequest request{(1 + op.pages) * perfcore::kPageSize, 0, true, op.writable};
    const perfcore::Result<void> result =
        perfcore::control::mmap(*file->event, reinterpret_cast<Hal::Vma&>(vma), request);
    if (result.ok()) {
        vma.file = file;
        m_world.m_rings[op.ring] = &vma;
    } else {
        put(*file);
    }
    observe(op, op.handle, result.syscall_result());
}

void Program::unmap(Vma& vma)
{
    File* file = vma.file;
    if (file == nullptr)
        return;
    vma.file = nullptr;
    if (m_world.m_rings[vma.ring] == &vma)
        m_world.m_rings[vma.ring] = nullptr;
    perfcore::hooks::vma_close(*file->event);
    put(*file);
}

void Program::unmap(const Op& op)
{
    Vma* vma = m_world.m_rings[op.ring];
    const u32 handle = m_world.m_scenario.rings[op.ring].handle;
    if (vma != nullptr)
        unmap(*vma);
    observe(op, handle, 0);
}

void Program::drain_ring(const Op& op)
{
    const Vma* vma = m_world.m_rings[op.ring];
    const u32 handle = m_world.m_scenario.rings[op.ring].handle;
    if (vma == nullptr) {
        observe(op, handle, -kEnomem);
        return;
    }
    // User code: each access to the shared words is a point, where another thread may unmap the
    // ring.
    const auto still_mapped = [&] {
        m_world.step();
        return m_world.m_rings[op.ring] == vma;
    };
    if (!still_mapped()) {
        observe(op, handle, -kEfault);
        return;
    }
    auto* page = reinterpret_cast<perfcore::PerfEventMmapPage*>(vma->pages);
    const u64 head = page->data_head;
    const u64 size = page->data_size;
    m_world.m_drained.clear();
    // A read-only ring is overwritten: what is left of it is the newest `size` bytes.
    const u64 oldest = head > size ? head - size : 0;
    const u64 tail = vma->writable ? page->data_tail : oldest;
    for (u64 at = std::max(tail, oldest); at < head && size != 0; ++at)
        m_world.m_drained.push_back(vma->pages[page->data_offset + at % size]);
    const u64 id = vma->file->id;
    m_world.observe([&](Observer& o) { o.on_drained(id, m_world.m_drained); });
    observe(op, handle, static_cast<i64>(m_world.m_drained.size()), m_world.m_drained.data(),
            m_world.m_drained.size());
    if (still_mapped() && vma->writable)
        page->data_tail = head;
}

void Program::close(const Op& op)
{
    File* file = file_of(op);
    if (file == nullptr)
        return;
    file->closed = true;
    put(*file);
    observe(op, op.handle, 0);
}

namespace {

EventOutcome outcome_of(const perfcore::EventFacts& facts)
{
    EventOutcome outcome;
    outcome.id = facts.id;
    outcome.state = facts.state;
    outcome.value = facts.count;
    outcome.enabled_ns = facts.enabled;
    outcome.running_ns = facts.running;
    outcome.sample_period = facts.sample_period;
    outcome.samples = facts.samples;
    outcome.lost = facts.lost;
    outcome.missed_events = facts.missed_events;
    outcome.progress = facts.progress;
    outcome.armed_events = facts.armed_events;
    return outcome;
}

} // namespace

// The event's last state for report and oracles. Runs under the owner rule, as a read does, so that
// facts and truth are of one instant: what the event counts from here to its release is nobody's.
void Program::take_last(perfcore::CpuState*, perfcore::Event& event, void* argument)
{
    perfcore::refresh_event(event);
    const Closing& closing = *static_cast<const Closing*>(argument);
    World& world = closing.world;
    const perfcore::EventFacts facts = perfcore::facts(event);
    EventOutcome outcome = outcome_of(facts);
    outcome.handle = closing.file.handle;
    outcome.name = world.m_scenario.handles[outcome.handle].name;
    outcome.pmu = world.m_pmu_nodes[facts.pmu_type - perfcore::kFirstDynamicType].name;
    world.observe([&](Observer& o) { o.on_closing(facts.id, facts, outcome); });
    world.m_result.events.push_back(std::move(outcome));
}

void Program::put(File& file)
{
    if (--file.references != 0)
        return;
    Closing closing{m_world, file};
    perfcore::event_call(*file.event, take_last, &closing);
    m_world.give_up_if_failed();
    perfcore::control::release(*file.event);
    file.event = nullptr;
}

void Program::observe(const Op& op, u32 handle, i64 result, const u8* bytes, u64 size)
{
    m_world.m_result.observations.emplace_back();
    Observation& observation = m_world.m_result.observations.back();
    observation.thread = m_task.thread;
    observation.op = m_op;
    observation.code = op.code;
    observation.name = op.as;
    observation.handle = handle;
    observation.result = result;
    if (size != 0)
        observation.bytes.assign(bytes, bytes + size);
    observation.time_ps = m_world.m_now - m_world.m_start;
    observation.cpu = m_world.active().index;
    m_world.observe([&](Observer& o) { o.on_observation(observation, m_world.view(m_task)); });
}

void Program::leave()
{
    m_task.ids.exiting = true;
    perfcore::hooks::exit(&World::hal_task(m_task));
    if (--m_task.process->live_threads != 0)
        return;
    for (usize index = 0; index < m_task.process->vmas.size(); ++index)
        unmap(*m_task.process->vmas[index]);
    for (usize index = 0; index < m_task.process->files.size(); ++index) {
        File& file = *m_task.process->files[index];
        if (file.closed)
            continue;
        file.closed = true;
        put(file);
    }
}

} // namespace perfsim
