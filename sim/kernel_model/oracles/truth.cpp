// SPDX-License-Identifier: Apache-2.0
// Oracle "truth": what read(2) returns is what the machine's books say for the instant at which the
// core took the values. Exact where kernel code costs nothing; with a cost model an event is armed
// and its marks are made some steps apart, so only the count must agree there, and where the
// kernel's own code is counted too, up to what runs between a counter's read and the mark. Oracle
// "times": running never exceeds enabled, and neither goes back.
#include "sim/kernel_model/oracles/oracles.hpp"

#include <fmt/format.h>

#include <cstring>

namespace perfsim {

namespace {

using namespace perfcore;

struct ReadValues {
    u64 value = 0;
    u64 enabled = 0;
    u64 running = 0;
};

bool decode(const Observation& observation, u64 format, ReadValues& values)
{
    std::vector<u64> words(observation.bytes.size() / sizeof(u64));
    std::memcpy(words.data(), observation.bytes.data(), words.size() * sizeof(u64));
    const bool group = (format & PERF_FORMAT_GROUP) != 0;
    usize at = group ? 1 : 0;
    const auto next = [&] { return at < words.size() ? words[at++] : 0; };
    if (!group)
        values.value = next();
    if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0)
        values.enabled = next();
    if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0)
        values.running = next();
    if (group)
        values.value = next();
    return !words.empty();
}

bool near(u64 a, u64 b, u64 slack)
{
    return (a > b ? a - b : b - a) <= slack;
}

class TruthOracle final : public Observer {
public:
    TruthOracle(WorldView& world, Books& books) : m_world(world), m_books(books) {}

    void on_observation(Observation& observation, TaskView) override
    {
        if (observation.code != OpCode::Read || observation.result <= 0)
            return;
        const Book* book = m_books.find_handle(observation.handle);
        ReadValues values;
        if (book == nullptr || !decode(observation, book->opened.attr.read_format, values))
            return;
        const u64 format = book->opened.attr.read_format;
        const bool with_enabled = (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0;
        const bool with_running = (format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0;
        const bool exact = !m_world.scenario().kernel.cost_model;
        const u64 slack = m_books.slack(book->opened.id);
        for (Truth const& truth : book->reads) {
            if (near(values.value, truth.value, slack) &&
                (!exact || !with_enabled || values.enabled == truth.enabled_ns) &&
                (!exact || !with_running || values.running == truth.running_ns)) {
                observation.truth = truth;
                check_times(observation, values, with_enabled && with_running);
                return;
            }
        }
        const Truth last = book->reads.empty() ? Truth{} : book->reads.back();
        m_world.fail(FailureKind::Oracle, "truth",
                     fmt::format("read {} of {} returned value {} enabled {} ns running {} ns, "
                                 "the machine says value {} enabled {} ns running {} ns{}",
                                 observation.name,
                                 m_world.scenario().handles[observation.handle].name, values.value,
                                 values.enabled, values.running, last.value, last.enabled_ns,
                                 last.running_ns,
                                 book->reads.empty() ? " (the core never took its values)" : ""));
    }

    // The last fold before release must agree too: nothing may be lost at the end.
    void on_closing(u64 id, const EventFacts& facts, EventOutcome&) override
    {
        const Truth truth = m_books.truth(id);
        if (!near(facts.count, truth.value, m_books.slack(id)))
            m_world.fail(FailureKind::Oracle, "truth",
                         fmt::format("event {} ends with {} events, the machine says {}", id,
                                     facts.count, truth.value));
        if (!m_world.scenario().kernel.cost_model &&
            (facts.enabled != truth.enabled_ns || facts.running != truth.running_ns))
            m_world.fail(FailureKind::Oracle, "times",
                         fmt::format("event {} ends with enabled {} running {} ns, the machine "
                                     "says {} and {}",
                                     id, facts.enabled, facts.running, truth.enabled_ns,
                                     truth.running_ns));
        if (facts.running > facts.enabled)
            m_world.fail(FailureKind::Oracle, "times",
                         fmt::format("event {}: running {} ns exceeds enabled {} ns", id,
                                     facts.running, facts.enabled));
    }

private:
    void check_times(const Observation& observation, const ReadValues& values, bool both)
    {
        ReadValues& before = m_before[{observation.handle, observation.thread}];
        if (values.enabled < before.enabled || values.running < before.running ||
            (both && values.running > values.enabled))
            m_world.fail(FailureKind::Oracle, "times",
                         fmt::format("read {}: enabled {} running {} ns after {} and {}",
                                     observation.name, values.enabled, values.running,
                                     before.enabled, before.running));
        before = values;
    }

    WorldView& m_world;
    Books& m_books;
    /// By handle and reader: reads of two threads may return in another order than they were taken.
    std::map<std::pair<u32, u32>, ReadValues> m_before;
};

} // namespace

std::unique_ptr<Observer> make_truth_oracle(WorldView& world, Books& books)
{
    return std::make_unique<TruthOracle>(world, books);
}

} // namespace perfsim
