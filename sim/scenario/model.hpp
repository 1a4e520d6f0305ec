// SPDX-License-Identifier: Apache-2.0
// A compiled scenario: names resolved, values checked. Made by the loader, run by a target
// (the simulated kernel; later the agent on real registers), judged by the evaluator.
#pragma once

#include "core/abi/perf_event.hpp"
#include "sim/cluster_model/machine_config.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perfsim {

using perfcore::i32;
using perfcore::i64;

/// Where something stands in a file; line and column count from 1, 0: unknown.
struct Position {
    u32 line = 0;
    u32 column = 0;
};

struct Ratio {
    u64 num = 1;
    u64 den = 1;
};

inline constexpr u32 kNone = ~u32{0};

/// A function of the simulated programs: what running it costs.
struct Function {
    std::string name;
    std::vector<u32> calls;           ///< callees, indices
    std::map<std::string, Ratio> cpi; ///< cycles per instruction by core type
    std::map<u32, Ratio> rates;       ///< other events per instruction, by event number
    u64 address = 0;                  ///< user virtual address of its first instruction
    u64 size = 0;                     ///< bytes; the loop body a sample's ip falls into
};

/// An entry of `events`: an attr with the type still by name, as targets number PMUs themselves.
struct EventSpec {
    std::string name;
    std::string pmu; ///< dynamic PMU name; empty: attr.type holds the number
    perfcore::PerfEventAttr attr;
    Position position;
};

enum class OpCode : perfcore::u8 {
    Run,         ///< execute `insn` instructions in `function`
    Mark,        ///< raise `mark`
    Wait,        ///< wait for `mark`; kNone: for ever
    At,          ///< wait for world time `time_ps`
    Sleep,       ///< sleep for `time_ps`
    Yield,       ///< sched_yield
    SetAffinity, ///< run on `cpus` from now on
    Open,        ///< perf_event_open(event, thread or pid, cpu) into `handle`
    Ioctl,       ///< `command` with `argument` on `handle`
    Read,        ///< read `size` bytes from `handle`
    Mmap,        ///< map 1 + `pages` pages of `handle` as `ring`
    Munmap,      ///< unmap `ring`
    Drain,       ///< take the records of `ring` and move data_tail
    Close,       ///< close `handle`
    Exit,        ///< leave now; reaching the end of the list does the same
};

enum class OpenTarget : perfcore::u8 {
    None,   ///< pid -1
    Self,   ///< pid 0
    Thread, ///< pid of `thread`
    Pid,    ///< literal `pid`
};

struct Op {
    OpCode code = OpCode::Exit;
    Position position;
    std::string as; ///< name of the observation; empty: not named
    u32 function = kNone;
    u64 insn = 0;
    u32 mark = kNone;
    u64 time_ps = 0;
    std::vector<u32> cpus;
    u32 event = kNone; ///< index into Scenario::events
    OpenTarget target = OpenTarget::None;
    u32 thread = kNone;
    i32 pid = -1;
    i32 cpu = -1;
    i32 group = -1; ///< handle of the group leader, -1: none
    u64 flags = 0;
    u32 handle = kNone; ///< index into Scenario::handles
    u32 command = 0;
    u64 argument = 0;
    u64 size = 0;
    u64 pages = 0;
    bool writable = true; ///< mmap with PROT_WRITE
    u32 ring = kNone;     ///< index into Scenario::rings
};

struct Thread {
    std::string name;
    u32 process = 0;
    std::vector<u32> cpus; ///< affinity; empty: all
    std::vector<Op> run;
    Position position;
};

struct Process {
    std::string name;
    std::vector<u32> threads; ///< the first one is the leader (pid == tid)
    bool perfmon = true;      ///< holds CAP_PERFMON
};

struct Handle {
    std::string name;  ///< `as` of the open
    u32 event = kNone; ///< event spec; several opens of one name are refused
};

struct RingName {
    std::string name;
    u32 handle = kNone;
};

enum class FaultKind : perfcore::u8 { IpiDelay, PmuIrqLatency, AllocFail, CpuOff };

struct Fault {
    FaultKind kind = FaultKind::IpiDelay;
    Position position;
    u32 cpu = kNone; ///< kNone: every CPU
    u32 after_mark = kNone;
    u64 time_ps = 0; ///< delay or latency; cpu_off: world time if `at` was given
    bool has_time = false;
    u32 nth = 0; ///< alloc_fail: the nth allocation (from 1) after `after_mark` fails
};

struct KernelConfig {
    u32 hz = 250;
    u32 mux_ms = 4;
    i32 paranoid = 1;
    bool cost_model = false; ///< `cost: model`; default zero: kernel code takes no time
    u64 slice_ps = 0;        ///< time slice; 0: one tick
    u64 time_limit_ps = 60'000'000'000'000; ///< world time at which a liveness failure is declared
};

/// Where an expectation must hold.
enum class Scope : perfcore::u8 {
    Always,     ///< on every target
    Simulation, ///< in the simulator, under any schedule
    Ordered,    ///< in the simulator's ordered schedule, where every instant is known
};

struct Expectation {
    std::string text;
    Scope scope = Scope::Always;
    Position position;
};

struct Needs {
    u32 cpus = 0;
    u32 clusters = 0;
    std::vector<u32> events;
};

struct Scenario {
    std::string file;
    std::string name;
    std::string why;
    std::string machine;
    Needs needs;
    KernelConfig kernel;
    std::vector<Function> functions;
    std::vector<EventSpec> events;
    std::vector<Process> processes;
    std::vector<Thread> threads;
    std::vector<std::string> marks;
    std::vector<Handle> handles;
    std::vector<RingName> rings;
    std::vector<Fault> faults;
    std::vector<Expectation> expect;
};

} // namespace perfsim
