// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/event/subsystem.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// I: serves this CPU's overflowed counters. False: none of ours had overflowed.
bool handle_overflow(CpuState& cpu);

} // namespace perfcore::inline PERFCORE_BINDING
