// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or a Linux errno. Every fallible function of the core returns one; the number
// becomes a negative system-call result only at the edge (core/control).
#pragma once

#include "core/base/types.hpp"

namespace perfcore {

/// Linux errno values the core can answer with (asm-generic/errno*.h); not spelled in capitals, as
/// a hosted <errno.h> makes those macros.
enum class Errno : i32 {
    Eperm = 1,
    Enoent = 2,
    Esrch = 3,
    Eintr = 4,
    E2big = 7,
    Ebadf = 9,
    Eagain = 11,
    Enomem = 12,
    Eacces = 13,
    Efault = 14,
    Ebusy = 16,
    Enodev = 19,
    Einval = 22,
    Emfile = 24,
    Enotty = 25,
    Enospc = 28,
    Eoverflow = 75,
    Eopnotsupp = 95,
};

template <typename T>
class [[nodiscard]] Result {
public:
    constexpr Result(T value) : m_value(value), m_errno(0) {}
    constexpr Result(Errno error) : m_value(), m_errno(static_cast<i32>(error)) {}

    [[nodiscard]] constexpr bool ok() const { return m_errno == 0; }
    [[nodiscard]] constexpr Errno error() const { return static_cast<Errno>(m_errno); }
    [[nodiscard]] constexpr T value() const { return m_value; }
    /// The value, or -errno: what a system call returns to user space.
    [[nodiscard]] constexpr i64 syscall_result() const
    {
        return ok() ? static_cast<i64>(m_value) : -static_cast<i64>(m_errno);
    }

private:
    T m_value;
    i32 m_errno;
};

template <>
class [[nodiscard]] Result<void> {
public:
    constexpr Result() : m_errno(0) {}
    constexpr Result(Errno error) : m_errno(static_cast<i32>(error)) {}

    [[nodiscard]] constexpr bool ok() const { return m_errno == 0; }
    [[nodiscard]] constexpr Errno error() const { return static_cast<Errno>(m_errno); }
    constexpr void value() const {}
    [[nodiscard]] constexpr i64 syscall_result() const { return -static_cast<i64>(m_errno); }

private:
    i32 m_errno;
};

} // namespace perfcore

/// Evaluates to the value of a Result, or returns its error from the enclosing function.
#define PERFCORE_TRY(expression)                                                                   \
    ({                                                                                             \
        auto perfcore_result_ = (expression);                                                      \
        if (!perfcore_result_.ok())                                                                \
            return perfcore_result_.error();                                                       \
        perfcore_result_.value();                                                                  \
    })
