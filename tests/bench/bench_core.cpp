// SPDX-License-Identifier: Apache-2.0
// Costs of the core as counts of HAL calls, on ScriptedMachine: repeatable on any machine. The one
// thing timed is the writing of records, as a ratio to a memcpy of the same bytes in the same run.
#include "core/ring/ring.hpp"
#include "tests/core/machine.hpp"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstring>

namespace perfsim {
namespace {

void hal_calls_per_sample(benchmark::State& state)
{
    const u64 types[] = {PERF_SAMPLE_IP, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
                         PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                             PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER};
    u64 calls = 0, samples = 0;
    for (auto _ : state) {
        ScriptedMachine m(two_cpus());
        m.boot();
        const i64 fd = m.open(sampling(1000, types[state.range(0)]), 0, -1);
        m.mmap(fd, 64);
        const u64 before = m.hal_calls;
        m.execute(1000 * 1000);
        calls += m.hal_calls - before;
        samples += facts(m.event(fd)).samples;
        m.finish();
    }
    state.counters["hal_calls_per_sample"] =
        static_cast<double>(calls) / static_cast<double>(samples);
}
BENCHMARK(hal_calls_per_sample)->DenseRange(0, 2)->ArgName("sample_type")->Iterations(1);

// range(0): events of the task; range(1): events of other tasks.
void hal_calls_per_switch(benchmark::State& state)
{
    u64 calls = 0;
    for (auto _ : state) {
        ScriptedMachine m(two_cpus());
        m.boot();
        m.files_max = 20'000;
        ScriptedTask& task = m.add_task(200, 200);
        for (int i = 0; i < 100; ++i)
            m.add_task(1000 + i, 1000 + i);
        for (i64 i = 0; i < state.range(1); ++i)
            m.open(counting(), 1000 + static_cast<i32>(i % 100), -1);
        for (i64 i = 0; i < state.range(0); ++i)
            m.open(counting(), 200, -1);
        const u64 before = m.hal_calls;
        m.run_on(1, &task);
        m.run_on(1, nullptr);
        calls = m.hal_calls - before;
        m.finish();
    }
    state.counters["hal_calls_in_and_out"] = static_cast<double>(calls);
}
BENCHMARK(hal_calls_per_switch)
    ->ArgsProduct({{0, 1, 2, 6}, {0, 10'000}})
    ->ArgNames({"own", "elsewhere"})
    ->Iterations(1);

void ring_against_memcpy(benchmark::State& state)
{
    using Clock = std::chrono::steady_clock;
    constexpr u64 kRecords = 200'000;
    double ratio = 0;
    for (auto _ : state) {
        ScriptedMachine m(two_cpus());
        m.boot();
        Ring* ring = Ring::create(64, true);
        const auto start = Clock::now();
        for (u64 i = 0; i < kRecords; ++i) {
            RingWriter writer;
            ring->reserve(writer, 40, 1, nullptr, 0);
            writer.put(record_header(PERF_RECORD_SAMPLE, 2, 40));
            for (u64 word = 0; word < 4; ++word)
                writer.put(word);
            ring->commit(writer);
        }
        const auto middle = Clock::now();
        u8 record[40] = {};
        u8* data = static_cast<u8*>(ring->pages()) + kPageSize;
        for (u64 i = 0; i < kRecords; ++i) {
            std::memcpy(data + i % 6000 * 40, record, sizeof record);
            benchmark::ClobberMemory();
        }
        const auto end = Clock::now();
        ratio = std::chrono::duration<double>(middle - start).count() /
                std::chrono::duration<double>(end - middle).count();
        Ring::destroy(ring);
        m.finish();
    }
    state.counters["ring_to_memcpy"] = ratio;
}
BENCHMARK(ring_against_memcpy)->Iterations(3);

} // namespace
} // namespace perfsim

BENCHMARK_MAIN();
