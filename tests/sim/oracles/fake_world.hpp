// SPDX-License-Identifier: Apache-2.0
// A made-up world for the oracles: no machine runs, the test says what happens and when. Two
// clusters of two CPUs each; four threads with ids 100, 101 (one process) and 200, 201, of which
// the last runs function "cold" and the others "hot"; two events by handle.
#pragma once

#include "sim/kernel_model/observer.hpp"

#include <array>
#include <gtest/gtest.h>

namespace perfsim {

inline constexpr u32 kLittle0 = 0;
inline constexpr u32 kLittle1 = 1;
inline constexpr u32 kBig0 = 2;
inline constexpr u32 kBig1 = 3;
inline constexpr u32 kCpus = 4;

class FakeWorld final : public WorldView {
public:
    FakeWorld();

    const MachineConfig& machine() const override { return hardware; }
    const Scenario& scenario() const override { return program; }
    u64 now_ps() const override { return ps; }
    u64 counter_total(u32 cpu, u32 counter) override { return totals[cpu][counter]; }
    const PmuModel& pmu(u32 cpu) override { return pmus[cpu]; }
    TaskView running(u32 cpu) const override { return current[cpu]; }
    i32 cpu_of(i32 tid) const override;
    bool online(u32 cpu) const override { return up[cpu]; }
    void fail(FailureKind kind, std::string oracle, std::string message) override;
    void log(std::string line) override { lines.push_back(std::move(line)); }

    MachineConfig hardware;
    Scenario program;
    u64 ps = 0;
    std::array<std::array<u64, 32>, kCpus> totals{}; ///< what PmuModel::total would say
    std::array<PmuModel, kCpus> pmus;                ///< registers all zero
    std::array<TaskView, kCpus> current;
    std::array<bool, kCpus> up;
    std::vector<Failure> failures;
    std::vector<std::string> lines;
};

TaskView idle_task();
/// The task of a thread of the scenario.
TaskView task(u32 thread);

/// A world under observation: the fake world and the observers a real world would have.
class OracleTest : public ::testing::Test {
protected:
    static constexpr u64 kId = 11;    ///< event of handle 0
    static constexpr u64 kOther = 12; ///< event of handle 1
    static constexpr u32 kCounter = 3;
    static constexpr u64 kPeriod = 1000;
    static constexpr u32 kInstructions = 0x08;

    OracleTest() { start(); }
    /// Observers anew, for tests that change the scenario or want a log.
    void start(bool with_log = false);

    template <typename Call>
    void tell(Call&& call)
    {
        for (auto& observer : m_observers)
            call(*observer);
    }
    void at_ns(u64 ns) { world.ps = ns * 1000; }

    /// Opens an event; its clusters are the little one's unless said. kNone: cpu-bound.
    OpenedEvent event_of(u64 id, u32 handle, u32 thread, i32 cpu = -1,
                         std::vector<u32> clusters = {0}) const;
    void open(const OpenedEvent& event);
    void mark(u32 cpu, Site site, u64 id, u64 value = 0);
    void switch_to(u32 cpu, TaskView next);
    /// User code of the CPU's current task: its counters count, by number, and the step is told.
    void execute(u32 cpu, u64 events, std::initializer_list<u32> counters = {});
    void online(u32 cpu, bool on);
    /// A read by a task: the core takes its values (unless told not to) and returns these words.
    void read(u32 handle, std::vector<u64> words, bool taken = true, TaskView reader = task(2));
    void observe(Observation& observation, TaskView by = task(2));
    /// The event ends with these facts.
    EventOutcome close(const perfcore::EventFacts& facts);
    void hal(HalUse use, ExecContext::Level level, bool irqs_on, u32 cpu = 0,
             TaskView by = task(0));
    void drained(u64 id, const std::vector<perfcore::u8>& bytes);
    void world_end();

    /// Number of failures of an oracle; with none given, of all.
    std::size_t failed(const std::string& oracle = "") const;
    /// All messages, for the explanation of a failed expectation.
    std::string messages() const;

    FakeWorld world;

private:
    std::vector<std::unique_ptr<Observer>> m_observers;
};

} // namespace perfsim
