// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/expect.hpp"
#include "sim/scenario/expect_parse.hpp"
#include "sim/scenario/records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfsim {

namespace {

using i128 = __int128;
using namespace perfcore;

const std::vector<std::string> kReadFields = {"value", "enabled", "running", "id", "lost",
                                              "ret",   "errno",   "time",    "nr"};
const std::vector<std::string> kEventFields = {
    "value",    "enabled", "running",      "samples", "lost", "missed_events",
    "progress", "id",      "armed_events", "state",   "ret",  "errno"};
const std::vector<std::string> kDrainFields = {"sample", "lost", "bytes", "ret", "errno"};
const std::vector<std::string> kSampleFields = {"count", "ip",  "pid",    "tid",
                                                "time",  "cpu", "period", "id"};
const std::vector<std::string> kThreadFields = {"pid", "tid"};
const std::vector<std::string> kResultFields = {"ret", "errno"};
const std::vector<std::string> kTruthFields = {"value", "enabled", "running"};
const std::vector<std::string> kFunctions = {"truth", "ideal"};

/// What a name in an expectation is.
enum class NameKind { Unknown, Read, Drain, Handle, Ring, Ioctl, Thread };

struct NameInfo {
    NameKind kind = NameKind::Unknown;
    u32 index = kNone; ///< thread or handle
};

NameInfo look_up(const Scenario& scenario, const std::string& name)
{
    for (u32 handle = 0; handle < scenario.handles.size(); ++handle)
        if (scenario.handles[handle].name == name)
            return {NameKind::Handle, handle};
    for (RingName const& ring : scenario.rings)
        if (ring.name == name)
            return {NameKind::Ring, ring.handle};
    for (Thread const& thread : scenario.threads)
        for (Op const& op : thread.run) {
            if (op.as != name || op.as.empty())
                continue;
            if (op.code == OpCode::Read)
                return {NameKind::Read, op.handle};
            if (op.code == OpCode::Drain)
                return {NameKind::Drain, op.ring != kNone ? scenario.rings[op.ring].handle : kNone};
            if (op.code == OpCode::Ioctl)
                return {NameKind::Ioctl, op.handle};
        }
    for (u32 thread = 0; thread < scenario.threads.size(); ++thread)
        if (scenario.threads[thread].name == name)
            return {NameKind::Thread, thread};
    return {};
}

std::vector<std::string> known_names(const Scenario& scenario)
{
    std::vector<std::string> names;
    for (Handle const& handle : scenario.handles)
        names.push_back(handle.name);
    for (RingName const& ring : scenario.rings)
        names.push_back(ring.name);
    for (Thread const& thread : scenario.threads) {
        names.push_back(thread.name);
        for (Op const& op : thread.run)
            if (!op.as.empty() && std::find(names.begin(), names.end(), op.as) == names.end())
                names.push_back(op.as);
    }
    return names;
}

const std::vector<std::string>& fields_of(NameKind kind)
{
    switch (kind) {
    case NameKind::Read:
        return kReadFields;
    case NameKind::Drain:
        return kDrainFields;
    case NameKind::Handle:
        return kEventFields;
    case NameKind::Thread:
        return kThreadFields;
    default:
        return kResultFields;
    }
}

bool contains(const std::vector<std::string>& list, const std::string& word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::string check_operand(const Operand& operand, const Scenario& scenario)
{
    if (operand.literal)
        return "";
    const std::string& name = operand.path[0];
    const NameInfo info = look_up(scenario, name);
    if (info.kind == NameKind::Unknown)
        return fmt::format("unknown name '{}'{}", name, suggestion(name, known_names(scenario)));
    if (!operand.function.empty() && !contains(kFunctions, operand.function))
        return fmt::format("unknown function '{}'{}", operand.function,
                           suggestion(operand.function, kFunctions));
    if (!operand.function.empty() && info.kind != NameKind::Handle)
        return fmt::format("{}() takes an event descriptor, which '{}' is not", operand.function,
                           name);
    const auto& fields = operand.function.empty() ? fields_of(info.kind) : kTruthFields;
    const std::string field = operand.path.size() > 1 ? operand.path[1] : "";
    if (!contains(fields, field))
        return fmt::format("'{}' has no field '{}'{}", name, field, suggestion(field, fields));
    if (operand.function == "ideal" && field != "value")
        return "ideal() has only a value";
    const bool sample = info.kind == NameKind::Drain && field == "sample";
    const bool lost = info.kind == NameKind::Drain && field == "lost";
    if (sample && (operand.path.size() != 3 || !contains(kSampleFields, operand.path[2])))
        return fmt::format(
            "'{}.sample' needs one field{}", name,
            suggestion(operand.path.size() > 2 ? operand.path[2] : "", kSampleFields));
    if (lost && operand.path.size() == 3 && operand.path[2] == "count")
        return "";
    if (!sample && operand.path.size() != 2)
        return fmt::format("'{}.{}' has no fields", name, field);
    return "";
}

/// Looks values up in the observations of one run.
class Values {
public:
    Values(const Scenario& scenario, const WorldResult& result)
        : m_scenario(scenario), m_result(result)
    {
    }

    /// other: the opposite operand, which may fix the instant of truth().
    std::vector<i128> of(const Operand& operand, const Operand& other) const
    {
        if (operand.literal)
            return {operand.value};
        const NameInfo info = look_up(m_scenario, operand.path[0]);
        const std::string& field = operand.path[1];
        if (!operand.function.empty())
            return truth(operand, info.index, other);
        switch (info.kind) {
        case NameKind::Thread:
            return {thread_field(info.index, field)};
        case NameKind::Handle:
            return handle_field(info.index, field);
        case NameKind::Read:
            return read_field(operand.path[0], field);
        case NameKind::Drain:
            return drain_field(operand, info.index);
        default:
            return result_field(last(operand.path[0]), field);
        }
    }

private:
    const Observation* last(const std::string& name) const
    {
        const Observation* found = nullptr;
        for (Observation const& observation : m_result.observations)
            if (observation.name == name)
                found = &observation;
        return found;
    }

    static std::vector<i128> result_field(const Observation* observation, const std::string& field)
    {
        if (observation == nullptr)
            return {};
        if (field == "ret")
            return {observation->result};
        return {observation->result < 0 ? -observation->result : 0};
    }

    // Thread i of process p has tid 100 * (p + 1) + i, see the kernel model.
    i128 thread_field(u32 index, const std::string& field) const
    {
        const Thread& thread = m_scenario.threads[index];
        const auto& threads = m_scenario.processes[thread.process].threads;
        const auto at = std::find(threads.begin(), threads.end(), index) - threads.begin();
        const i128 pid = 100 * (static_cast<i128>(thread.process) + 1);
        return field == "pid" ? pid : pid + at;
    }

    const EventOutcome* outcome(u32 handle) const
    {
        for (EventOutcome const& event : m_result.events)
            if (event.handle == handle)
                return &event;
        return nullptr;
    }

    std::vector<i128> handle_field(u32 handle, const std::string& field) const
    {
        if (field == "ret" || field == "errno") {
            for (Observation const& observation : m_result.observations)
                if (observation.code == OpCode::Open && observation.handle == handle)
                    return result_field(&observation, field);
            return {};
        }
        const EventOutcome* event = outcome(handle);
        if (event == nullptr)
            return {};
        const std::pair<const char*, i128> fields[] = {
            {"value", event->value},
            {"enabled", event->enabled_ns},
            {"running", event->running_ns},
            {"samples", event->samples},
            {"lost", event->lost},
            {"missed_events", event->missed_events},
            {"progress", event->progress},
            {"id", event->id},
            {"armed_events", event->armed_events},
            {"state", event->state},
        };
        for (auto const& [name, value] : fields)
            if (field == name)
                return {value};
        return {};
    }

    std::vector<i128> read_field(const std::string& name, const std::string& field) const
    {
        const Observation* observation = last(name);
        if (observation == nullptr || field == "ret" || field == "errno")
            return result_field(observation, field);
        if (field == "time")
            return {observation->time_ps / 1000};
        const u32 event = m_scenario.handles[observation->handle].event;
        const u64 format = event != kNone ? m_scenario.events[event].attr.read_format : 0;
        const std::vector<u64> words = observation->words();
        const bool group = (format & PERF_FORMAT_GROUP) != 0;
        usize at = 0;
        std::vector<i128> found;
        const auto take = [&](const char* word, bool present) {
            if (!present || at >= words.size())
                return;
            if (field == word)
                found.push_back(words[at]);
            ++at;
        };
        take(group ? "nr" : "value", true);
        take("enabled", (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0);
        take("running", (format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0);
        // Of a group: the values of all members.
        do {
            take("value", group);
            take("id", (format & PERF_FORMAT_ID) != 0);
            take("lost", (format & PERF_FORMAT_LOST) != 0);
        } while (group && at < words.size());
        return found;
    }

    std::vector<i128> drain_field(const Operand& operand, u32 handle) const
    {
        const std::string& field = operand.path[1];
        const PerfEventAttr attr = m_scenario.events[m_scenario.handles[handle].event].attr;
        std::vector<Record> records;
        i128 bytes = 0;
        const Observation* newest = nullptr;
        for (Observation const& observation : m_result.observations) {
            if (observation.name != operand.path[0] || observation.code != OpCode::Drain)
                continue;
            newest = &observation;
            bytes += static_cast<i128>(observation.bytes.size());
            std::string error;
            const auto more = parse_records(observation.bytes, attr, error);
            records.insert(records.end(), more.begin(), more.end());
        }
        if (newest == nullptr || field == "ret" || field == "errno")
            return result_field(newest, field);
        if (field == "bytes")
            return {bytes};
        if (field == "lost")
            return {lost_field(records, operand.path.size() == 3)};
        return sample_field(records, operand.path[2]);
    }

    static i128 lost_field(const std::vector<Record>& records, bool count)
    {
        i128 total = 0;
        for (Record const& record : records)
            if (record.type == PERF_RECORD_LOST)
                total += count ? 1 : static_cast<i128>(record.lost);
        return total;
    }

    static std::vector<i128> sample_field(const std::vector<Record>& records,
                                          const std::string& field)
    {
        std::vector<i128> values;
        for (Record const& record : records) {
            if (record.type != PERF_RECORD_SAMPLE)
                continue;
            const std::pair<const char*, i128> fields[] = {
                {"count", 1},
                {"ip", record.ip},
                {"pid", record.pid},
                {"tid", record.tid},
                {"time", record.time},
                {"cpu", record.cpu},
                {"period", record.period},
                {"id", record.id != 0 ? record.id : record.identifier},
            };
            for (auto const& [name, value] : fields)
                if (field == name)
                    values.push_back(value);
        }
        if (field == "count")
            return {static_cast<i128>(values.size())};
        return values;
    }

    std::vector<i128> truth(const Operand& operand, u32 handle, const Operand& other) const
    {
        const Truth* at = nullptr;
        if (const EventOutcome* event = outcome(handle))
            at = &event->truth;
        // Against a read of the same event: the truth of that instant.
        if (!other.literal && other.function.empty()) {
            const Observation* observation = last(other.path[0]);
            if (observation != nullptr && observation->code == OpCode::Read &&
                observation->handle == handle)
                at = &observation->truth;
        }
        if (at == nullptr)
            return {};
        if (operand.function == "ideal")
            return {at->ideal};
        const std::string& field = operand.path[1];
        return {field == "value"     ? at->value
                : field == "enabled" ? at->enabled_ns
                                     : at->running_ns};
    }

    const Scenario& m_scenario;
    const WorldResult& m_result;
};

bool holds(const Relation& relation, i128 left, i128 right)
{
    if (relation.within) {
        const i128 distance = left > right ? left - right : right - left;
        const i128 size = right < 0 ? -right : right;
        return distance * 100 <= size * static_cast<i128>(relation.within_percent);
    }
    const std::string& op = relation.op;
    if (op == "==")
        return left == right;
    if (op == "!=")
        return left != right;
    if (op == "<")
        return left < right;
    if (op == "<=")
        return left <= right;
    return op == ">" ? left > right : left >= right;
}

std::string shown(const std::vector<i128>& values)
{
    constexpr usize kShown = 5;
    std::vector<std::string> texts;
    for (usize index = 0; index < values.size() && index < kShown; ++index)
        texts.push_back(fmt::format("{}", static_cast<i64>(values[index])));
    return values.empty()
               ? "nothing observed"
               : fmt::format("{}{}", fmt::join(texts, ", "), values.size() > kShown ? ", ..." : "");
}

} // namespace

std::string check_expectation(const std::string& text, const Scenario& scenario)
{
    std::string problem;
    const Relation relation = parse_relation(text, problem);
    if (problem.empty())
        problem = check_operand(relation.left, scenario);
    if (problem.empty())
        problem = check_operand(relation.right, scenario);
    return problem;
}

void evaluate(const Scenario& scenario, WorldResult& result, Scope scope)
{
    for (Expectation const& expectation : scenario.expect) {
        if (expectation.scope > scope)
            continue;
        std::string problem;
        const Relation relation = parse_relation(expectation.text, problem);
        const Values values(scenario, result);
        const std::vector<i128> left = values.of(relation.left, relation.right);
        const std::vector<i128> right = values.of(relation.right, relation.left);
        bool good = !left.empty() && right.size() == 1;
        for (i128 value : left)
            good = good && holds(relation, value, right[0]);
        if (!good)
            result.failures.push_back({FailureKind::Expectation, "expect",
                                       fmt::format("{}: left is {}, right is {}", expectation.text,
                                                   shown(left), shown(right)),
                                       expectation.position});
    }
}

} // namespace perfsim
