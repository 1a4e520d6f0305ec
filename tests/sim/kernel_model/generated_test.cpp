// SPDX-License-Identifier: Apache-2.0
// Generated scenarios: whatever threads do to events, in whatever order and under whatever faults,
// an operation succeeds or names its errno, and every oracle holds. A failure names the seed, which
// makes the same scenario and the same schedule again.
#include "tests/sim/kernel_model/world_builder.hpp"

#include "sim/kernel_model/random.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace perfsim {
namespace {

using namespace perfcore;

constexpr u32 kCpus = 8; // rk3588
constexpr const char* kNotOpened = "none";

class Generator {
public:
    explicit Generator(u64 seed) : m_random(seed, kStream)
    {
        m_world.scenario.kernel.hz = m_random.one_in(2) ? 250 : 20'000;
        m_world.scenario.kernel.cost_model = m_random.one_in(4);
        m_world.scenario.kernel.mux_ms = 1;
        m_scale = m_random.one_in(4) ? 60 : 1;
        make_events();
        const u32 threads = 2 + below(5);
        for (u32 index = 0; index < threads; ++index) {
            const std::string name = "t" + std::to_string(index);
            if (index == 0 || m_random.one_in(2))
                m_threads.push_back(m_world.process(name));
            else
                m_threads.push_back(m_world.thread(name, m_threads[below(index)]));
            m_threads.back().on(cpus());
        }
        for (ProgramBuilder& thread : m_threads) {
            const u32 operations = 5 + below(20);
            for (u32 n = 0; n < operations; ++n)
                add_operation(thread);
            if (m_random.one_in(6))
                thread.wait_for_ever();
        }
        make_faults();
    }

    const WorldBuilder& world() const { return m_world; }

    /// rk3588, often with fewer counters, so that events must share them.
    MachineConfig machine()
    {
        MachineConfig machine = rk3588();
        for (ClusterConfig& cluster : machine.clusters)
            if (m_random.one_in(2))
                cluster.pmu.counters = 1 + below(4);
        return machine;
    }

    bool joins(const Observation& open) const
    {
        return m_world.scenario.threads[open.thread].run[open.op].group >= 0;
    }

    ScheduleKind schedule()
    {
        return m_random.one_in(4) ? ScheduleKind::Ordered : ScheduleKind::Random;
    }

private:
    /// An event that a later open may join.
    struct Opened {
        std::string event;
        std::string handle;
        std::string target;
        i32 cpu;
    };

    static constexpr u64 kStream = 77;
    static constexpr u32 kEvents = 7;

    u32 below(u64 bound) { return static_cast<u32>(m_random.below(bound)); }

    std::vector<u32> cpus()
    {
        std::vector<u32> some;
        for (u32 cpu = 0; cpu < kCpus; ++cpu)
            if (m_random.one_in(3))
                some.push_back(cpu);
        if (some.empty())
            some.push_back(below(kCpus));
        return some;
    }

    void make_events()
    {
        auto& little = m_world.event("e0", kLittle, kInstRetired);
        little.sample_period = m_scale * (1000 + below(9000));
        little.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
        if (m_random.one_in(2))
            little.bits |= kAttrDisabled;
        auto& big = m_world.event("e1", kBig, kCpuCycles);
        big.sample_period = m_scale * (500 + below(20'000));
        big.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_ID | PERF_SAMPLE_TIME;
        big.bits |= kAttrSampleIdAll;
        auto& cycles = m_world.event("e2", kLittle, kCpuCycles);
        cycles.config1 = m_random.below(2) * kConfig1Long;
        cycles.read_format |= PERF_FORMAT_GROUP;
        auto& all = m_world.event("e3", kBig, kInstRetired);
        if (m_random.one_in(2))
            all.bits = 0;
        all.read_format = m_random.below(PERF_FORMAT_MAX);
        auto& generic = m_world.event("e4", "", 0);
        generic.type = PERF_TYPE_HARDWARE;
        generic.config = m_random.below(2);
        generic.config1 = m_random.below(2) * kConfig1Long;
        generic.read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST;
        constexpr u64 kRanks[] = {0, 0, kAttrPinned, kAttrExclusive, kAttrDisabled};
        for (const char* name : {"e5", "e6"}) {
            auto& ranked = m_world.event(name, m_random.one_in(2) ? kLittle : kBig, kInstRetired);
            ranked.bits |= kRanks[below(5)];
            ranked.read_format = m_random.below(PERF_FORMAT_MAX);
        }
    }

    /// For a task, a CPU or both.
    Opened open_somewhere(const std::string& event, const std::string& handle)
    {
        Opened open{event, handle, "", -1};
        if (m_random.one_in(4)) {
            open.cpu = static_cast<i32>(below(kCpus));
            return open;
        }
        open.target = m_random.one_in(3) ? "self" : "t" + std::to_string(below(m_threads.size()));
        if (m_random.one_in(5))
            open.cpu = static_cast<i32>(below(kCpus));
        return open;
    }

    void add_open(ProgramBuilder& thread)
    {
        const std::string handle = "h" + std::to_string(m_handles.size());
        const std::string event = "e" + std::to_string(below(kEvents));
        m_handles.push_back(handle);
        if (!m_opened.empty() && m_random.one_in(2)) {
            // Mostly opened as the leader was, so that most of them may join.
            const Opened& leader = m_opened[below(m_opened.size())];
            const std::string& sibling = m_random.one_in(6) ? event : leader.event;
            thread.open_in_group(sibling, handle, leader.handle, 0, leader.target, leader.cpu);
            return;
        }
        const Opened open = open_somewhere(event, handle);
        thread.open(event, handle, open.target, open.cpu);
        // "self" is somebody else in another thread.
        if (open.target != "self")
            m_opened.push_back(open);
    }

    void add_ring_operation(ProgramBuilder& thread, const std::string& handle)
    {
        if (m_rings.empty() || m_random.one_in(2)) {
            if (handle == kNotOpened)
                return;
            m_rings.push_back("ring" + std::to_string(m_rings.size()));
            thread.mmap(handle, m_rings.back(), u64{1} << below(3));
            return;
        }
        const std::string ring = m_rings[below(m_rings.size())];
        if (m_random.one_in(3))
            thread.munmap(ring);
        else
            thread.drain(ring, "");
    }

    void add_operation(ProgramBuilder& thread)
    {
        const std::string handle =
            m_handles.empty() ? kNotOpened : m_handles[below(m_handles.size())];
        switch (below(13)) {
        case 0:
        case 1:
            return add_open(thread);
        case 2:
        case 3:
            return void(thread.run(1 + below(30'000 * m_scale)));
        case 4:
            return void(thread.run(1 + below(200)));
        case 5:
            return void(thread.affinity(cpus()));
        case 6:
            return void(thread.sleep(1 + m_random.below(5 * kUs)));
        case 7:
            return void(thread.yield());
        case 8:
        case 9:
            return add_ring_operation(thread, handle);
        case 10: {
            constexpr u32 kCommands[] = {PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE,
                                         PERF_EVENT_IOC_RESET, PERF_EVENT_IOC_ID,
                                         PERF_EVENT_IOC_PERIOD};
            const u32 command = kCommands[below(5)];
            const u64 argument = command == PERF_EVENT_IOC_PERIOD
                                     ? m_scale * (500 + m_random.below(9000))
                                     : m_random.below(2) * PERF_IOC_FLAG_GROUP;
            return void(thread.ioctl(handle, command, argument));
        }
        case 11:
            if (m_random.one_in(2))
                return void(thread.close(handle));
            [[fallthrough]];
        default:
            return void(thread.read(handle, ""));
        }
    }

    void make_faults()
    {
        constexpr u64 kOneIn = 3;
        Fault fault;
        if (m_random.one_in(kOneIn)) {
            fault.kind = FaultKind::CpuOff;
            fault.cpu = 1 + below(kCpus - 1);
            fault.has_time = true;
            fault.time_ps = m_random.below(60 * kUs);
            m_world.fault(fault);
        }
        fault = {};
        if (m_random.one_in(kOneIn)) {
            fault.time_ps = m_random.below(5 * kUs);
            m_world.fault(fault); // IpiDelay, every CPU
        }
        if (m_random.one_in(kOneIn)) {
            fault.kind = FaultKind::PmuIrqLatency;
            fault.time_ps = m_random.below(3 * kUs);
            m_world.fault(fault);
        }
        if (m_random.one_in(kOneIn)) {
            fault.kind = FaultKind::AllocFail;
            fault.nth = 1 + below(20);
            m_world.fault(fault);
        }
    }

    Random m_random;
    WorldBuilder m_world;
    u64 m_scale = 1; ///< long worlds rotate
    std::vector<Opened> m_opened;
    std::vector<ProgramBuilder> m_threads;
    std::vector<std::string> m_handles;
    std::vector<std::string> m_rings;
};

/// How many worlds: PERFCORE_SEEDS, for a longer search than a test run does.
u64 seeds()
{
    const char* asked = std::getenv("PERFCORE_SEEDS");
    const u64 count = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 0;
    return count != 0 ? count : 10'000;
}

TEST(Generated, EveryScenarioPassesEveryOracle)
{
    const u64 count = seeds();
    u64 operations = 0;
    u64 samples = 0;
    u64 retries = 0;
    u64 shared = 0;
    u64 joined = 0;
    for (u64 seed = 0; seed < count; ++seed) {
        Generator generator(seed);
        RunOptions options;
        options.seed = seed;
        options.schedule = generator.schedule();
        options.step_limit = 2'000'000;
        const WorldResult result = generator.world().run(generator.machine(), options);
        ASSERT_EQ(failures(result), "") << "seed " << seed;
        for (const EventOutcome& event : result.events) {
            samples += event.samples;
            shared += event.running_ns < event.enabled_ns;
        }
        for (const Observation& observation : result.observations)
            joined += observation.code == OpCode::Open && observation.result >= 0 &&
                      generator.joins(observation);
        operations += result.observations.size();
        retries += result.stats.remote_retries;
    }
    // The generator must reach what it is for.
    EXPECT_GT(operations, count * 10);
    EXPECT_GT(samples, count / 10);
    EXPECT_GT(shared, count / 4);
    EXPECT_GT(joined, count / 4);
    EXPECT_GT(retries, 0u);
}

} // namespace
} // namespace perfsim
