// SPDX-License-Identifier: Apache-2.0
// Subsystem: the root of everything, and CpuState: its part on each CPU. There are no globals; the
// kernel keeps the pointer, and one pointer per CPU (Hal::cpu_slot).
#pragma once

#include "core/base/settings.hpp"
#include "core/event/context.hpp"

namespace perfcore::inline PERFCORE_BINDING {

struct CpuState {
    CpuState(Subsystem& subsystem_in, u32 cpu_in) : subsystem(subsystem_in), cpu(cpu_in) {}

    Subsystem& subsystem;
    const u32 cpu;

    /// Non-zero while any task anywhere has events: the one load a context switch costs otherwise.
    Hal::Atomic<u32> hot{0};

    // This CPU, interrupts off.
    bool up = false;              ///< between cpu_up and cpu_down
    const PmuType* pmu = nullptr; ///< its cluster's PMU; null: none
    CounterPool pool;
    bool exclusive = false;          ///< an exclusive group is on: no other goes on
    Hal::Timer mux_timer;            ///< rotates
    bool mux_running = false;        ///< mux_timer is armed
    Context context{nullptr};        ///< cpu-bound events
    Context* task_context = nullptr; ///< the active task context
};

struct Subsystem {
    Settings settings;
    u32 cpu_count = 0;
    CpuState* cpus = nullptr;
    u32 pmu_count = 0;
    PmuType* pmus = nullptr;
    Hal::Atomic<u64> last_id{0};
    Hal::Mutex hot_mutex{"subsystem.hot_mutex"};
    u64 task_events = 0; ///< attached to task contexts; guarded by hot_mutex

    /// P: counts the events attached to task contexts and keeps CpuState::hot of every CPU. Added
    /// before the first is attached, removed after it is detached.
    void add_task_events(u64 count);
    void remove_task_events(u64 count);
};

/// AI: this CPU's part.
inline CpuState& this_cpu()
{
    return *static_cast<CpuState*>(Hal::cpu_slot());
}

} // namespace perfcore::inline PERFCORE_BINDING
