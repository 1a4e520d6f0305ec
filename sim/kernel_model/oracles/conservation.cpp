// SPDX-License-Identifier: Apache-2.0
// Oracle "conservation":
//   reported_events + missed_events + progress == events counted while armed,
// where reported events are period * (samples + lost) unless the period has been changed; and the
// core's own total of those events is the machine's. Checked when an event ends, on a copy of its
// state taken under the owner rule. A remote operation that retries without end shows here too.
#include "sim/kernel_model/oracles/oracles.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

class ConservationOracle final : public Observer {
public:
    ConservationOracle(WorldView& world, Books& books) : m_world(world), m_books(books) {}

    void on_mark(u32, Site site, u64 id, u64 attempt) override
    {
        constexpr u64 kRetriesMax = 1000;
        if (site == Site::RemoteRetry && attempt > kRetriesMax)
            m_world.fail(
                FailureKind::Liveness, "remote retries",
                fmt::format("an operation on event {} has been retried {} times", id, attempt));
    }

    void on_closing(u64 id, const perfcore::EventFacts& facts, EventOutcome&) override
    {
        const u64 counted = m_books.counted(id);
        if (counted < facts.armed_events || counted - facts.armed_events > m_books.slack(id))
            m_world.fail(FailureKind::Oracle, "conservation",
                         fmt::format("event {} saw {} events while armed, its counters {}", id,
                                     facts.armed_events, counted));
        if (facts.sample_period == 0)
            return;
        const Book* book = m_books.find(id);
        const bool constant =
            book != nullptr && book->opened.attr.sample_period == facts.sample_period;
        const u64 reported =
            constant ? facts.sample_period * (facts.samples + facts.lost) : facts.reported_events;
        const u64 accounted = reported + facts.missed_events + facts.progress;
        if (accounted != facts.armed_events)
            m_world.fail(
                FailureKind::Oracle, "conservation",
                fmt::format("event {}: {} * ({} samples + {} lost) + {} missed + {} in progress = "
                            "{}, but it counted {}",
                            id, facts.sample_period, facts.samples, facts.lost, facts.missed_events,
                            facts.progress, accounted, facts.armed_events));
    }

private:
    WorldView& m_world;
    Books& m_books;
};

} // namespace

std::unique_ptr<Observer> make_conservation_oracle(WorldView& world, Books& books)
{
    return std::make_unique<ConservationOracle>(world, books);
}

} // namespace perfsim
