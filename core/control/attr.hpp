// SPDX-License-Identifier: Apache-2.0
// Reading and judging struct perf_event_attr, in Linux's order of checks.
#pragma once

#include "core/abi/perf_event.hpp"
#include "core/base/result.hpp"
#include "core/base/settings.hpp"
#include "core/hal/hal.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// P. Linux perf_copy_attr: size rules (E2BIG with the known size written back), EFAULT, reserved
/// bits, masks and combinations (EINVAL).
Result<void> copy_attr(u64 user_attr, PerfEventAttr& attr, const Settings& settings);

/// P. What must hold before any target is looked up: privileges (EACCES), rates and periods
/// (EINVAL).
Result<void> check_attr_policy(const PerfEventAttr& attr, const Settings& settings);

/// What this core does not do yet: EOPNOTSUPP rather than a count or record that would be wrong.
/// The list is docs/CAVEATS.md.
Result<void> check_attr_supported(const PerfEventAttr& attr);

} // namespace perfcore::inline PERFCORE_BINDING
