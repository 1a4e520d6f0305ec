// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel_model/stack_pool.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace perfsim {

namespace {

using sc_core::sc_time;

constexpr perfcore::u32 kStackBytes = 256 * 1024;

sc_time until(perfcore::u64 at_ps)
{
    const perfcore::u64 now = sc_core::sc_time_stamp().value();
    return sc_time::from_value(at_ps > now ? at_ps - now : 0);
}

} // namespace

Stack& StackPool::acquire(std::function<Stack*()> main, std::function<Stack*()> after_abandon)
{
    Stack* free_stack = nullptr;
    for (auto& stack : m_stacks)
        if (!stack->busy && free_stack == nullptr)
            free_stack = stack.get();
    if (free_stack == nullptr) {
        m_stacks.push_back(std::make_unique<Stack>());
        free_stack = m_stacks.back().get();
        Stack& stack = *free_stack;
        sc_core::sc_spawn_options options;
        options.set_stack_size(kStackBytes);
        const std::string name = "stack" + std::to_string(m_stacks.size());
        sc_core::sc_spawn([this, &stack] { body(stack); }, name.c_str(), &options);
        // The thread reaches its first wait now, so a later notification is not missed.
        sc_core::wait(sc_core::SC_ZERO_TIME);
    }
    free_stack->busy = true;
    free_stack->main = std::move(main);
    free_stack->after_abandon = std::move(after_abandon);
    return *free_stack;
}

void StackPool::body(Stack& stack)
{
    stack.base_frame = static_cast<const char*>(__builtin_frame_address(0));
    for (;;) {
        sc_core::wait(stack.wake);
        m_current = &stack;
        const bool abandoned = setjmp(stack.base) != 0;
        Stack* next = nullptr;
        if (abandoned) {
            stack.busy = false;
            next = stack.after_abandon();
        } else {
            next = stack.main();
            stack.busy = false;
        }
        if (next != nullptr)
            next->wake.notify(sc_core::SC_ZERO_TIME);
        else
            m_driver.notify(sc_core::SC_ZERO_TIME);
    }
}

void StackPool::notify(Stack& stack, perfcore::u64 at_ps)
{
    stack.wake.notify(until(at_ps));
}

void StackPool::switch_to(Stack& me, Stack& next, perfcore::u64 at_ps)
{
    notify(next, at_ps);
    sc_core::wait(me.wake);
    m_current = &me;
}

void StackPool::advance_to(perfcore::u64 at_ps)
{
    const sc_time delay = until(at_ps);
    if (delay != sc_core::SC_ZERO_TIME)
        sc_core::wait(delay);
}

void StackPool::run(Stack& first)
{
    first.wake.notify(sc_core::SC_ZERO_TIME);
    sc_core::wait(m_driver);
    m_current = nullptr;
}

void StackPool::abandon()
{
    // The frames jumped over never leave their red zones behind; ASan does not know these stacks.
    const char* here = static_cast<const char*>(__builtin_frame_address(0));
    ASAN_UNPOISON_MEMORY_REGION(here, static_cast<std::size_t>(m_current->base_frame - here));
    std::longjmp(m_current->base, 1);
}

Stack* StackPool::any_busy()
{
    for (auto& stack : m_stacks)
        if (stack->busy)
            return stack.get();
    return nullptr;
}

} // namespace perfsim
