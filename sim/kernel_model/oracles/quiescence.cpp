// SPDX-License-Identifier: Apache-2.0
// Oracle "quiescence": when everything is closed, no counter is enabled, no interrupt is enabled or
// pending, and no flag is set, on any CPU. (Memory is the Heap's oracle.)
#include "sim/kernel_model/oracles/oracles.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

class QuiescenceOracle final : public Observer {
public:
    explicit QuiescenceOracle(WorldView& world) : m_world(world) {}

    void on_world_end() override
    {
        for (u32 cpu = 0; cpu < m_world.machine().cpu_count(); ++cpu) {
            const PmuModel& pmu = m_world.pmu(cpu);
            const u64 counters = pmu.read(PmuReg::PMCNTENSET_EL0);
            const u64 interrupts = pmu.read(PmuReg::PMINTENSET_EL1);
            const u64 flags = pmu.read(PmuReg::PMOVSSET_EL0);
            if ((counters | interrupts | flags) != 0 || pmu.line())
                m_world.fail(FailureKind::Oracle, "quiescence",
                             fmt::format("CPU {} is left with PMCNTENSET {:#x} PMINTENSET {:#x} "
                                         "PMOVSSET {:#x}",
                                         cpu, counters, interrupts, flags));
        }
    }

private:
    WorldView& m_world;
};

} // namespace

std::unique_ptr<Observer> make_quiescence_oracle(WorldView& world)
{
    return std::make_unique<QuiescenceOracle>(world);
}

} // namespace perfsim
