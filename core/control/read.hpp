// SPDX-License-Identifier: Apache-2.0
// Layout of what read(2) returns.
#pragma once

#include "core/event/event.hpp"

namespace perfcore::inline PERFCORE_BINDING::control {

/// No member of a group may return more (Linux perf_event_validate_size).
inline constexpr u64 kReadSizeMax = 16 * 1024;

/// Bytes read(2) returns for a read_format in a group with that many siblings.
constexpr u64 read_size(u64 format, u32 siblings)
{
    const auto asked = [format](u64 bit) { return (format & bit) != 0 ? u64{1} : u64{0}; };
    const u64 entry = 1 + asked(PERF_FORMAT_ID) + asked(PERF_FORMAT_LOST);
    const u64 times = asked(PERF_FORMAT_TOTAL_TIME_ENABLED) + asked(PERF_FORMAT_TOTAL_TIME_RUNNING);
    const bool group = asked(PERF_FORMAT_GROUP) != 0;
    return sizeof(u64) * (times + (group ? 1 + entry * (1 + u64{siblings}) : entry));
}

/// P: whether every member of the group, and a new one, stays within the bound.
bool read_sizes_fit(Event& leader, const Event& joining);

} // namespace perfcore::inline PERFCORE_BINDING::control
