// SPDX-License-Identifier: Apache-2.0
// Reports of a run. Nothing in them depends on the host, its clock or the order of workers.
#pragma once

#include "sim/scenario/result.hpp"

#include <string>

namespace perfsim {

/// Process exit codes; README and --help list them.
enum ExitCode : int {
    kExitPass = 0,
    kExitExpectation = 1,
    kExitUsage = 2,
    kExitCrash = 127,
    kExitLiveness = 128,
    kExitOracle = 129,
    kExitDeterminism = 130,
};

/// The worst failure of a result as an exit code.
int exit_code_of(const WorldResult& result);
/// The worse of two exit codes: crash, determinism, oracle, liveness, usage, expectation, pass.
int worse_exit_code(int a, int b);

/// Text for people: each event beside the ground truth, then what failed and where.
std::string report_text(const Scenario& scenario, const MachineConfig& machine,
                        const RunOptions& options, const WorldResult& result);
/// The same as one JSON object with keys in fixed order.
std::string report_json(const Scenario& scenario, const RunOptions& options,
                        const WorldResult& result);

} // namespace perfsim
