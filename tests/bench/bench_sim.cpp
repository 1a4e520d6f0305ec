// SPDX-License-Identifier: Apache-2.0
// Costs of the simulator from 2 to 256 CPUs: HAL calls and baton switches per sample stay the same,
// idle CPUs add nothing; simulated seconds per host second for scale.
#include "sim/kernel_model/simulator.hpp"

#include <benchmark/benchmark.h>
#include <chrono>

namespace perfsim {
namespace {

constexpr u32 kCpusMax = 256;
constexpr u64 kPeriod = 10'000;
constexpr u64 kPsPerSecond = 1'000'000'000'000;
Simulator* s_simulator = nullptr;

MachineConfig machine(u32 cpus)
{
    MachineConfig machine;
    machine.name = "bench";
    ClusterConfig cluster;
    cluster.core_type = "core";
    cluster.cpus = cpus;
    cluster.frequency_hz = 1'000'000'000;
    cluster.pmu_name = "armv8_bench";
    cluster.pmu.pmceid0 = (1u << 0x08) | (1u << 0x11);
    machine.clusters.push_back(cluster);
    return machine;
}

/// One thread samples itself; all other CPUs idle.
Scenario scenario(u64 instructions)
{
    Scenario scenario;
    scenario.name = "bench";
    Function loop;
    loop.name = "loop";
    loop.address = 0x400000;
    loop.size = 64;
    scenario.functions.push_back(loop);
    EventSpec spec;
    spec.name = "ins";
    spec.attr.type = perfcore::PERF_TYPE_RAW;
    spec.attr.size = sizeof spec.attr;
    spec.attr.config = 0x08;
    spec.attr.sample_period = kPeriod;
    spec.attr.sample_type = perfcore::PERF_SAMPLE_IP | perfcore::PERF_SAMPLE_TID;
    scenario.events.push_back(spec);
    scenario.handles.push_back({"e", 0});
    scenario.rings.push_back({"ring", 0});
    scenario.processes.push_back({"p", {0}, true});
    Thread thread;
    thread.name = "t";
    const auto add = [&](OpCode code) -> Op& {
        thread.run.emplace_back();
        thread.run.back().code = code;
        return thread.run.back();
    };
    Op& open = add(OpCode::Open);
    open.event = 0;
    open.handle = 0;
    open.target = OpenTarget::Self;
    Op& map = add(OpCode::Mmap);
    map.handle = 0;
    map.ring = 0;
    map.pages = 256;
    Op& run = add(OpCode::Run);
    run.function = 0;
    run.insn = instructions;
    scenario.threads.push_back(thread);
    return scenario;
}

void per_sample(benchmark::State& state)
{
    const MachineConfig config = machine(static_cast<u32>(state.range(0)));
    const RunOptions options;
    // Two lengths: the difference is what samples cost, without boot and end.
    constexpr u64 kShort = 1'000 * kPeriod;
    constexpr u64 kLong = 21'000 * kPeriod;
    WorldResult little, much;
    double host_seconds = 0;
    for (auto _ : state) {
        little = s_simulator->run(config, scenario(kShort), options);
        const auto start = std::chrono::steady_clock::now();
        much = s_simulator->run(config, scenario(kLong), options);
        host_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    constexpr double kSamples = (kLong - kShort) / kPeriod;
    const auto difference = [](u64 a, u64 b) { return static_cast<double>(a - b) / kSamples; };
    state.counters["hal_calls_per_sample"] =
        difference(much.stats.hal_calls, little.stats.hal_calls);
    state.counters["stack_switches_per_sample"] =
        difference(much.stats.switches, little.stats.switches);
    state.counters["failures"] = static_cast<double>(much.failures.size());
    state.counters["simulated_per_host_second"] =
        static_cast<double>(much.stats.end_ps) / kPsPerSecond / host_seconds;
}
BENCHMARK(per_sample)->RangeMultiplier(2)->Range(2, kCpusMax)->ArgName("cpus")->Iterations(1);

} // namespace
} // namespace perfsim

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    perfsim::simulate(perfsim::kCpusMax, [](perfsim::Simulator& simulator) {
        perfsim::s_simulator = &simulator;
        benchmark::RunSpecifiedBenchmarks();
    });
    return 0;
}

// The SystemC library refers to it; main above is used instead.
extern "C" int sc_main(int, char**)
{
    return 1;
}
