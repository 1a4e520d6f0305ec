// SPDX-License-Identifier: Apache-2.0
// Oracle "ownership": a counter of a CPU counts for one event at a time and an event has one
// counter at a time. Oracle "owner CPU": an event is armed where its task runs (or on its CPU), on
// a CPU of its PMU, and disarmed on the CPU it was armed on.
#include "sim/kernel_model/oracles/oracles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfsim {

namespace {

class OwnershipOracle final : public Observer {
public:
    OwnershipOracle(WorldView& world, Books& books) : m_world(world), m_books(books) {}

    void on_mark(u32 cpu, Site site, u64 id, u64 counter) override
    {
        if (site == Site::Armed)
            armed(cpu, id, static_cast<u32>(counter));
        else if (site == Site::Disarmed)
            disarmed(cpu, id, static_cast<u32>(counter));
    }

    void on_freed(u64 id) override
    {
        if (const auto place = m_place.find(id); place != m_place.end())
            fail("ownership", fmt::format("event {} is freed while counter {} of CPU {} counts for "
                                          "it",
                                          id, place->second.second, place->second.first));
    }

private:
    using Place = std::pair<u32, u32>; // CPU, counter

    void fail(const char* oracle, std::string text)
    {
        m_world.fail(FailureKind::Oracle, oracle, std::move(text));
    }

    void armed(u32 cpu, u64 id, u32 counter)
    {
        const Place place{cpu, counter};
        if (const auto owner = m_owner.find(place); owner != m_owner.end())
            fail("ownership", fmt::format("counter {} of CPU {} is armed for event {} while event "
                                          "{} has it",
                                          counter, cpu, id, owner->second));
        if (m_place.find(id) != m_place.end())
            fail("ownership", fmt::format("event {} is armed twice", id));
        m_owner[place] = id;
        m_place[id] = place;

        const Book* book = m_books.find(id);
        if (book == nullptr)
            return;
        const OpenedEvent& event = book->opened;
        const u32 cluster = m_world.machine().cluster_of(cpu);
        if (std::find(event.clusters.begin(), event.clusters.end(), cluster) ==
            event.clusters.end())
            fail("owner CPU",
                 fmt::format("event {} is armed on CPU {} of another cluster", id, cpu));
        if (event.cpu >= 0 && event.cpu != static_cast<i32>(cpu))
            fail("owner CPU",
                 fmt::format("event {} of CPU {} is armed on CPU {}", id, event.cpu, cpu));
        if (event.target.tid != 0 && m_world.cpu_of(event.target.tid) != static_cast<i32>(cpu))
            fail("owner CPU", fmt::format("event {} is armed on CPU {} while its task is on {}", id,
                                          cpu, m_world.cpu_of(event.target.tid)));
    }

    void disarmed(u32 cpu, u64 id, u32 counter)
    {
        const auto place = m_place.find(id);
        if (place == m_place.end()) {
            fail("ownership", fmt::format("event {} is disarmed but was not armed", id));
            return;
        }
        if (place->second != Place{cpu, counter})
            fail("owner CPU",
                 fmt::format("event {} has counter {} of CPU {} but is disarmed as "
                             "counter {} of CPU {}",
                             id, place->second.second, place->second.first, counter, cpu));
        m_owner.erase(place->second);
        m_place.erase(place);
    }

    WorldView& m_world;
    Books& m_books;
    std::map<Place, u64> m_owner;
    std::map<u64, Place> m_place;
};

} // namespace

std::unique_ptr<Observer> make_ownership_oracle(WorldView& world, Books& books)
{
    return std::make_unique<OwnershipOracle>(world, books);
}

} // namespace perfsim
