// SPDX-License-Identifier: Apache-2.0
// Entry point of the simulated machine: one SystemC elaboration per process, any number of worlds.
#pragma once

#include "sim/scenario/result.hpp"

#include <functional>

namespace perfsim {

/// Runs worlds; valid only inside the body given to simulate().
class Simulator {
public:
    virtual ~Simulator() = default;
    /// Runs one scenario on one machine from reset to its end, with every oracle. Never throws; a
    /// panic, deadlock or failed oracle is a Failure of the result. Equal arguments, equal result.
    virtual WorldResult run(const MachineConfig& machine, const Scenario& scenario,
                            const RunOptions& options) = 0;
};

/// Elaborates a machine shape of max_cpus CPUs and runs body inside it. Once per process (SystemC
/// allows one elaboration); a second call aborts with a message.
void simulate(u32 max_cpus, const std::function<void(Simulator&)>& body);

} // namespace perfsim
