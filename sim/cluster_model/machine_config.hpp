// SPDX-License-Identifier: Apache-2.0
// Description of a simulated machine: what scenarios/machines/NAME.yaml says, checked.
#pragma once

#include "sim/pmu_model/pmu_model.hpp"

#include <string>
#include <vector>

namespace perfsim {

struct ClusterConfig {
    std::string core_type; ///< "cortex-a55"; also the prefix of CPU names, "cortex-a55/0"
    u32 cpus = 0;
    u64 midr = 0;
    std::vector<u64> mpidr; ///< affinity per CPU
    u64 frequency_hz = 0;
    u32 capacity = 1024;
    std::string pmu_name; ///< Linux PMU name, "armv8_cortex_a55"; empty: no PMU node
    bool pmu_interrupt = true;
    bool cycles_in_wfi = false; ///< CPU_CYCLES counts while the core waits for interrupt
    PmuConfig pmu;
};

struct MachineConfig {
    std::string name;
    std::string title;
    std::string source; ///< where the numbers come from
    std::vector<ClusterConfig> clusters;

    u32 cpu_count() const
    {
        u32 count = 0;
        for (ClusterConfig const& cluster : clusters)
            count += cluster.cpus;
        return count;
    }
    /// Index of the cluster that CPU number `cpu` belongs to.
    u32 cluster_of(u32 cpu) const
    {
        for (u32 index = 0; index < clusters.size(); ++index) {
            if (cpu < clusters[index].cpus)
                return index;
            cpu -= clusters[index].cpus;
        }
        return static_cast<u32>(clusters.size());
    }
    /// "cortex-a55/0" for a CPU number.
    std::string cpu_name(u32 cpu) const
    {
        for (ClusterConfig const& cluster : clusters) {
            if (cpu < cluster.cpus)
                return cluster.core_type + "/" + std::to_string(cpu);
            cpu -= cluster.cpus;
        }
        return "cpu?";
    }
};

} // namespace perfsim
