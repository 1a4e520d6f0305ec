// SPDX-License-Identifier: Apache-2.0
// StackPool: SC_THREADs that serve as stacks of simulated tasks. They are made on demand and never
// killed; exactly one runs at a time and hands the baton to the next. A world that is abandoned
// makes each of its stacks jump back to its base, so code on them keeps no owning locals across a
// HAL point.
#pragma once

#include "core/base/types.hpp"

#include <csetjmp>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

namespace perfsim {

class Stack {
public:
    sc_core::sc_event wake;
    jmp_buf base;
    const char* base_frame = nullptr; ///< stack address of the frame `base` returns to
    /// Runs on this stack; returns the stack that gets the baton, null: the driver.
    std::function<Stack*()> main;
    /// Chooses who goes on after an abandoned main.
    std::function<Stack*()> after_abandon;
    bool busy = false;
};

class StackPool {
public:
    /// A free stack with its main set; it starts when first resumed.
    Stack& acquire(std::function<Stack*()> main, std::function<Stack*()> after_abandon);

    /// Passes the baton to `next` once SystemC time has reached `at_ps`, and waits for it.
    void switch_to(Stack& me, Stack& next, perfcore::u64 at_ps);
    /// Waits until SystemC time has reached `at_ps`, keeping the baton.
    void advance_to(perfcore::u64 at_ps);
    /// Driver: passes the baton to `first` and waits until some stack gives it back.
    void run(Stack& first);
    /// Leaves the current stack for its base; does not return.
    [[noreturn]] void abandon();

    [[nodiscard]] Stack& current() { return *m_current; }
    /// A stack that is still in use, null: none.
    Stack* any_busy();

private:
    void body(Stack& stack);
    void notify(Stack& stack, perfcore::u64 at_ps);

    std::vector<std::unique_ptr<Stack>> m_stacks;
    Stack* m_current = nullptr;
    sc_core::sc_event m_driver;
};

} // namespace perfsim
