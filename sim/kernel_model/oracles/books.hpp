// SPDX-License-Identifier: Apache-2.0
// Books: the ground truth about every event, kept from the machine's own totals.
//
// What an event counted is the difference of PmuModel::total() of its counter between the instants
// it was armed and disarmed, whatever values were written to the counter meanwhile. What it should
// have counted (`ideal`) is what its target executed on CPUs of its PMU while it was enabled. Times
// are differences of the clock the core sees. The books learn when an event was armed, enabled or
// reset from the core's marks, and who ran where from the kernel model.
#pragma once

#include "sim/kernel_model/observer.hpp"

#include <map>

namespace perfsim {

/// Truth at the instant at which the core took the values of one read, of each member in order.
struct Taking {
    u64 number = 0; ///< counts all takings of the world
    std::vector<std::pair<u64, Truth>> members;
};

struct Book {
    OpenedEvent opened;
    bool enabled = false;
    bool clock_on = false; ///< enabled time is running
    u64 clock_since_ns = 0;
    bool armed = false;
    u32 armed_cpu = 0;
    u32 armed_counter = 0;
    u64 armed_total = 0; ///< counter total up to which `counted` is brought
    u64 armed_since_ns = 0;
    u64 counted = 0; ///< while armed, since open
    u64 counted_at_reset = 0;
    u64 enabled_ns = 0;
    u64 running_ns = 0;
    u64 ideal = 0;
    u64 ideal_at_reset = 0;
    std::vector<Taking> takings; ///< of the reads of this event under way, the last few
};

class Books final : public Observer {
public:
    explicit Books(WorldView& world) : m_world(world) {}

    /// Null: unknown id.
    const Book* find(u64 id) const;
    const Book* find_handle(u32 handle) const;
    /// Truth at this instant.
    Truth truth(u64 id);
    /// Takings up to the one with this number were over when the task began its operation.
    u64 takings_before(TaskView task) const;
    /// Events counted since open, at this instant.
    u64 counted(u64 id);
    /// How far the core's count may be from the books'. Zero where kernel code costs nothing or is
    /// not counted; else the kernel's own code between the core's read of a counter and its mark.
    u64 slack(u64 id) const;

    void on_opened(const OpenedEvent& opened) override;
    void on_named(u64 id, u32 handle) override;
    void on_operation(TaskView task) override;
    void on_mark(u32 cpu, Site site, u64 id, u64 value) override;
    void on_switch_out(u32 cpu, TaskView task) override;
    void on_switch_in(u32 cpu, TaskView task) override;
    void on_execute(u32 cpu, TaskView task, const std::function<u64(u32)>& count) override;
    void on_cpu_online(u32 cpu, bool online) override;
    void on_observation(Observation& observation, TaskView task) override;
    void on_closing(u64 id, const perfcore::EventFacts&, EventOutcome& outcome) override;

private:
    u64 now_ns() const;
    void set_clock(Book& book, bool target_on_cpu);
    bool target_on_cpu(const Book& book) const;
    void bring_up_to_date(Book& book);
    Truth truth_of(Book& book);
    void take(u64 id, Book& reader);

    WorldView& m_world;
    std::map<u64, Book> m_books; ///< by event id
    u64 m_takings = 0;
    std::map<i32, u64> m_operation_began; ///< by tid: m_takings then
    /// By CPU and counter: its total when it was last disarmed. A counter nobody has does not
    /// count, so what it counts beyond belongs to its next owner, from the register write on, not
    /// from the mark.
    std::map<std::pair<u32, u32>, u64> m_settled;
};

} // namespace perfsim
