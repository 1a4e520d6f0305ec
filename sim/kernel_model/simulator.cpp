// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel_model/simulator.hpp"

#include "sim/kernel_model/world.hpp"

#include <cstdio>
#include <cstdlib>

namespace perfsim {

namespace {

class SystemcSimulator final : public Simulator {
public:
    explicit SystemcSimulator(MachineModule& module) : m_module(module) {}

    WorldResult run(const MachineConfig& machine, const Scenario& scenario,
                    const RunOptions& options) override
    {
        if (machine.cpu_count() > m_module.cores()) {
            WorldResult result;
            result.skipped = true;
            result.skip_reason = "the machine has more CPUs than this process elaborated";
            return result;
        }
        World world(m_module, m_stacks, machine, scenario, options);
        return world.run();
    }

private:
    MachineModule& m_module;
    StackPool m_stacks;
};

} // namespace

void simulate(u32 max_cpus, const std::function<void(Simulator&)>& body)
{
    static bool elaborated = false;
    if (elaborated) {
        std::fputs("perfsim: simulate() may be called once per process\n", stderr);
        std::abort();
    }
    elaborated = true;
    // SystemC announces stopped processes and the like on standard output.
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    static MachineModule module("machine", max_cpus);
    static SystemcSimulator simulator(module);
    sc_core::sc_spawn_options options;
    constexpr int kDriverStackBytes = 8 * 1024 * 1024;
    options.set_stack_size(kDriverStackBytes);
    sc_core::sc_spawn(
        [&body] {
            body(simulator);
            sc_core::sc_stop();
        },
        "driver", &options);
    sc_core::sc_start();
}

} // namespace perfsim
