// SPDX-License-Identifier: Apache-2.0
// Work spread over forked worker processes; results come back in the order of the items.
#pragma once

#include "core/base/types.hpp"

#include <functional>
#include <string>

namespace perfsim {

/// How an item ended.
struct JobResult {
    bool finished = false; ///< false: the worker died in it
    int exit_code = 0;
    std::string output;
    std::string errors;
};

/// Runs `work(begin, end, emit)` over [0, count) in `jobs` child processes (contiguous shares),
/// each calling emit(result) once per item in order. `done` gets each item's result in item order.
/// A child that dies leaves its current item unfinished and its later ones to a new child.
void run_jobs(perfcore::u32 count, perfcore::u32 jobs,
              const std::function<void(perfcore::u32, perfcore::u32,
                                       const std::function<void(const JobResult&)>&)>& work,
              const std::function<void(perfcore::u32, const JobResult&)>& done);

} // namespace perfsim
