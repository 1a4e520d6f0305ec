// SPDX-License-Identifier: Apache-2.0
// Oracle "records": what a reader takes from a ring is whole, well-formed records of the event;
// times do not go back; a LOST record names the event and is followed by a sample. Oracle
// "identity": a sample's pid and tid are those of the task the event belongs to, or, for a
// cpu-bound event, of the task that ran on that CPU at that time; its CPU is one of the event's
// PMU; its ip lies in a function of the scenario or in the kernel.
// Oracle "loss": samples and losses seen by readers never exceed what the core claims at the end.
#include "sim/kernel_model/oracles/oracles.hpp"
#include "sim/scenario/records.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfsim {

namespace {

using namespace perfcore;

constexpr u64 kPsPerNs = 1000;
constexpr u64 kKernelBase = 0xffff'0000'0000'0000;

struct Stay {
    u64 from_ns;
    TaskView task;
};

struct Seen {
    u64 samples = 0;
    u64 lost = 0;
    u64 last_time = 0;
};

class RecordOracle final : public Observer {
public:
    RecordOracle(WorldView& world, Books& books) : m_world(world), m_books(books) {}

    void on_switch_in(u32 cpu, TaskView task) override
    {
        m_stays[cpu].push_back({m_world.now_ps() / kPsPerNs, task});
    }

    void on_drained(u64 id, const std::vector<u8>& bytes) override
    {
        const Book* book = m_books.find(id);
        std::string error;
        const std::vector<Record> records = parse_records(bytes, book->opened.attr, error);
        if (!error.empty()) {
            m_world.fail(FailureKind::Oracle, "records", error);
            return;
        }
        Seen& seen = m_seen[id];
        bool after_lost = false;
        for (Record const& record : records) {
            if (record.type == PERF_RECORD_LOST) {
                seen.lost += record.lost;
                if (record.id != id || record.lost == 0 || after_lost)
                    m_world.fail(FailureKind::Oracle, "records",
                                 fmt::format("LOST record of event {}: id {}, lost {}{}", id,
                                             record.id, record.lost,
                                             after_lost ? ", right after another one" : ""));
            } else {
                ++seen.samples;
                check_sample(*book, record, seen);
            }
            after_lost = record.type == PERF_RECORD_LOST;
        }
        if (after_lost)
            m_world.fail(FailureKind::Oracle, "records", "a LOST record stands alone at the end");
    }

    void on_closing(u64 id, const EventFacts& facts, EventOutcome&) override
    {
        const Seen& seen = m_seen[id];
        if (seen.samples > facts.samples || seen.lost > facts.lost)
            m_world.fail(FailureKind::Oracle, "loss",
                         fmt::format("readers of event {} saw {} samples and {} lost, the core "
                                     "claims {} and {}",
                                     id, seen.samples, seen.lost, facts.samples, facts.lost));
    }

private:
    void check_sample(const Book& book, const Record& record, Seen& seen)
    {
        const OpenedEvent& event = book.opened;
        const u64 type = event.attr.sample_type;
        const auto bad = [&](const char* oracle, std::string text) {
            m_world.fail(
                FailureKind::Oracle, oracle,
                fmt::format("sample of event {} at {} ns: {}", event.id, record.time, text));
        };
        if ((type & PERF_SAMPLE_TIME) != 0) {
            if (record.time < seen.last_time)
                bad("records", fmt::format("time goes back from {}", seen.last_time));
            seen.last_time = record.time;
        }
        if (((type & PERF_SAMPLE_ID) != 0 && record.id != event.id) ||
            ((type & PERF_SAMPLE_IDENTIFIER) != 0 && record.identifier != event.id))
            bad("identity", fmt::format("id {} identifier {}", record.id, record.identifier));
        if ((type & PERF_SAMPLE_PERIOD) != 0 && record.period != event.attr.sample_period)
            bad("records", fmt::format("period {}", record.period));
        if ((type & PERF_SAMPLE_CPU) != 0 && !covers(event, record.cpu))
            bad("identity", fmt::format("CPU {} is none of the event's", record.cpu));
        if ((type & PERF_SAMPLE_IP) != 0 && !known_code(record.ip))
            bad("identity", fmt::format("ip {:#x} is in no code", record.ip));
        if ((type & PERF_SAMPLE_TID) != 0 && !right_task(event, record))
            bad("identity", fmt::format("pid {} tid {}", record.pid, record.tid));
    }

    bool covers(const OpenedEvent& event, u32 cpu) const
    {
        const u32 cluster = m_world.machine().cluster_of(cpu);
        return (event.cpu < 0 || event.cpu == static_cast<i32>(cpu)) &&
               std::find(event.clusters.begin(), event.clusters.end(), cluster) !=
                   event.clusters.end();
    }

    bool known_code(u64 ip) const
    {
        if (ip >= kKernelBase)
            return true;
        for (Function const& function : m_world.scenario().functions)
            if (ip >= function.address && ip < function.address + function.size)
                return true;
        return false;
    }

    bool right_task(const OpenedEvent& event, const Record& record)
    {
        const auto is = [&](const TaskView& task) {
            return record.pid == static_cast<u32>(task.pid) &&
                   record.tid == static_cast<u32>(task.tid);
        };
        if (event.target.tid != 0)
            return is(event.target);
        // Without TIME or CPU in the record any task that has run there will do.
        const bool timed = (event.attr.sample_type & PERF_SAMPLE_TIME) != 0;
        const auto& stays = m_stays[static_cast<u32>(event.cpu)];
        for (usize index = 0; index < stays.size(); ++index) {
            const bool last = index + 1 == stays.size();
            const bool then = !timed || (stays[index].from_ns <= record.time &&
                                         (last || record.time <= stays[index + 1].from_ns));
            if (then && is(stays[index].task))
                return true;
        }
        return false;
    }

    WorldView& m_world;
    Books& m_books;
    std::map<u32, std::vector<Stay>> m_stays; ///< by CPU, in order of time
    std::map<u64, Seen> m_seen;               ///< by event id
};

} // namespace

std::unique_ptr<Observer> make_record_oracle(WorldView& world, Books& books)
{
    return std::make_unique<RecordOracle>(world, books);
}

} // namespace perfsim
