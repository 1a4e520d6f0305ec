// SPDX-License-Identifier: Apache-2.0
// The SystemC hierarchy: Machine > Core. Interrupt lines inside the simulator are direct calls; the
// signals here mirror them for waveforms and for models that connect from outside. Elaborated once
// per process for the largest machine; a smaller machine leaves cores off.
#pragma once

#include "core/base/types.hpp"

#include <memory>
#include <systemc>
#include <vector>

namespace perfsim {

class CoreModule : public sc_core::sc_module {
public:
    explicit CoreModule(sc_core::sc_module_name name)
        : sc_module(name), online("online"), pmu_line("pmu_line"), user("user")
    {
    }

    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> online;
    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> pmu_line;
    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> user; ///< executing at EL0
};

class MachineModule : public sc_core::sc_module {
public:
    MachineModule(sc_core::sc_module_name name, perfcore::u32 cores) : sc_module(name)
    {
        for (perfcore::u32 index = 0; index < cores; ++index)
            m_cores.push_back(
                std::make_unique<CoreModule>(("core" + std::to_string(index)).c_str()));
    }
    CoreModule& core(perfcore::u32 index) { return *m_cores[index]; }
    perfcore::u32 cores() const { return static_cast<perfcore::u32>(m_cores.size()); }

private:
    std::vector<std::unique_ptr<CoreModule>> m_cores;
};

} // namespace perfsim
