// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/types.hpp"

namespace perfcore {

/// Values of the kernel.perf_* sysctls, with Linux's defaults.
struct Settings {
    i32 paranoid = 2;             ///< kernel.perf_event_paranoid
    u64 max_sample_rate = 100000; ///< kernel.perf_event_max_sample_rate, samples per second
    u16 max_stack = 127;          ///< kernel.perf_event_max_stack, frames
};

} // namespace perfcore
