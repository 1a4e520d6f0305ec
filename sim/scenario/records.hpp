// SPDX-License-Identifier: Apache-2.0
// Reading the bytes of a ring: records as perf tools see them.
#pragma once

#include "core/abi/perf_event.hpp"

#include <string>
#include <vector>

namespace perfsim {

using perfcore::u16;
using perfcore::u32;
using perfcore::u64;
using perfcore::u8;

struct Record {
    u32 type = 0;
    u16 misc = 0;
    u16 size = 0;
    // Fields the attr asked for; zero otherwise. LOST has id and lost, and the trailer's fields.
    u64 identifier = 0;
    u64 ip = 0;
    u32 pid = 0;
    u32 tid = 0;
    u64 time = 0;
    u64 addr = 0;
    u64 id = 0;
    u64 stream_id = 0;
    u32 cpu = 0;
    u64 period = 0;
    u64 lost = 0;
};

/// Parses whole records made by an event with this attr. On malformed bytes `error` says where and
/// why, and the records before that point are returned.
std::vector<Record> parse_records(const std::vector<u8>& bytes, const perfcore::PerfEventAttr& attr,
                                  std::string& error);

} // namespace perfsim
