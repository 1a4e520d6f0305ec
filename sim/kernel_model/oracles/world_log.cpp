// SPDX-License-Identifier: Apache-2.0
// The log of RunOptions.log: one aligned line per CPU per change.
#include "sim/kernel_model/oracles/oracles.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

class WorldLog final : public Observer {
public:
    WorldLog(WorldView& world, Books& books) : m_world(world), m_books(books) {}

    void on_mark(u32 cpu, Site site, u64 id, u64 value) override
    {
        switch (site) {
        case Site::Armed:
            m_armed[cpu][static_cast<u32>(value)] = id;
            line(cpu, fmt::format("arm {}", name(id)));
            break;
        case Site::Disarmed:
            m_armed[cpu].erase(static_cast<u32>(value));
            line(cpu, fmt::format("disarm {}", name(id)));
            break;
        case Site::Sampled:
            line(cpu, value != 0 ? fmt::format("sample {} head {}", name(id), value)
                                 : fmt::format("sample {} not written", name(id)));
            break;
        case Site::Enabled:
        case Site::Disabled:
            line(cpu, fmt::format("{} {}", site == Site::Enabled ? "enable" : "disable", name(id)));
            break;
        case Site::Reset:
            line(cpu, fmt::format("reset {}", name(id)));
            break;
        case Site::RemoteRetry:
            line(cpu, fmt::format("retry {} on {}", value, name(id)));
            break;
        case Site::Opened:
        case Site::Freed:
        case Site::Read:
            break;
        }
    }
    void on_switch_out(u32 cpu, TaskView task) override
    {
        if (!task.idle)
            line(cpu, "out");
    }
    void on_switch_in(u32 cpu, TaskView task) override
    {
        if (!task.idle)
            line(cpu, "in");
    }
    void on_interrupt(u32 cpu, const char* what) override
    {
        line(cpu, fmt::format("irq {}", what));
    }
    void on_drained(u64 id, const std::vector<perfcore::u8>& records) override
    {
        line(0, fmt::format("drain {} {} bytes", name(id), records.size()));
    }
    void on_cpu_online(u32 cpu, bool online) override { line(cpu, online ? "online" : "offline"); }

private:
    std::string name(u64 id) const
    {
        const Book* book = m_books.find(id);
        if (book == nullptr || book->opened.handle == kNone)
            return fmt::format("#{}", id);
        return m_world.scenario().handles[book->opened.handle].name;
    }

    void line(u32 cpu, const std::string& what)
    {
        const TaskView task = m_world.running(cpu);
        std::string armed;
        for (auto const& [counter, id] : m_armed[cpu])
            armed += fmt::format("{}{}={}", armed.empty() ? "" : " ",
                                 counter == kCycleCounter ? "cyc" : "c" + std::to_string(counter),
                                 name(id));
        const u64 ps = m_world.now_ps();
        constexpr u64 kPsPerUs = 1'000'000;
        constexpr u64 kPsPerNs = 1'000;
        m_world.log(fmt::format("{:>8}.{:03} us  {:<14} {:<15} en {:08x} ovs {:08x}  {:<24} {}",
                                ps / kPsPerUs, ps % kPsPerUs / kPsPerNs,
                                m_world.machine().cpu_name(cpu),
                                task.thread != kNone ? m_world.scenario().threads[task.thread].name
                                                     : (task.idle ? "idle" : "kernel"),
                                m_world.pmu(cpu).read(PmuReg::PMCNTENSET_EL0),
                                m_world.pmu(cpu).read(PmuReg::PMOVSSET_EL0), armed, what));
    }

    WorldView& m_world;
    Books& m_books;
    std::map<u32, std::map<u32, u64>> m_armed; ///< by CPU and counter
};

} // namespace

std::unique_ptr<Observer> make_world_log(WorldView& world, Books& books)
{
    return std::make_unique<WorldLog>(world, books);
}

} // namespace perfsim
