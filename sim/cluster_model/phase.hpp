// SPDX-License-Identifier: Apache-2.0
// Phase: a stretch of user code as a function from instructions done to events and instants.
//
// Position k is the number of instructions done. On a core type with num/den cycles per
// instruction, event e has happened floor(k * rate(e)) times at k, and k is reached at
// anchor + ceil(k * num * 10^12 / (den * frequency)) ps. A count is a difference of that function,
// so splitting a phase anywhere changes nothing, and an overflow's position can be computed. An
// asynchronous interrupt is taken at an instruction boundary, as on hardware.
#pragma once

#include "sim/scenario/model.hpp"

namespace perfsim {

class Phase {
public:
    /// Nothing to run.
    Phase() = default;
    Phase(const Function& function, u64 instructions);

    /// The CPU of this core type begins or resumes the phase at an instant.
    void resume(const ClusterConfig& cluster, u64 now_ps);

    [[nodiscard]] bool finished() const { return m_done >= m_total; }
    [[nodiscard]] u64 done() const { return m_done; }
    [[nodiscard]] u64 total() const { return m_total; }
    [[nodiscard]] const Function* function() const { return m_function; }

    /// Instant at which position k is reached.
    [[nodiscard]] u64 instant(u64 k) const;
    /// Last position reached at or before an instant, not beyond the end.
    [[nodiscard]] u64 position_at(u64 ps) const;
    /// First position reached at or after an instant, not before what is done.
    [[nodiscard]] u64 boundary_at(u64 ps) const;
    /// Events of a number between the positions done and k.
    [[nodiscard]] u64 events_until(u32 event, u64 k) const;
    /// Position at which n more events have happened; kNever if not within the phase.
    [[nodiscard]] u64 position_after(u32 event, u64 n) const;
    /// Moves the position done.
    void advance_to(u64 k) { m_done = k; }
    /// User address of the instruction about to execute.
    [[nodiscard]] u64 pc() const;

private:
    [[nodiscard]] Ratio rate(u32 event) const;
    [[nodiscard]] __int128 ps_for(u64 k) const;

    const Function* m_function = nullptr;
    u64 m_total = 0;
    u64 m_done = 0;
    Ratio m_cpi;
    u64 m_frequency = 1;
    __int128 m_anchor = 0;
};

} // namespace perfsim
