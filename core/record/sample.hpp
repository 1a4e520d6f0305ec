// SPDX-License-Identifier: Apache-2.0
// PERF_RECORD_SAMPLE and the sample_id trailer of the other records: layouts and emission.
#pragma once

#include "core/event/event.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// sample_type bits of this core's records; others are refused at open.
inline constexpr u64 kSupportedSampleTypes =
    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER;

/// Bytes of a sample record of this type, header included.
u32 sample_size(u64 sample_type);

/// What is known at an overflow.
struct SampleSource {
    u64 ip = 0;
    bool user = false;
    u32 pid = 0;
    u32 tid = 0;
    u64 time = 0;
    u32 cpu = 0;
    u64 period = 0;
};

enum class SampleOutcome : u8 {
    Written,
    Lost,     ///< the ring was full; the next LOST record will say so
    NoBuffer, ///< nothing to write to: not mapped, or mapped without data pages
};

/// I: writes one sample of the event into its ring.
SampleOutcome write_sample(Event& event, const SampleSource& source);

} // namespace perfcore::inline PERFCORE_BINDING
