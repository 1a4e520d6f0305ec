// SPDX-License-Identifier: Apache-2.0
// Common PMUv3 events by Arm name (Arm ARM DDI 0487, "Common event numbers"), 0x00-0x3f.
#pragma once

#include "core/base/types.hpp"

#include <string>
#include <vector>

namespace perfsim {

struct EventName {
    perfcore::u32 number;
    const char* name; ///< lower case, as Linux' sysfs spells it
    const char* text;
};

/// All known events, by number.
const std::vector<EventName>& event_catalogue();

/// Null: not in the catalogue.
const EventName* find_event(const std::string& name);
const EventName* find_event(perfcore::u32 number);

} // namespace perfsim
