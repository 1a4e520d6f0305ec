// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/oracles/fake_world.hpp"

#include <algorithm>

namespace perfsim {

namespace {

ClusterConfig cluster(const char* core_type, const char* pmu_name)
{
    ClusterConfig config;
    config.core_type = core_type;
    config.cpus = 2;
    config.frequency_hz = 1'000'000'000;
    config.pmu_name = pmu_name;
    return config;
}

} // namespace

FakeWorld::FakeWorld()
{
    hardware.name = "two-by-two";
    hardware.clusters = {cluster("little", "pmu_little"), cluster("big", "pmu_big")};
    for (const char* name : {"t100", "t101", "t200", "t201"}) {
        Thread thread;
        thread.name = name;
        program.threads.push_back(thread);
    }
    Function hot;
    hot.name = "hot";
    hot.address = 0x40'0000;
    hot.size = 0x100;
    Function cold = hot;
    cold.name = "cold";
    cold.address = 0x50'0000;
    program.functions = {hot, cold};
    for (u32 thread = 0; thread < program.threads.size(); ++thread) {
        Op run;
        run.code = OpCode::Run;
        run.function = thread == 3 ? 1 : 0;
        program.threads[thread].run.push_back(run);
    }
    program.handles = {{"ins", 0}, {"cyc", 1}};
    up.fill(true);
    current.fill(idle_task());
}

i32 FakeWorld::cpu_of(i32 tid) const
{
    for (u32 cpu = 0; cpu < kCpus; ++cpu)
        if (tid != 0 && current[cpu].tid == tid)
            return static_cast<i32>(cpu);
    return -1;
}

void FakeWorld::fail(FailureKind kind, std::string oracle, std::string message)
{
    failures.push_back({kind, std::move(oracle), std::move(message), {}});
}

TaskView idle_task()
{
    TaskView view;
    view.idle = true;
    return view;
}

TaskView task(u32 thread)
{
    constexpr i32 kIds[][2] = {{100, 100}, {100, 101}, {200, 200}, {200, 201}};
    TaskView view;
    view.thread = thread;
    view.pid = kIds[thread][0];
    view.tid = kIds[thread][1];
    return view;
}

void OracleTest::start(bool with_log)
{
    RunOptions options;
    options.log = with_log;
    m_observers = make_observers(world, options);
}

OpenedEvent OracleTest::event_of(u64 id, u32 handle, u32 thread, i32 cpu,
                                 std::vector<u32> clusters) const
{
    OpenedEvent event;
    event.id = id;
    event.handle = handle;
    event.attr.read_format =
        perfcore::PERF_FORMAT_TOTAL_TIME_ENABLED | perfcore::PERF_FORMAT_TOTAL_TIME_RUNNING;
    event.event_number = kInstructions;
    event.clusters = std::move(clusters);
    if (thread != kNone)
        event.target = task(thread);
    event.cpu = cpu;
    return event;
}

void OracleTest::open(const OpenedEvent& event)
{
    tell([&](Observer& o) { o.on_opened(event); });
    tell([&](Observer& o) { o.on_named(event.id, event.handle); });
}

void OracleTest::mark(u32 cpu, Site site, u64 id, u64 value)
{
    tell([&](Observer& o) { o.on_mark(cpu, site, id, value); });
}

void OracleTest::switch_to(u32 cpu, TaskView next)
{
    const TaskView previous = world.current[cpu];
    tell([&](Observer& o) { o.on_switch_out(cpu, previous); });
    world.current[cpu] = next;
    tell([&](Observer& o) { o.on_switch_in(cpu, next); });
}

void OracleTest::execute(u32 cpu, u64 events, std::initializer_list<u32> counters)
{
    for (u32 counter : counters)
        world.totals[cpu][counter] += events;
    const std::function<u64(u32)> count = [events](u32 number) {
        return number == kInstructions ? events : 0;
    };
    tell([&](Observer& o) { o.on_execute(cpu, world.current[cpu], count); });
}

void OracleTest::online(u32 cpu, bool on)
{
    world.up[cpu] = on;
    tell([&](Observer& o) { o.on_cpu_online(cpu, on); });
}

void OracleTest::read(u32 handle, std::vector<u64> words, bool taken, TaskView reader)
{
    tell([&](Observer& o) { o.on_operation(reader); });
    if (taken)
        mark(kLittle0, Site::Read, handle == 0 ? kId : kOther, handle == 0 ? kId : kOther);
    Observation observation;
    observation.code = OpCode::Read;
    observation.handle = handle;
    const auto* first = reinterpret_cast<const perfcore::u8*>(words.data());
    observation.bytes.assign(first, first + words.size() * sizeof(u64));
    observation.result = static_cast<i64>(observation.bytes.size());
    observe(observation, reader);
}

void OracleTest::observe(Observation& observation, TaskView by)
{
    tell([&](Observer& o) { o.on_observation(observation, by); });
}

EventOutcome OracleTest::close(const perfcore::EventFacts& facts)
{
    EventOutcome outcome;
    tell([&](Observer& o) { o.on_closing(facts.id, facts, outcome); });
    return outcome;
}

void OracleTest::hal(HalUse use, ExecContext::Level level, bool irqs_on, u32 cpu, TaskView by)
{
    const ExecContext context{level, irqs_on};
    tell([&](Observer& o) { o.on_hal_use(cpu, by, use, context, "function"); });
}

void OracleTest::drained(u64 id, const std::vector<perfcore::u8>& bytes)
{
    tell([&](Observer& o) { o.on_drained(id, bytes); });
}

void OracleTest::world_end()
{
    tell([](Observer& o) { o.on_world_end(); });
}

std::size_t OracleTest::failed(const std::string& oracle) const
{
    return static_cast<std::size_t>(
        std::count_if(world.failures.begin(), world.failures.end(), [&](Failure const& failure) {
            return oracle.empty() || failure.oracle == oracle;
        }));
}

std::string OracleTest::messages() const
{
    std::string text;
    for (Failure const& failure : world.failures)
        text += failure.oracle + ": " + failure.message + "\n";
    return text;
}

} // namespace perfsim
