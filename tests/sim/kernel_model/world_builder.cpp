// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/kernel_model/world_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace perfsim {

Simulator* s_simulator = nullptr;

namespace {

ClusterConfig cortex(const char* core_type, u64 midr, u64 hz, u32 cpus, u64 first_affinity)
{
    ClusterConfig cluster;
    cluster.core_type = core_type;
    cluster.cpus = cpus;
    cluster.midr = midr;
    cluster.frequency_hz = hz;
    for (u32 cpu = 0; cpu < cpus; ++cpu)
        cluster.mpidr.push_back((first_affinity + cpu) << 8);
    cluster.pmu_name = core_type == std::string("cortex-a55") ? kLittle : kBig;
    cluster.pmu.pmu_version = 4;
    cluster.pmu.counters = 6;
    cluster.pmu.pmceid0 =
        (u64{1} << kInstRetired) | (u64{1} << kCpuCycles) | (u64{1} << 0x04) | (u64{1} << kChain);
    cluster.pmu.pmceid1 = u64{1} << (0x21 - 0x20);
    return cluster;
}

} // namespace

MachineConfig rk3588()
{
    MachineConfig machine;
    machine.name = "rk3588";
    machine.clusters = {cortex("cortex-a55", 0x412fd050, 1'800'000'000, 4, 0),
                        cortex("cortex-a76", 0x414fd0b1, 2'400'000'000, 4, 4)};
    return machine;
}

MachineConfig symmetric(u32 cpus)
{
    MachineConfig machine;
    machine.name = "symmetric";
    machine.clusters = {cortex("cortex-a55", 0x412fd050, 1'000'000'000, cpus, 0)};
    return machine;
}

Op& ProgramBuilder::add(OpCode code)
{
    std::vector<Op>& run = m_world.scenario.threads[m_thread].run;
    run.emplace_back();
    run.back().code = code;
    return run.back();
}

ProgramBuilder& ProgramBuilder::on(std::vector<u32> cpus)
{
    m_world.scenario.threads[m_thread].cpus = std::move(cpus);
    return *this;
}

ProgramBuilder& ProgramBuilder::run(u64 insn)
{
    Op& op = add(OpCode::Run);
    op.insn = insn;
    op.function = 0;
    return *this;
}

ProgramBuilder& ProgramBuilder::mark(const std::string& name)
{
    add(OpCode::Mark).mark = m_world.mark(name);
    return *this;
}

ProgramBuilder& ProgramBuilder::wait(const std::string& name)
{
    add(OpCode::Wait).mark = m_world.mark(name);
    return *this;
}

ProgramBuilder& ProgramBuilder::wait_for_ever()
{
    add(OpCode::Wait);
    return *this;
}

ProgramBuilder& ProgramBuilder::at(u64 ps)
{
    add(OpCode::At).time_ps = ps;
    return *this;
}

ProgramBuilder& ProgramBuilder::sleep(u64 ps)
{
    add(OpCode::Sleep).time_ps = ps;
    return *this;
}

ProgramBuilder& ProgramBuilder::yield()
{
    add(OpCode::Yield);
    return *this;
}

ProgramBuilder& ProgramBuilder::affinity(std::vector<u32> cpus)
{
    add(OpCode::SetAffinity).cpus = std::move(cpus);
    return *this;
}

ProgramBuilder& ProgramBuilder::stamp(const std::string& name)
{
    Op& op = add(OpCode::Read);
    op.as = name;
    op.handle = m_world.handle("never opened");
    op.size = 8;
    return *this;
}

ProgramBuilder& ProgramBuilder::open(const std::string& event, const std::string& handle,
                                     const std::string& target, i32 cpu)
{
    Op& op = add(OpCode::Open);
    op.as = handle;
    op.event = m_world.event_index(event);
    op.handle = m_world.handle(handle);
    m_world.scenario.handles[op.handle].event = op.event;
    op.cpu = cpu;
    op.target = target.empty()     ? OpenTarget::None
                : target == "self" ? OpenTarget::Self
                                   : OpenTarget::Thread;
    if (op.target == OpenTarget::Thread)
        op.thread = m_world.thread_index(target);
    return *this;
}

ProgramBuilder& ProgramBuilder::open_in_group(const std::string& event, const std::string& handle,
                                              const std::string& leader, u64 flags,
                                              const std::string& target, i32 cpu)
{
    open(event, handle, target, cpu);
    Op& op = m_world.scenario.threads[m_thread].run.back();
    op.group = static_cast<i32>(m_world.handle(leader));
    op.flags = flags;
    return *this;
}

ProgramBuilder& ProgramBuilder::ioctl(const std::string& handle, u32 command, u64 argument)
{
    Op& op = add(OpCode::Ioctl);
    op.handle = m_world.handle(handle);
    op.command = command;
    op.argument = argument;
    return *this;
}

ProgramBuilder& ProgramBuilder::read(const std::string& handle, const std::string& name)
{
    Op& op = add(OpCode::Read);
    op.as = name;
    op.handle = m_world.handle(handle);
    op.size = 4 * perfcore::kPageSize;
    return *this;
}

ProgramBuilder& ProgramBuilder::mmap(const std::string& handle, const std::string& ring, u64 pages)
{
    Op& op = add(OpCode::Mmap);
    op.as = "mmap " + ring;
    op.handle = m_world.handle(handle);
    op.ring = m_world.ring(ring, op.handle);
    op.pages = pages;
    return *this;
}

ProgramBuilder& ProgramBuilder::munmap(const std::string& ring)
{
    add(OpCode::Munmap).ring = m_world.ring(ring, kNone);
    return *this;
}

ProgramBuilder& ProgramBuilder::drain(const std::string& ring, const std::string& name)
{
    Op& op = add(OpCode::Drain);
    op.as = name;
    op.ring = m_world.ring(ring, kNone);
    return *this;
}

ProgramBuilder& ProgramBuilder::close(const std::string& handle)
{
    add(OpCode::Close).handle = m_world.handle(handle);
    return *this;
}

WorldBuilder::WorldBuilder()
{
    scenario.name = "test";
    Function function;
    function.name = "hot";
    function.rates[0x04] = {1, 4};
    function.address = 0x40'1000;
    function.size = 64;
    scenario.functions.push_back(function);
}

ProgramBuilder WorldBuilder::process(const std::string& thread_name)
{
    Process process;
    process.name = thread_name;
    scenario.processes.push_back(process);
    const u32 index = static_cast<u32>(scenario.threads.size());
    scenario.processes.back().threads.push_back(index);
    Thread thread;
    thread.name = thread_name;
    thread.process = static_cast<u32>(scenario.processes.size() - 1);
    scenario.threads.push_back(thread);
    return {*this, index};
}

ProgramBuilder WorldBuilder::thread(const std::string& name, const ProgramBuilder& of)
{
    const u32 index = static_cast<u32>(scenario.threads.size());
    Thread thread;
    thread.name = name;
    thread.process = scenario.threads[of.thread()].process;
    scenario.processes[thread.process].threads.push_back(index);
    scenario.threads.push_back(thread);
    return {*this, index};
}

perfcore::PerfEventAttr& WorldBuilder::event(const std::string& name, const std::string& pmu,
                                             u64 config)
{
    EventSpec spec;
    spec.name = name;
    spec.pmu = pmu;
    spec.attr.size = sizeof spec.attr;
    spec.attr.config = config;
    spec.attr.bits = perfcore::kAttrExcludeKernel;
    spec.attr.read_format =
        perfcore::PERF_FORMAT_TOTAL_TIME_ENABLED | perfcore::PERF_FORMAT_TOTAL_TIME_RUNNING;
    scenario.events.push_back(spec);
    return scenario.events.back().attr;
}

namespace {

template <typename T>
u32 index_of(const std::vector<T>& list, const std::string& name)
{
    for (u32 index = 0; index < list.size(); ++index)
        if (list[index].name == name)
            return index;
    return kNone;
}

} // namespace

u32 WorldBuilder::mark(const std::string& name)
{
    auto found = std::find(scenario.marks.begin(), scenario.marks.end(), name);
    if (found == scenario.marks.end())
        found = scenario.marks.insert(found, name);
    return static_cast<u32>(found - scenario.marks.begin());
}

u32 WorldBuilder::handle(const std::string& name)
{
    u32 index = index_of(scenario.handles, name);
    if (index == kNone) {
        index = static_cast<u32>(scenario.handles.size());
        scenario.handles.push_back({name, kNone});
    }
    return index;
}

u32 WorldBuilder::ring(const std::string& name, u32 of)
{
    u32 index = index_of(scenario.rings, name);
    if (index == kNone) {
        index = static_cast<u32>(scenario.rings.size());
        scenario.rings.push_back({name, of});
    }
    return index;
}

u32 WorldBuilder::thread_index(const std::string& name) const
{
    const u32 index = index_of(scenario.threads, name);
    if (index == kNone)
        throw std::logic_error("no thread " + name);
    return index;
}

u32 WorldBuilder::event_index(const std::string& name) const
{
    const u32 index = index_of(scenario.events, name);
    if (index == kNone)
        throw std::logic_error("no event " + name);
    return index;
}

WorldResult WorldBuilder::run(const MachineConfig& machine, const RunOptions& options) const
{
    return s_simulator->run(machine, scenario, options);
}

const Observation& find(const WorldResult& result, const std::string& name)
{
    for (Observation const& observation : result.observations)
        if (observation.name == name)
            return observation;
    static const Observation none;
    return none;
}

std::string failures(const WorldResult& result)
{
    std::string text;
    for (Failure const& failure : result.failures)
        text += failure.oracle + ": " + failure.message + "\n";
    return text;
}

const EventOutcome& outcome(const WorldResult& result, const std::string& handle)
{
    for (EventOutcome const& event : result.events)
        if (event.name == handle)
            return event;
    static const EventOutcome none;
    return none;
}

} // namespace perfsim
