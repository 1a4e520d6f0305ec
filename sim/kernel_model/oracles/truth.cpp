// SPDX-License-Identifier: Apache-2.0
// Oracle "truth": what read(2) returns is what the machine's books say for the instant at which the
// core took the values. Exact where kernel code costs nothing; with a cost model an event is armed
// and its marks are made some steps apart, so only the count must agree there, and where the
// kernel's own code is counted too, up to what runs between a counter's read and the mark. Oracle
// "times": running never exceeds enabled, and neither goes back.
#include "sim/kernel_model/oracles/oracles.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

using namespace perfcore;

struct ReadValues {
    std::vector<u64> values; ///< of the members, in order; of a single event one
    u64 enabled = 0;
    u64 running = 0;
};

/// Linux perf_read_one, perf_read_group. False: not the bytes of a whole read.
bool decode(const Observation& observation, u64 format, ReadValues& read)
{
    const std::vector<u64> words = observation.words();
    usize at = 0;
    const auto next = [&] { return at < words.size() ? words[at++] : 0; };
    const bool group = (format & PERF_FORMAT_GROUP) != 0;
    const u64 members = group ? next() : 1;
    if (!group)
        read.values.push_back(next());
    if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0)
        read.enabled = next();
    if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0)
        read.running = next();
    for (u64 member = 0; member < members && at <= words.size(); ++member) {
        if (group)
            read.values.push_back(next());
        for (u64 bit : {PERF_FORMAT_ID, PERF_FORMAT_LOST})
            if ((format & bit) != 0)
                next();
    }
    return read.values.size() == members && at == words.size();
}

bool near(u64 a, u64 b, u64 slack)
{
    return (a > b ? a - b : b - a) <= slack;
}

class TruthOracle final : public Observer {
public:
    TruthOracle(WorldView& world, Books& books) : m_world(world), m_books(books) {}

    void on_observation(Observation& observation, TaskView task) override
    {
        if (observation.code != OpCode::Read || observation.result <= 0)
            return;
        const Book* book = m_books.find_handle(observation.handle);
        if (book == nullptr)
            return;
        const u64 format = book->opened.attr.read_format;
        ReadValues read;
        if (!decode(observation, format, read)) {
            m_world.fail(FailureKind::Oracle, "truth",
                         fmt::format("read {} returned {} bytes, which is no read of its format",
                                     observation.name, observation.bytes.size()));
            return;
        }
        const u64 before = m_books.takings_before(task);
        for (Taking const& taking : book->takings) {
            if (taking.number <= before || !agrees(read, taking, format))
                continue;
            observation.truth = taking.members.front().second;
            check_times(observation, read, format);
            return;
        }
        report(observation, *book, read, before);
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
    /// Whether the read is what the machine says for this instant, in every member.
    bool agrees(const ReadValues& read, const Taking& taking, u64 format) const
    {
        if (read.values.size() != taking.members.size())
            return false;
        for (usize i = 0; i < read.values.size(); ++i) {
            const auto& [id, truth] = taking.members[i];
            if (!near(read.values[i], truth.value, m_books.slack(id)))
                return false;
        }
        // The times of a group are its leader's, who is the first.
        const Truth& first = taking.members.front().second;
        return m_world.scenario().kernel.cost_model ||
               (((format & PERF_FORMAT_TOTAL_TIME_ENABLED) == 0 ||
                 read.enabled == first.enabled_ns) &&
                ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) == 0 ||
                 read.running == first.running_ns));
    }

    void report(const Observation& observation, const Book& book, const ReadValues& read,
                u64 before)
    {
        std::string machine = " (the core took no values during this read)";
        if (!book.takings.empty() && book.takings.back().number > before) {
            const Taking& last = book.takings.back();
            const Truth& first = last.members.front().second;
            machine = fmt::format(" value {} enabled {} ns running {} ns", first.value,
                                  first.enabled_ns, first.running_ns);
            for (usize i = 1; i < last.members.size(); ++i)
                machine += fmt::format(", member {} {}", i, last.members[i].second.value);
        }
        std::string returned = fmt::format("value {} enabled {} ns running {} ns", read.values[0],
                                           read.enabled, read.running);
        for (usize i = 1; i < read.values.size(); ++i)
            returned += fmt::format(", member {} {}", i, read.values[i]);
        m_world.fail(FailureKind::Oracle, "truth",
                     fmt::format("read {} of {} returned {}, the machine says{}", observation.name,
                                 m_world.scenario().handles[observation.handle].name, returned,
                                 machine));
    }

    void check_times(const Observation& observation, const ReadValues& read, u64 format)
    {
        constexpr u64 kBoth = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        auto& [enabled, running] = m_before[{observation.handle, observation.thread}];
        // The times of a group read are another event's once the leader has gone.
        const bool group = (format & PERF_FORMAT_GROUP) != 0;
        const bool back = !group && (read.enabled < enabled || read.running < running);
        if (back || ((format & kBoth) == kBoth && read.running > read.enabled))
            m_world.fail(FailureKind::Oracle, "times",
                         fmt::format("read {}: enabled {} running {} ns after {} and {}",
                                     observation.name, read.enabled, read.running, enabled,
                                     running));
        enabled = read.enabled;
        running = read.running;
    }

    WorldView& m_world;
    Books& m_books;
    /// By handle and reader: reads of two threads may return in another order than they were taken.
    std::map<std::pair<u32, u32>, std::pair<u64, u64>> m_before;
};

} // namespace

std::unique_ptr<Observer> make_truth_oracle(WorldView& world, Books& books)
{
    return std::make_unique<TruthOracle>(world, books);
}

} // namespace perfsim
