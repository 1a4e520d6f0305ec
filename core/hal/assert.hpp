// SPDX-License-Identifier: Apache-2.0
// Assertions of the core; they stay on in every build. The context helpers state, at the start of
// each entry point, which of the three contexts of the contract it runs in.
#pragma once

#include "core/hal/hal.hpp"

/// Panics with the condition's text unless it holds.
#define PERFCORE_ASSERT(condition)                                                                 \
    do {                                                                                           \
        if (!(condition)) [[unlikely]]                                                             \
            ::perfcore::Hal::panic("assertion failed: " #condition, __FILE__, __LINE__);           \
    } while (false)

namespace perfcore::inline PERFCORE_BINDING {

/// P: may sleep, allocate and fault.
inline void assert_process()
{
    [[maybe_unused]] const ExecContext context = Hal::context();
    PERFCORE_ASSERT(context.level == ExecContext::Level::Process && context.irqs_on);
}

/// A or I: this CPU's interrupts are off.
inline void assert_irqs_off()
{
    [[maybe_unused]] const ExecContext context = Hal::context();
    PERFCORE_ASSERT(!context.irqs_on);
}

/// I: on behalf of an interrupt.
inline void assert_interrupt()
{
    [[maybe_unused]] const ExecContext context = Hal::context();
    PERFCORE_ASSERT(context.level == ExecContext::Level::Interrupt && !context.irqs_on);
}

/// Holds a Mutex for a scope.
class MutexGuard {
public:
    explicit MutexGuard(Hal::Mutex& mutex) : m_mutex(mutex) { m_mutex.lock(); }
    ~MutexGuard() { m_mutex.unlock(); }
    MutexGuard(const MutexGuard&) = delete;
    MutexGuard& operator=(const MutexGuard&) = delete;

private:
    Hal::Mutex& m_mutex;
};

/// Holds a SpinLock, with interrupts off, for a scope.
class SpinGuard {
public:
    explicit SpinGuard(Hal::SpinLock& lock) : m_lock(lock), m_flags(lock.lock()) {}
    ~SpinGuard() { m_lock.unlock(m_flags); }
    SpinGuard(const SpinGuard&) = delete;
    SpinGuard& operator=(const SpinGuard&) = delete;

private:
    Hal::SpinLock& m_lock;
    u64 m_flags;
};

/// Interrupts off for a scope.
class IrqGuard {
public:
    IrqGuard() : m_flags(Hal::irq_save()) {}
    ~IrqGuard() { Hal::irq_restore(m_flags); }
    IrqGuard(const IrqGuard&) = delete;
    IrqGuard& operator=(const IrqGuard&) = delete;

private:
    u64 m_flags;
};

} // namespace perfcore::inline PERFCORE_BINDING
