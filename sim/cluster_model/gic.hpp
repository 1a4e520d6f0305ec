// SPDX-License-Identifier: Apache-2.0
// Gic: the interrupt controller's view of one core: a level-sensitive PMU PPI, the timer PPI and
// the software-generated interrupt for cross-CPU calls.
#pragma once

#include "core/base/types.hpp"

namespace perfsim {

inline constexpr perfcore::u32 kPmuIntid = 23;
inline constexpr perfcore::u32 kTimerIntid = 27;
inline constexpr perfcore::u32 kCallIntid = 0;

class Gic {
public:
    void reset() { *this = Gic{}; }

    /// GICR_ISENABLER0 / GICR_ICENABLER0 bit 23.
    void enable_pmu(bool on) { m_pmu_enabled = on; }
    /// The PMU's line as it reaches the controller (after any latency).
    void set_pmu_line(bool high) { m_pmu_line = high; }
    void raise_timer() { m_timer = true; }
    void raise_call() { m_call = true; }

    [[nodiscard]] bool pending() const
    {
        return m_timer || m_call || (m_pmu_enabled && m_pmu_line);
    }
    /// Acknowledges the highest-priority pending interrupt; the PMU's stays pending while its line
    /// is high. Only when pending().
    perfcore::u32 acknowledge()
    {
        if (m_pmu_enabled && m_pmu_line)
            return kPmuIntid;
        if (m_call) {
            m_call = false;
            return kCallIntid;
        }
        m_timer = false;
        return kTimerIntid;
    }

private:
    bool m_pmu_enabled = false;
    bool m_pmu_line = false;
    bool m_timer = false;
    bool m_call = false;
};

} // namespace perfsim
