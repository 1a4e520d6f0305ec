// SPDX-License-Identifier: Apache-2.0
// Oracle "contexts": each HAL function is called only from the contexts the contract names, nothing
// that may sleep or allocate with a spin lock held, no user copy with any lock held.
// Oracle "locks": lock classes are taken in one order only (a cycle of orders is a deadlock some
// schedule will find), a Mutex is never taken under a spin lock, and none is held at the end.
#include "sim/kernel_model/oracles/oracles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfsim {

namespace {

struct HeldLock {
    std::string name;
    const void* lock;
    bool spin;
};

class ContextOracle final : public Observer {
public:
    explicit ContextOracle(WorldView& world) : m_world(world) {}

    void on_hal_use(u32 cpu, TaskView task, HalUse use, ExecContext context,
                    const char* function) override
    {
        const bool process = context.level == ExecContext::Level::Process;
        const bool spinning = !m_spin[cpu].empty();
        const char* wrong = nullptr;
        switch (use) {
        case HalUse::Memory:
        case HalUse::Process:
        case HalUse::Mutex:
        case HalUse::Call:
            wrong = !process           ? "needs process context"
                    : !context.irqs_on ? "needs interrupts on"
                    : spinning         ? "must not be called with a spin lock held"
                                       : nullptr;
            break;
        case HalUse::CopyUser:
            wrong = !process || !context.irqs_on ? "needs process context"
                    : spinning || !m_mutex[key(task)].empty()
                        ? "must not be called with a lock held"
                        : nullptr;
            break;
        case HalUse::ThisCpu:
            wrong = context.irqs_on ? "needs interrupts off" : nullptr;
            break;
        case HalUse::Interrupt:
            wrong = context.level != ExecContext::Level::Interrupt ? "needs interrupt context"
                                                                   : nullptr;
            break;
        case HalUse::FromDefer:
            wrong = context.level == ExecContext::Level::Atomic || spinning
                        ? "must only be called from deferred work or process context"
                        : nullptr;
            break;
        }
        if (wrong != nullptr)
            m_world.fail(FailureKind::Oracle, "contexts",
                         fmt::format("{} {} (CPU {}, task {})", function, wrong, cpu, task.tid));
    }

    void on_lock(u32 cpu, TaskView task, const char* name, const void* lock, bool spin) override
    {
        std::vector<HeldLock> held = m_mutex[key(task)];
        held.insert(held.end(), m_spin[cpu].begin(), m_spin[cpu].end());
        for (HeldLock const& before : held)
            order(before.name, name);
        (spin ? m_spin[cpu] : m_mutex[key(task)]).push_back({name, lock, spin});
    }

    void on_unlock(u32 cpu, TaskView task, const char*, const void* lock, bool spin) override
    {
        auto& held = spin ? m_spin[cpu] : m_mutex[key(task)];
        held.erase(std::remove_if(held.begin(), held.end(),
                                  [lock](HeldLock const& entry) { return entry.lock == lock; }),
                   held.end());
    }

    void on_world_end() override
    {
        for (auto const& [cpu, held] : m_spin)
            for (HeldLock const& entry : held)
                m_world.fail(FailureKind::Oracle, "locks",
                             fmt::format("CPU {} still holds {}", cpu, entry.name));
        for (auto const& [task, held] : m_mutex)
            for (HeldLock const& entry : held)
                m_world.fail(FailureKind::Oracle, "locks",
                             fmt::format("task {} still holds {}", task, entry.name));
    }

private:
    static i64 key(TaskView task) { return task.tid != 0 ? task.tid : -1 - i64{task.idle}; }

    void order(const std::string& before, const std::string& after)
    {
        if (!m_order[before].insert(after).second)
            return;
        std::set<std::string> visited;
        if (before == after || reaches(after, before, visited))
            m_world.fail(FailureKind::Oracle, "locks",
                         fmt::format("{} is taken while {} is held; elsewhere the order is the "
                                     "other way round",
                                     after, before));
    }

    bool reaches(const std::string& from, const std::string& to, std::set<std::string>& visited)
    {
        if (!visited.insert(from).second)
            return false;
        for (std::string const& next : m_order[from])
            if (next == to || reaches(next, to, visited))
                return true;
        return false;
    }

    WorldView& m_world;
    std::map<u32, std::vector<HeldLock>> m_spin;  ///< by CPU
    std::map<i64, std::vector<HeldLock>> m_mutex; ///< by task
    std::map<std::string, std::set<std::string>> m_order;
};

} // namespace

std::unique_ptr<Observer> make_context_oracle(WorldView& world)
{
    return std::make_unique<ContextOracle>(world);
}

} // namespace perfsim
