// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel_model/oracles/books.hpp"

#include <algorithm>

namespace perfsim {

namespace {

constexpr u64 kPsPerNs = 1000;
constexpr perfcore::usize kTakingsKept = 64;

} // namespace

u64 Books::now_ns() const
{
    return m_world.now_ps() / kPsPerNs;
}

const Book* Books::find(u64 id) const
{
    const auto book = m_books.find(id);
    return book != m_books.end() ? &book->second : nullptr;
}

const Book* Books::find_handle(u32 handle) const
{
    for (auto const& [id, book] : m_books)
        if (book.opened.handle == handle)
            return &book;
    return nullptr;
}

bool Books::target_on_cpu(const Book& book) const
{
    return book.opened.target.tid != 0 ? m_world.cpu_of(book.opened.target.tid) >= 0
                                       : m_world.online(static_cast<u32>(book.opened.cpu));
}

void Books::set_clock(Book& book, bool on_cpu)
{
    const bool on = book.enabled && on_cpu;
    if (on == book.clock_on)
        return;
    if (!on)
        book.enabled_ns += now_ns() - book.clock_since_ns;
    book.clock_on = on;
    book.clock_since_ns = now_ns();
}

void Books::bring_up_to_date(Book& book)
{
    const u64 now = now_ns();
    if (book.clock_on) {
        book.enabled_ns += now - book.clock_since_ns;
        book.clock_since_ns = now;
    }
    if (book.armed) {
        const u64 total = m_world.counter_total(book.armed_cpu, book.armed_counter);
        book.counted += total - book.armed_total;
        book.armed_total = total;
        book.running_ns += now - book.armed_since_ns;
        book.armed_since_ns = now;
    }
}

Truth Books::truth_of(Book& book)
{
    bring_up_to_date(book);
    return {book.counted - book.counted_at_reset, book.enabled_ns, book.running_ns,
            book.ideal - book.ideal_at_reset};
}

Truth Books::truth(u64 id)
{
    const auto book = m_books.find(id);
    return book != m_books.end() ? truth_of(book->second) : Truth{};
}

u64 Books::counted(u64 id)
{
    Book& book = m_books.at(id);
    bring_up_to_date(book);
    return book.counted;
}

u64 Books::slack(u64 id) const
{
    constexpr u64 kReadToMark = 256; // a few HAL calls of the cost model
    const Book* book = find(id);
    const bool kernel =
        book != nullptr && (book->opened.attr.bits & perfcore::kAttrExcludeKernel) == 0;
    return kernel && m_world.scenario().kernel.cost_model ? kReadToMark : 0;
}

// The members of a group are marked one after the other; a member seen again begins the next read.
void Books::take(u64 id, Book& reader)
{
    std::vector<Taking>& takings = reader.takings;
    const auto seen = [id](const auto& member) { return member.first == id; };
    if (takings.empty() ||
        std::any_of(takings.back().members.begin(), takings.back().members.end(), seen)) {
        // Several readers may be under way; each finds its own among the last few.
        if (takings.size() == kTakingsKept)
            takings.erase(takings.begin());
        takings.push_back({++m_takings, {}});
    }
    takings.back().members.emplace_back(id, truth_of(m_books.at(id)));
}

void Books::on_operation(TaskView task)
{
    m_operation_began[task.tid] = m_takings;
}

u64 Books::takings_before(TaskView task) const
{
    const auto began = m_operation_began.find(task.tid);
    return began != m_operation_began.end() ? began->second : 0;
}

void Books::on_opened(const OpenedEvent& opened)
{
    m_books[opened.id].opened = opened;
}

void Books::on_named(u64 id, u32 handle)
{
    m_books[id].opened.handle = handle;
}

void Books::on_mark(u32 cpu, Site site, u64 id, u64 value)
{
    const auto found = m_books.find(id);
    if (found == m_books.end())
        return;
    Book& book = found->second;
    switch (site) {
    case Site::Armed:
        book.armed = true;
        book.armed_cpu = cpu;
        book.armed_counter = static_cast<u32>(value);
        book.armed_total = m_settled[{cpu, book.armed_counter}];
        book.armed_since_ns = now_ns();
        break;
    case Site::Disarmed:
        bring_up_to_date(book);
        book.armed = false;
        m_settled[{book.armed_cpu, book.armed_counter}] = book.armed_total;
        break;
    case Site::Enabled:
        book.enabled = true;
        set_clock(book, target_on_cpu(book));
        break;
    case Site::Disabled:
        book.enabled = false;
        set_clock(book, target_on_cpu(book));
        break;
    case Site::Reset:
        bring_up_to_date(book);
        book.counted_at_reset = book.counted;
        book.ideal_at_reset = book.ideal;
        break;
    case Site::Read:
        if (const auto reader = m_books.find(value); reader != m_books.end())
            take(id, reader->second);
        break;
    case Site::Opened:
    case Site::Freed:
    case Site::Sampled:
    case Site::RemoteRetry:
        break;
    }
}

void Books::on_switch_out(u32, TaskView task)
{
    for (auto& [id, book] : m_books)
        if (task.tid != 0 && book.opened.target.tid == task.tid)
            set_clock(book, false);
}

void Books::on_switch_in(u32, TaskView task)
{
    for (auto& [id, book] : m_books)
        if (task.tid != 0 && book.opened.target.tid == task.tid)
            set_clock(book, true);
}

void Books::on_cpu_online(u32 cpu, bool online)
{
    for (auto& [id, book] : m_books)
        if (book.opened.target.tid == 0 && book.opened.cpu == static_cast<i32>(cpu))
            set_clock(book, online);
}

void Books::on_execute(u32 cpu, TaskView task, const std::function<u64(u32)>& count)
{
    const u32 cluster = m_world.machine().cluster_of(cpu);
    for (auto& [id, book] : m_books) {
        const OpenedEvent& opened = book.opened;
        const bool target = opened.target.tid != 0 ? opened.target.tid == task.tid : true;
        const bool here = opened.cpu < 0 || opened.cpu == static_cast<i32>(cpu);
        const bool covered = std::find(opened.clusters.begin(), opened.clusters.end(), cluster) !=
                             opened.clusters.end();
        if (book.enabled && target && here && covered &&
            (opened.attr.bits & perfcore::kAttrExcludeUser) == 0)
            book.ideal += count(opened.event_number);
    }
}

void Books::on_observation(Observation& observation, TaskView)
{
    for (auto& [id, book] : m_books)
        if (book.opened.handle == observation.handle && observation.handle != kNone)
            observation.truth = truth_of(book);
}

void Books::on_closing(u64 id, const perfcore::EventFacts&, EventOutcome& outcome)
{
    outcome.truth = truth(id);
}

} // namespace perfsim
