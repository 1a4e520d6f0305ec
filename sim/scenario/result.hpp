// SPDX-License-Identifier: Apache-2.0
// What a target returns: observations of the program's operations, and, from the simulator only,
// the ground truth and the verdicts of the oracles.
#pragma once

#include "sim/scenario/model.hpp"

#include <cstring>

namespace perfsim {

/// Ground truth of one event at an instant, from the machine's own books, not from the core.
struct Truth {
    u64 value = 0; ///< events its counters counted while armed for it, since the last RESET
    u64 enabled_ns = 0;
    u64 running_ns = 0;
    u64 ideal = 0; ///< events its target made on CPUs of its PMU while it was enabled
};

struct Observation {
    u32 thread = 0;
    u32 op = 0; ///< index into the thread's program
    OpCode code = OpCode::Exit;
    std::string name; ///< `as`, or the handle for close and ioctl
    u32 handle = kNone;
    i64 result = 0;                  ///< value, or -errno
    std::vector<perfcore::u8> bytes; ///< read: the buffer; drain: the records
    u64 time_ps = 0;
    u32 cpu = 0;
    Truth truth; ///< of `handle` at this instant

    /// The bytes as u64 words; none for an end of file.
    [[nodiscard]] std::vector<u64> words() const
    {
        std::vector<u64> out(bytes.size() / sizeof(u64));
        if (!out.empty())
            std::memcpy(out.data(), bytes.data(), out.size() * sizeof(u64));
        return out;
    }
};

/// Everything known about an opened event at the end of a world.
struct EventOutcome {
    u32 handle = kNone;
    std::string name;
    u64 id = 0;
    std::string pmu;
    i32 state = 0;
    u64 value = 0;
    u64 enabled_ns = 0;
    u64 running_ns = 0;
    Truth truth;
    u64 sample_period = 0;
    u64 samples = 0;
    u64 lost = 0;
    u64 missed_events = 0;
    u64 progress = 0;
    u64 armed_events = 0;
    bool read_back = false; ///< value and times were taken at its last read or at its close
};

enum class FailureKind : perfcore::u8 { Expectation, Oracle, Liveness, Crash, Determinism };

struct Failure {
    FailureKind kind = FailureKind::Oracle;
    std::string oracle; ///< "truth", "conservation", ...
    std::string message;
    Position position; ///< in the scenario file, when known
};

struct WorldStats {
    u64 end_ps = 0; ///< world time at the end
    u64 hal_calls = 0;
    u64 switches = 0;         ///< baton passed to another stack
    u64 context_switches = 0; ///< simulated
    u64 interrupts = 0;
    u64 remote_retries = 0;
};

struct WorldResult {
    std::vector<Observation> observations;
    std::vector<EventOutcome> events;
    std::vector<Failure> failures;
    std::vector<std::string> log; ///< one aligned line per CPU per change, if asked for
    WorldStats stats;
    bool skipped = false;
    std::string skip_reason;
};

enum class ScheduleKind : perfcore::u8 { Ordered, Random };

struct RunOptions {
    u64 seed = 0;
    ScheduleKind schedule = ScheduleKind::Ordered;
    bool log = false;
    u64 step_limit = 50'000'000; ///< HAL calls before a liveness failure
};

} // namespace perfsim
