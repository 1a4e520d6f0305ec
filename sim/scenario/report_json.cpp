// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/report.hpp"

#include <nlohmann/json.hpp>

namespace perfsim {

namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(FailureKind kind)
{
    switch (kind) {
    case FailureKind::Expectation:
        return "expectation";
    case FailureKind::Oracle:
        return "oracle";
    case FailureKind::Liveness:
        return "liveness";
    case FailureKind::Crash:
        return "crash";
    case FailureKind::Determinism:
        return "determinism";
    }
    return "";
}

std::string hex(const std::vector<perfcore::u8>& bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (perfcore::u8 byte : bytes) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 0xf];
    }
    return text;
}

Json truth_json(const Truth& truth)
{
    return {{"value", truth.value},
            {"enabled_ns", truth.enabled_ns},
            {"running_ns", truth.running_ns},
            {"ideal", truth.ideal}};
}

Json event_json(const EventOutcome& event)
{
    return {{"name", event.name},
            {"id", event.id},
            {"pmu", event.pmu},
            {"state", event.state},
            {"value", event.value},
            {"enabled_ns", event.enabled_ns},
            {"running_ns", event.running_ns},
            {"truth", truth_json(event.truth)},
            {"sample_period", event.sample_period},
            {"samples", event.samples},
            {"lost", event.lost},
            {"missed_events", event.missed_events},
            {"progress", event.progress}};
}

} // namespace

std::string report_json(const Scenario& scenario, const RunOptions& options,
                        const WorldResult& result)
{
    Json events = Json::array();
    for (EventOutcome const& event : result.events)
        events.push_back(event_json(event));
    Json observations = Json::array();
    for (Observation const& observation : result.observations)
        observations.push_back(
            {{"thread", scenario.threads[observation.thread].name},
             {"op", observation.op},
             {"name", observation.name},
             {"handle",
              observation.handle == kNone ? "" : scenario.handles[observation.handle].name},
             {"time_ps", observation.time_ps},
             {"cpu", observation.cpu},
             {"result", observation.result},
             {"bytes", hex(observation.bytes)}});
    Json failures = Json::array();
    for (Failure const& failure : result.failures)
        failures.push_back({{"kind", kind_name(failure.kind)},
                            {"oracle", failure.oracle},
                            {"message", failure.message},
                            {"line", failure.position.line},
                            {"column", failure.position.column}});
    const WorldStats& stats = result.stats;
    const Json report = {
        {"file", scenario.file},
        {"name", scenario.name},
        {"machine", scenario.machine},
        {"schedule", options.schedule == ScheduleKind::Random ? "random" : "ordered"},
        {"seed", options.seed},
        {"exit_code", exit_code_of(result)},
        {"skipped", result.skipped ? Json(result.skip_reason) : Json(nullptr)},
        {"events", events},
        {"failures", failures},
        {"observations", observations},
        {"stats",
         {{"end_ps", stats.end_ps},
          {"hal_calls", stats.hal_calls},
          {"stack_switches", stats.switches},
          {"context_switches", stats.context_switches},
          {"interrupts", stats.interrupts},
          {"remote_retries", stats.remote_retries}}}};
    return report.dump();
}

} // namespace perfsim
