// SPDX-License-Identifier: Apache-2.0
// PMU registers, frames, memory, tasks and files of the simulated HAL.
#include "sim/kernel_model/sim_hal.hpp"

#include "core/event/facts.hpp"
#include "sim/kernel_model/program.hpp"

#include <cstring>

namespace perfsim {

namespace {

constexpr i32 kEmfile = 24;
constexpr usize kMaxFiles = 1024;
constexpr u64 kLockedPagesMax = 1u << 20;
constexpr usize kPageAlignment = perfcore::kPageSize;

} // namespace

u64 SimHal::pmu_read(PmuReg reg)
{
    enter(HalUse::ThisCpu, "pmu_read");
    return cpu().pmu.read(reg);
}

void SimHal::pmu_write(PmuReg reg, u64 value)
{
    enter(HalUse::ThisCpu, "pmu_write");
    cpu().pmu.write(reg, value);
    m_world.update_line(cpu());
}

u64 SimHal::evcntr_read(u32 n)
{
    enter(HalUse::ThisCpu, "evcntr_read");
    return cpu().pmu.evcntr_read(n);
}

void SimHal::evcntr_write(u32 n, u64 value)
{
    enter(HalUse::ThisCpu, "evcntr_write");
    cpu().pmu.evcntr_write(n, value);
}

u64 SimHal::evtyper_read(u32 n)
{
    enter(HalUse::ThisCpu, "evtyper_read");
    return cpu().pmu.evtyper_read(n);
}

void SimHal::evtyper_write(u32 n, u64 value)
{
    enter(HalUse::ThisCpu, "evtyper_write");
    cpu().pmu.evtyper_write(n, value);
}

void SimHal::isb()
{
    m_world.step();
}

void SimHal::pmu_irq(bool on)
{
    enter(HalUse::ThisCpu, "pmu_irq");
    cpu().gic.enable_pmu(on);
    m_world.update_line(cpu());
}

const Frame* SimHal::irq_frame()
{
    enter(HalUse::Interrupt, "irq_frame");
    return cpu().frame_valid ? &cpu().frame : nullptr;
}

const Frame* SimHal::user_frame(void* task)
{
    enter(HalUse::ThisCpu, "user_frame");
    Task& of = *static_cast<Task*>(task);
    return of.ids.kernel ? nullptr : &of.user;
}

void* SimHal::alloc(usize size)
{
    enter(HalUse::Memory, "alloc");
    return m_world.allocation_fails() ? nullptr : m_world.m_heap.allocate(size);
}

void SimHal::free(void* pointer, usize size)
{
    enter(HalUse::Memory, "free");
    m_world.m_heap.free(pointer, size);
    m_world.give_up_if_failed();
}

void* SimHal::pages_alloc(usize pages)
{
    enter(HalUse::Memory, "pages_alloc");
    return m_world.allocation_fails()
               ? nullptr
               : m_world.m_heap.allocate(pages * perfcore::kPageSize, kPageAlignment);
}

void SimHal::pages_free(void* pointer, usize pages)
{
    enter(HalUse::Memory, "pages_free");
    m_world.m_heap.free(pointer, pages * perfcore::kPageSize);
    m_world.give_up_if_failed();
}

bool SimHal::map_user(void* vma, void* pages, usize count, bool writable, perfcore::MemoryAttr)
{
    enter(HalUse::Memory, "map_user");
    Vma& mapping = *static_cast<Vma*>(vma);
    mapping.pages = static_cast<u8*>(pages);
    mapping.page_count = count;
    mapping.writable = writable;
    return true;
}

u8* SimHal::user_range(u64 address, usize size)
{
    Task& task = m_world.current();
    const u64 offset = address - task.user_base;
    if (address < task.user_base || offset > task.user_memory.size() ||
        size > task.user_memory.size() - offset)
        return nullptr;
    return task.user_memory.data() + offset;
}

bool SimHal::copy_from_user(void* to, u64 from, usize size)
{
    enter(HalUse::CopyUser, "copy_from_user");
    const u8* bytes = user_range(from, size);
    if (bytes == nullptr)
        return false;
    std::memcpy(to, bytes, size);
    return true;
}

bool SimHal::copy_to_user(u64 to, const void* from, usize size)
{
    enter(HalUse::CopyUser, "copy_to_user");
    u8* bytes = user_range(to, size);
    if (bytes == nullptr)
        return false;
    std::memcpy(bytes, from, size);
    return true;
}

u64 SimHal::translation_root(bool)
{
    enter(HalUse::Interrupt, "translation_root");
    return 0;
}

void* SimHal::ram(u64, usize)
{
    return nullptr;
}

bool SimHal::mlock_charge(usize pages)
{
    enter(HalUse::Memory, "mlock_charge");
    ProcessState& process = *m_world.current().process;
    if (process.locked_pages + pages > kLockedPagesMax)
        return false;
    process.locked_pages += pages;
    return true;
}

void SimHal::mlock_uncharge(usize pages)
{
    enter(HalUse::Memory, "mlock_uncharge");
    m_world.current().process->locked_pages -= pages;
}

void* SimHal::current()
{
    m_world.step();
    return &m_world.current();
}

void* SimHal::task_get(i32 pid)
{
    enter(HalUse::Process, "task_get");
    Task* found = nullptr;
    if (pid == 0) {
        found = &m_world.current();
    } else {
        for (auto& task : m_world.m_tasks)
            if (task->thread != kNone && task->ids.tid == pid && task->state != TaskState::Dead)
                found = task.get();
    }
    if (found != nullptr)
        ++found->references;
    return found;
}

void SimHal::task_hold(void* task)
{
    m_world.step();
    ++static_cast<Task*>(task)->references;
}

void SimHal::task_put(void* task)
{
    enter(HalUse::Process, "task_put");
    Task& of = *static_cast<Task*>(task);
    if (--of.references == 0)
        m_world.fail(FailureKind::Oracle, "references", "a task reference was dropped twice");
}

void*& SimHal::task_slot(void* task)
{
    m_world.step();
    return static_cast<Task*>(task)->slot;
}

void* SimHal::task_open_mutex(void* task)
{
    return &static_cast<Task*>(task)->open_mutex;
}

TaskIds SimHal::task_ids(void* task)
{
    m_world.step();
    return static_cast<Task*>(task)->ids;
}

i32 SimHal::task_cpu(void* task)
{
    m_world.step();
    return static_cast<Task*>(task)->cpu;
}

bool SimHal::may(perfcore::Capability capability, void* target)
{
    enter(HalUse::Process, "may");
    const Task& task = m_world.current();
    if (task.process == nullptr || task.process->perfmon)
        return true;
    // Without the capability: one's own process may be traced, nothing else is allowed.
    return capability == perfcore::Capability::PtraceRead && target != nullptr &&
           static_cast<Task*>(target)->process == task.process;
}

i32 SimHal::fd_install(void* event, u32)
{
    enter(HalUse::Process, "fd_install");
    ProcessState& process = *m_world.current().process;
    if (process.files.size() >= kMaxFiles)
        return -kEmfile;
    auto file = std::make_unique<File>();
    file->event = static_cast<perfcore::Event*>(event);
    file->id = perfcore::facts(*file->event).id;
    file->references = 1;
    process.files.push_back(std::move(file));
    return kFirstFd + static_cast<i32>(process.files.size()) - 1;
}

void* SimHal::fd_event(i32 fd)
{
    enter(HalUse::Process, "fd_event");
    ProcessState& process = *m_world.current().process;
    const i64 index = i64{fd} - kFirstFd;
    if (index < 0 || index >= static_cast<i64>(process.files.size()))
        return nullptr;
    File& file = *process.files[static_cast<usize>(index)];
    if (file.closed)
        return nullptr;
    ++file.references;
    return file.event;
}

void SimHal::fd_put(i32 fd, void*)
{
    enter(HalUse::Process, "fd_put");
    // The descriptor may have been closed meanwhile: then this is the last reference.
    Task& task = m_world.current();
    Program(m_world, task).put(*task.process->files[static_cast<usize>(fd - kFirstFd)]);
}

// Nothing of the simulated programs polls or takes signals from events; the contract's functions
// are there for the core and checked for their context.
void SimHal::wake(void*, u32)
{
    enter(HalUse::FromDefer, "wake");
}

void SimHal::signal(void*, u32)
{
    enter(HalUse::FromDefer, "signal");
}

void SimHal::mark(Site site, u64 a, u64 b)
{
    m_world.step();
    const Cpu& here = cpu();
    if (site == Site::RemoteRetry)
        ++m_world.m_result.stats.remote_retries;
    if (site == Site::Opened) {
        const auto& event = *reinterpret_cast<const perfcore::Event*>(b);
        const perfcore::EventFacts facts = perfcore::facts(event);
        OpenedEvent opened;
        opened.id = a;
        opened.attr = event.attr;
        opened.event_number = facts.event_number;
        opened.clusters =
            m_world.m_pmu_nodes[facts.pmu_type - perfcore::kFirstDynamicType].clusters;
        opened.cpu = event.cpu;
        if (event.task != nullptr)
            opened.target = m_world.view(*reinterpret_cast<Task*>(event.task));
        m_world.observe([&](Observer& o) { o.on_opened(opened); });
    }
    m_world.observe([&](Observer& o) {
        if (site == Site::Freed)
            o.on_freed(a);
        else
            o.on_mark(here.index, site, a, b);
    });
    m_world.give_up_if_failed();
}

} // namespace perfsim
