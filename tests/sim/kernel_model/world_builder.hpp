// SPDX-License-Identifier: Apache-2.0
// Scenarios written by hand in C++, for tests of the simulated kernel that need no loader.
#pragma once

#include "sim/kernel_model/simulator.hpp"

#include <string>
#include <vector>

namespace perfsim {

inline constexpr u32 kInstRetired = 0x08;
inline constexpr u32 kCpuCycles = 0x11;
inline constexpr u32 kChain = 0x1e;
inline constexpr u64 kUs = 1'000'000;     ///< ps
inline constexpr u64 kMs = 1'000'000'000; ///< ps
inline constexpr const char* kLittle = "armv8_cortex_a55";
inline constexpr const char* kBig = "armv8_cortex_a76";

/// Set by main before any test runs.
extern Simulator* s_simulator;

/// 4 x Cortex-A55 at 1.8 GHz, CPUs 0-3; 4 x Cortex-A76 at 2.4 GHz, CPUs 4-7.
MachineConfig rk3588();
/// `cpus` Cortex-A55 at 1 GHz: one cycle is 1000 ps.
MachineConfig symmetric(u32 cpus);

class WorldBuilder;

/// Appends operations to one thread's program.
class ProgramBuilder {
public:
    ProgramBuilder(WorldBuilder& world, u32 thread) : m_world(world), m_thread(thread) {}

    ProgramBuilder& on(std::vector<u32> cpus);
    ProgramBuilder& run(u64 insn);
    ProgramBuilder& mark(const std::string& name);
    ProgramBuilder& wait(const std::string& name);
    ProgramBuilder& wait_for_ever();
    ProgramBuilder& at(u64 ps);
    ProgramBuilder& sleep(u64 ps);
    ProgramBuilder& yield();
    ProgramBuilder& affinity(std::vector<u32> cpus);
    /// An observation of -EBADF named `name`: a time stamp.
    ProgramBuilder& stamp(const std::string& name);
    /// Opens on a thread by name ("": no task, "self": pid 0).
    ProgramBuilder& open(const std::string& event, const std::string& handle,
                         const std::string& target, i32 cpu = -1);
    /// The same, into the group of a handle.
    ProgramBuilder& open_in_group(const std::string& event, const std::string& handle,
                                  const std::string& leader, u64 flags,
                                  const std::string& target = "self", i32 cpu = -1);
    ProgramBuilder& ioctl(const std::string& handle, u32 command, u64 argument = 0);
    ProgramBuilder& read(const std::string& handle, const std::string& name);
    ProgramBuilder& mmap(const std::string& handle, const std::string& ring, u64 pages);
    ProgramBuilder& munmap(const std::string& ring);
    ProgramBuilder& drain(const std::string& ring, const std::string& name);
    ProgramBuilder& close(const std::string& handle);
    u32 thread() const { return m_thread; }

private:
    Op& add(OpCode code);

    WorldBuilder& m_world;
    u32 m_thread;
};

class WorldBuilder {
public:
    /// One function, one instruction per cycle on every core type.
    WorldBuilder();

    ProgramBuilder process(const std::string& thread);
    /// One more thread of the process `of` leads.
    ProgramBuilder thread(const std::string& name, const ProgramBuilder& of);
    /// An event of a PMU; counts user code only.
    perfcore::PerfEventAttr& event(const std::string& name, const std::string& pmu, u64 config);
    void fault(Fault fault) { scenario.faults.push_back(fault); }
    u32 mark(const std::string& name);
    u32 handle(const std::string& name);
    u32 ring(const std::string& name, u32 handle);
    u32 thread_index(const std::string& name) const;
    u32 event_index(const std::string& name) const;

    WorldResult run(const MachineConfig& machine, const RunOptions& options = {}) const;

    Scenario scenario;
};

const Observation& find(const WorldResult& result, const std::string& name);
/// What failed, for messages of assertions; empty: nothing.
std::string failures(const WorldResult& result);
const EventOutcome& outcome(const WorldResult& result, const std::string& handle);

} // namespace perfsim
