// SPDX-License-Identifier: Apache-2.0
// Numbers as scenario files write them, converted exactly.
#pragma once

#include "sim/scenario/model.hpp"

#include <optional>
#include <string>

namespace perfsim {

/// Decimal or 0x..., below 2^64.
std::optional<u64> parse_u64(const std::string& text);
/// The same with an optional sign, within 64 bits.
std::optional<i64> parse_i64(const std::string& text);
/// "800us", "1.5 ms", "30ns", "1s", "250ps" to picoseconds; a fraction of a picosecond is refused.
std::optional<u64> parse_time_ps(const std::string& text);
/// "6/5" or "2"; both parts 0..1000000, the second at least 1.
std::optional<Ratio> parse_ratio(const std::string& text);

} // namespace perfsim
