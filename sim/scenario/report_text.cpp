// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/expect_parse.hpp"
#include "sim/scenario/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfsim {

namespace {

constexpr u64 kNsPerUs = 1000;
constexpr u64 kPsPerUs = 1'000'000;

std::string us(u64 ns)
{
    return fmt::format("{}.{:03}", ns / kNsPerUs, ns % kNsPerUs);
}

// value * enabled / running, as perf stat scales; integer arithmetic.
u64 scaled(const EventOutcome& event)
{
    if (event.running_ns == 0)
        return 0;
    return static_cast<u64>(static_cast<unsigned __int128>(event.value) * event.enabled_ns /
                            event.running_ns);
}

// Signed percentage with two digits, without floating point.
std::string percent(u64 value, u64 reference)
{
    if (reference == 0)
        return value == 0 ? "0.00%" : "-";
    const bool negative = value < reference;
    const u64 distance = negative ? reference - value : value - reference;
    const auto hundredths =
        static_cast<u64>(static_cast<unsigned __int128>(distance) * 10000 / reference);
    return fmt::format("{}{}.{:02}%", negative && hundredths != 0 ? "-" : "", hundredths / 100,
                       hundredths % 100);
}

std::string verdict(const WorldResult& result)
{
    if (result.skipped)
        return "SKIP: " + result.skip_reason;
    switch (exit_code_of(result)) {
    case kExitPass:
        return "PASS";
    case kExitExpectation:
        return "FAIL: an expectation does not hold";
    case kExitLiveness:
        return "FAIL: liveness";
    case kExitOracle:
        return "FAIL: oracle";
    case kExitDeterminism:
        return "FAIL: not deterministic";
    default:
        return "FAIL: crash";
    }
}

void add_counts(std::string& out, const WorldResult& result)
{
    if (result.events.empty())
        return;
    out += fmt::format("  {:<12} {:<20} {:>14} {:>14} {:>14} {:>14} {:>14} {:>9}\n", "event", "pmu",
                       "value", "ground truth", "enabled us", "running us", "scaled", "error");
    for (EventOutcome const& event : result.events)
        out += fmt::format("  {:<12} {:<20} {:>14} {:>14} {:>14} {:>14} {:>14} {:>9}\n", event.name,
                           event.pmu, event.value, event.truth.value, us(event.enabled_ns),
                           us(event.running_ns), scaled(event),
                           percent(event.value, event.truth.ideal));
}

void add_samples(std::string& out, const WorldResult& result)
{
    const bool any =
        std::any_of(result.events.begin(), result.events.end(),
                    [](EventOutcome const& event) { return event.sample_period != 0; });
    if (!any)
        return;
    out += fmt::format("  {:<12} {:>14} {:>14} {:>14} {:>14} {:>14}\n", "sampling", "period",
                       "samples", "lost", "missed events", "in progress");
    for (EventOutcome const& event : result.events)
        if (event.sample_period != 0)
            out += fmt::format("  {:<12} {:>14} {:>14} {:>14} {:>14} {:>14}\n", event.name,
                               event.sample_period, event.samples, event.lost, event.missed_events,
                               event.progress);
}

void add_refused(std::string& out, const Scenario& scenario, const WorldResult& result)
{
    for (Observation const& observation : result.observations)
        if (observation.result < 0)
            out += fmt::format("  {} on {}: {}\n",
                               observation.code == OpCode::Open   ? "open"
                               : observation.code == OpCode::Mmap ? "mmap"
                                                                  : "operation",
                               scenario.handles[observation.handle].name,
                               errno_name(-observation.result));
}

} // namespace

int exit_code_of(const WorldResult& result)
{
    int code = kExitPass;
    for (Failure const& failure : result.failures) {
        switch (failure.kind) {
        case FailureKind::Expectation:
            code = worse_exit_code(code, kExitExpectation);
            break;
        case FailureKind::Oracle:
            code = worse_exit_code(code, kExitOracle);
            break;
        case FailureKind::Liveness:
            code = worse_exit_code(code, kExitLiveness);
            break;
        case FailureKind::Crash:
            code = worse_exit_code(code, kExitCrash);
            break;
        case FailureKind::Determinism:
            code = worse_exit_code(code, kExitDeterminism);
            break;
        }
    }
    return code;
}

int worse_exit_code(int a, int b)
{
    constexpr int kWorstFirst[] = {kExitCrash,    kExitDeterminism, kExitOracle,
                                   kExitLiveness, kExitUsage,       kExitExpectation};
    for (int code : kWorstFirst)
        if (a == code || b == code)
            return code;
    return kExitPass;
}

std::string report_text(const Scenario& scenario, const MachineConfig& machine,
                        const RunOptions& options, const WorldResult& result)
{
    std::string out = fmt::format("{}\n  {}\n", scenario.file, scenario.name);
    out += fmt::format("  machine {} ({} CPUs), schedule {}, seed {}, {} us simulated\n",
                       machine.name, machine.cpu_count(),
                       options.schedule == ScheduleKind::Random ? "random" : "ordered",
                       options.seed, us(result.stats.end_ps / (kPsPerUs / kNsPerUs)));
    add_counts(out, result);
    add_samples(out, result);
    add_refused(out, scenario, result);
    for (Failure const& failure : result.failures)
        out += fmt::format("{}: {} failed: {}\n", place(scenario.file, failure.position),
                           failure.oracle, failure.message);
    if (!result.failures.empty())
        out += fmt::format("  again: perfsim run {} --seed {} --schedule {} --log\n", scenario.file,
                           options.seed,
                           options.schedule == ScheduleKind::Random ? "random" : "ordered");
    out += fmt::format("  {}\n", verdict(result));
    return out;
}

} // namespace perfsim
