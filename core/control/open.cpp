// SPDX-License-Identifier: Apache-2.0
// perf_event_open(2). Checks run in Linux's order (6.12 sys_perf_event_open), so that where several
// things are wrong the same errno wins. Everything that can fail for want of memory comes before
// anything is linked.
#include "core/control/attr.hpp"
#include "core/control/read.hpp"
#include "core/control/control.hpp"
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"
#include "core/sched/change.hpp"
#include "core/sched/remote.hpp"

#include <new>

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING::control {

namespace {

constexpr u64 kKnownFlags =
    PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC;

/// What an open has acquired so far; whatever is not handed on is given back.
struct Acquired {
    i32 leader_fd = -1;
    Event* leader = nullptr; ///< of the group to join; kept open by leader_fd
    Hal::Task* task = nullptr;
    Event* event = nullptr;

    ~Acquired()
    {
        if (leader_fd != -1)
            Hal::fd_put(leader_fd, leader);
        if (event != nullptr)
            Hal::free(event, sizeof(Event));
        if (task != nullptr)
            Hal::task_put(task);
    }
};

// Linux validate_group: a group must fit on an empty PMU, or it would never run. Members that are
// OFF may stay so and are not looked at.
bool fits_empty_pmu(Event& leader, const Event& joining)
{
    u32 used = 0;
    const auto fits = [&](const Event& event, bool off) {
        if (event.pmu != joining.pmu)
            return false;
        if (off)
            return true;
        const i32 index = pick_counter(event.pmu->counter_mask(), used, event.counter.hw_event());
        if (index == kNoCounter)
            return false;
        used |= occupied_by(index, event.counter.hw_event());
        return true;
    };
    MutexGuard guard(leader.context->mutex);
    bool all = true;
    for_each_member(leader, [&](const Event& event) {
        all = all && fits(event, event.state < EventState::Inactive);
    });
    return all && fits(joining, joining.has(kAttrDisabled));
}

// Generic types go to the first PMU that takes them (Linux perf_init_event); on unlike clusters a
// task event therefore counts on one kind of core only.
Result<void> choose_pmu(const Subsystem& subsystem, Event& event, Event* leader)
{
    for (u32 index = 0; index < subsystem.pmu_count; ++index) {
        const PmuType& pmu = subsystem.pmus[index];
        const Result<HwEvent> hardware = pmu_event_init(pmu, event.attr, event.cpu);
        if (!hardware.ok() && hardware.error() == Errno::Enoent)
            continue;
        if (!hardware.ok())
            return hardware.error();
        event.pmu = &pmu;
        event.ops = &kHardwarePmuOps;
        event.counter.init(hardware.value(), event.attr.sample_period, &event);
        return leader == nullptr || fits_empty_pmu(*leader, event) ? Result<void>{} : Errno::Einval;
    }
    return Errno::Enoent;
}

Result<void> find_leader(i32 group_fd, u64 flags, Acquired& acquired)
{
    if (group_fd == -1)
        return {};
    acquired.leader = static_cast<Event*>(Hal::fd_event(group_fd));
    if (acquired.leader == nullptr)
        return Errno::Ebadf;
    acquired.leader_fd = group_fd;
    if (acquired.leader->state <= EventState::Exit)
        return Errno::Enodev;
    if ((flags & PERF_FLAG_FD_OUTPUT) != 0)
        return Errno::Eopnotsupp;
    return {};
}

/// Who may join whom (Linux sys_perf_event_open): only a leader can be joined, by events of the
/// same context, CPU and clock; only a leader may be pinned or exclusive.
bool may_join(const Event& leader, const Event& event)
{
    return leader.leads() && leader.context == event.context && leader.cpu == event.cpu &&
           !event.has(kAttrPinned) && !event.has(kAttrExclusive);
}

Result<void> find_task(i32 pid, Acquired& acquired)
{
    if (pid == -1)
        return {};
    acquired.task = Hal::task_get(pid);
    return acquired.task != nullptr ? Result<void>{} : Errno::Esrch;
}

Result<void> make_event(Subsystem& subsystem, const PerfEventAttr& attr, i32 cpu, Event* leader,
                        Acquired& acquired)
{
    const bool cpu_valid = cpu >= 0 && static_cast<u32>(cpu) < subsystem.cpu_count;
    if (!cpu_valid && !(acquired.task != nullptr && cpu == -1))
        return Errno::Einval;
    void* memory = Hal::alloc(sizeof(Event));
    if (memory == nullptr)
        return Errno::Enomem;
    const u64 id = subsystem.last_id.fetch_add(1, MemoryOrder::Relaxed) + 1;
    Event* event = new (memory) Event(subsystem, id);
    acquired.event = event;
    event->attr = attr;
    event->cpu = cpu;
    PERFCORE_TRY(choose_pmu(subsystem, *event, leader));
    PERFCORE_TRY(check_attr_supported(attr));
    if (attr.sample_period != 0 && !event->pmu->has_interrupt)
        return Errno::Eopnotsupp;
    return {};
}

Result<void> check_target(const Subsystem& subsystem, const Acquired& acquired)
{
    if (acquired.task != nullptr) {
        if (acquired.task != Hal::current() && !Hal::may(Capability::PtraceRead, acquired.task) &&
            !Hal::may(Capability::Perfmon, nullptr))
            return Errno::Eacces;
        return {};
    }
    if (subsystem.settings.paranoid > 0 && !Hal::may(Capability::Perfmon, nullptr))
        return Errno::Eacces;
    return {};
}

/// The task's context, with a reference for the event; made on first use.
Result<Context*> task_context(Hal::Task* task)
{
    MutexGuard guard(Hal::task_open_mutex(task));
    // Under the mutex an exiting task has either not begun to drop its context, or is past it.
    if (Hal::task_ids(task).exiting)
        return Errno::Esrch;
    Context* context = static_cast<Context*>(Hal::task_slot(task));
    if (context == nullptr) {
        context = context_create(task);
        if (context == nullptr)
            return Errno::Enomem;
        Hal::task_slot(task) = context; // the first reference is the task's
    }
    context_hold(*context);
    return context;
}

struct Attach {
    Event& leader;
    bool attached = false;
};

void attach_on_owner(CpuState* cpu, Event& event, void* argument)
{
    // A dead context has lost its task; a cpu-bound context without its CPU is offline.
    if (event.context->dead || (event.task == nullptr && cpu == nullptr))
        return;
    Attach& attach = *static_cast<Attach*>(argument);
    attach_event(cpu, event, attach.leader);
    attach.attached = true;
}

/// leader: of the group to join, null: none.
Result<void> attach(Event& event, Event* leader)
{
    Subsystem& subsystem = event.subsystem;
    MutexGuard guard(event.context->mutex);
    const Errno gone = event.task != nullptr ? Errno::Esrch : Errno::Enodev;
    if (event.task != nullptr ? event.context->dead : !Hal::cpu_online(static_cast<u32>(event.cpu)))
        return gone;
    if (leader != nullptr && !may_join(*leader, event))
        return Errno::Einval;
    if (!read_sizes_fit(leader != nullptr ? *leader : event, event))
        return Errno::E2big;
    // Counted before the event can be seen by a switch (see CpuState::hot).
    if (event.task != nullptr)
        subsystem.add_task_events(1);
    Attach result{leader != nullptr ? *leader : event};
    event_call(event, attach_on_owner, &result);
    if (result.attached)
        return {};
    if (event.task != nullptr)
        subsystem.remove_task_events(1);
    return gone;
}

/// Takes the event back out of its context, wherever that is.
void detach(Event& event)
{
    MutexGuard guard(event.context->mutex);
    bool was_attached = false;
    event_call(
        event,
        [](CpuState* cpu, Event& target, void* argument) {
            *static_cast<bool*>(argument) = target.attached;
            leave_group(target);
            detach_event(cpu, target, EventState::Off);
        },
        &was_attached);
    if (was_attached && event.task != nullptr)
        event.subsystem.remove_task_events(1);
}

void free_event(Event& event)
{
    Hal::mark(Site::Freed, event.id, 0);
    if (event.task != nullptr) {
        context_put(*event.context);
        Hal::task_put(event.task);
    }
    Hal::free(&event, sizeof(Event));
}

} // namespace

Result<i32> open(Subsystem& subsystem, u64 user_attr, i32 pid, i32 cpu, i32 group_fd, u64 flags)
{
    assert_process();
    if ((flags & ~kKnownFlags) != 0)
        return Errno::Einval;
    PerfEventAttr attr;
    PERFCORE_TRY(copy_attr(user_attr, attr, subsystem.settings));
    PERFCORE_TRY(check_attr_policy(attr, subsystem.settings));
    if ((flags & PERF_FLAG_PID_CGROUP) != 0)
        return pid == -1 || cpu == -1 ? Errno::Einval : Errno::Eopnotsupp;
    Acquired acquired;
    PERFCORE_TRY(find_leader(group_fd, flags, acquired));
    // FD_NO_GROUP with a descriptor asks for its output only.
    Event* leader = (flags & PERF_FLAG_FD_NO_GROUP) == 0 ? acquired.leader : nullptr;
    PERFCORE_TRY(find_task(pid, acquired));
    PERFCORE_TRY(make_event(subsystem, attr, cpu, leader, acquired));
    PERFCORE_TRY(check_target(subsystem, acquired));
    Event& event = *acquired.event;
    if (acquired.task != nullptr)
        event.context = PERFCORE_TRY(task_context(acquired.task));
    else
        event.context = &subsystem.cpus[cpu].context;
    // From here on the event owns what was acquired.
    event.task = acquired.task;
    acquired.event = nullptr;
    acquired.task = nullptr;

    Hal::mark(Site::Opened, event.id, reinterpret_cast<u64>(&event));
    const Result<void> attached = attach(event, leader);
    if (!attached.ok()) {
        free_event(event);
        return attached.error();
    }
    const i32 fd = Hal::fd_install(&event, (flags & PERF_FLAG_FD_CLOEXEC) != 0 ? 1 : 0);
    if (fd < 0) {
        release(event);
        return static_cast<Errno>(-fd);
    }
    return fd;
}

void release(Event& event)
{
    assert_process();
    PERFCORE_ASSERT(event.mapped_ring == nullptr);
    detach(event);
    free_event(event);
}

} // namespace perfcore::inline PERFCORE_BINDING::control
