// SPDX-License-Identifier: Apache-2.0
// Vocabulary of the HAL contract that does not depend on the binding.
#pragma once

#include "core/base/types.hpp"

namespace perfcore {

/// PMUv3 system registers by their Arm ARM names. Indexed event counters and event type registers
/// have functions of their own (Hal::evcntr_read and friends).
enum class PmuReg : u8 {
    PMCR_EL0,
    PMCNTENSET_EL0,
    PMCNTENCLR_EL0,
    PMOVSCLR_EL0,
    PMOVSSET_EL0,
    PMSWINC_EL0,
    PMSELR_EL0,
    PMCEID0_EL0,
    PMCEID1_EL0,
    PMCCNTR_EL0,
    PMCCFILTR_EL0,
    PMUSERENR_EL0,
    PMINTENSET_EL1,
    PMINTENCLR_EL1,
    PMMIR_EL1,
    ID_AA64DFR0_EL1,
};

inline constexpr u32 kMaxCpus = 256;

/// A set of CPU numbers, 0..kMaxCpus-1.
struct CpuMask {
    u64 words[kMaxCpus / 64] = {};

    constexpr void set(u32 cpu) { words[cpu / 64] |= u64{1} << (cpu % 64); }
    constexpr void clear(u32 cpu) { words[cpu / 64] &= ~(u64{1} << (cpu % 64)); }
    [[nodiscard]] constexpr bool test(u32 cpu) const
    {
        return cpu < kMaxCpus && ((words[cpu / 64] >> (cpu % 64)) & 1) != 0;
    }
    [[nodiscard]] constexpr bool empty() const
    {
        for (u64 word : words)
            if (word != 0)
                return false;
        return true;
    }
};

/// What a CPU is; fixed after boot.
struct CpuInfo {
    u64 midr = 0;      ///< MIDR_EL1
    u64 mpidr = 0;     ///< MPIDR_EL1
    i32 pmu_node = -1; ///< index for Hal::pmu_node, -1: no PMU described for this CPU
};

/// Event counters that can count an event, where they are not all alike (Apple's cores).
struct CounterPlacement {
    u16 event = 0;    ///< PMUv3 event number
    u32 counters = 0; ///< bit n: event counter n can count it
};

/// A PMU node of the device tree (or its equivalent): one per kind of core.
struct PmuNode {
    const char* name = nullptr; ///< Linux PMU name, e.g. "armv8_cortex_a55"
    CpuMask cpus;               ///< CPUs it describes
    bool has_interrupt = false; ///< false: counting only, sampling is EOPNOTSUPP
    u32 reserved_counters = 0;  ///< event counters firmware keeps for itself, from the top
    const CounterPlacement* placements = nullptr; ///< events not named can go anywhere
    u32 placement_count = 0;
};

/// Identity of a task, captured without locks. `kernel`/`idle` tasks have no user registers.
struct TaskIds {
    i32 pid = 0; ///< thread-group id
    i32 tid = 0;
    i32 ppid = 0;
    char comm[16] = {};
    bool kernel = false;
    bool idle = false;
    bool exiting = false;
};

/// Registers of an interrupted or trapped context. PSTATE.M[3:2] == 0 means EL0.
struct Frame {
    u64 pc = 0;
    u64 sp = 0;
    u64 pstate = 0;
    u64 x[31] = {}; ///< x[29] = frame pointer, x[30] = link register

    [[nodiscard]] constexpr bool user() const { return (pstate & 0xc) == 0; }
};

enum class CallResult : u8 { Done, Offline };

enum class Capability : u8 { Perfmon, SysAdmin, IpcLock, Kill, PtraceRead };

/// Execution context, for assertions.
struct ExecContext {
    enum class Level : u8 { Process, Atomic, Interrupt };
    Level level = Level::Process;
    bool irqs_on = false;
};

/// Conversion of CNTVCT_EL0 to nanoseconds offered to user space; invalid: none.
struct ClockUser {
    bool valid = false;
    u16 shift = 0;
    u32 mult = 0;
    u64 zero = 0;
};

enum class MemoryOrder : u8 { Relaxed, Acquire, Release, AcquireRelease };

enum class MemoryAttr : u8 { NormalWB };

/// Places in the core that simulation can watch (mark) or disturb (chaos); nothing on hardware.
enum class Site : u16 {
    Opened,      ///< mark(event id, address of the event): it is about to be attached
    Freed,       ///< mark(event id, 0): its memory is about to go
    Read,        ///< mark(event id, 0): its count and times are being taken for a reader
    Armed,       ///< mark(event id, counter index): a counter counts for the event from now on
    Disarmed,    ///< mark(event id, counter index): it no longer does
    Enabled,     ///< mark(event id, 0): the event left OFF; its enabled time may run
    Disabled,    ///< mark(event id, 0): the event went OFF (or ended)
    Reset,       ///< mark(event id, 0): its count is zero at this instant
    Sampled,     ///< mark(event id, data_head behind it; 0: not written): a period ended
    RemoteRetry, ///< mark(event id, attempt): a remote operation found its task gone and retries
};

/// Fixed-size header-only record of a mapping request (struct vm_area_struct's part of it).
struct MapRequest {
    u64 length = 0; ///< bytes
    u64 pgoff = 0;  ///< pages
    bool shared = false;
    bool writable = false;
};

} // namespace perfcore
