// SPDX-License-Identifier: Apache-2.0
// What a kernel forwards from user space. Every function runs in process context (P), interrupts
// on, no lock held, on behalf of Hal::current(). Results are values or a Linux errno; user
// pointers are plain addresses, read and written only through Hal::copy_*_user.
#pragma once

#include "core/base/result.hpp"
#include "core/hal/hal.hpp"

namespace perfcore::inline PERFCORE_BINDING {

class Event;
struct Subsystem;

namespace control {

/// perf_event_open(2). Returns a file descriptor.
Result<i32> open(Subsystem& subsystem, u64 user_attr, i32 pid, i32 cpu, i32 group_fd, u64 flags);

/// read(2) on an event. Returns the number of bytes; ENOSPC when count is too small.
Result<i64> read(Event& event, u64 user_buffer, u64 count);

/// ioctl(2) on an event. Unknown commands: ENOTTY.
Result<i64> ioctl(Event& event, u32 command, u64 argument);

/// mmap(2) on an event: allocates or joins the ring and maps it. On success the kernel owes one
/// hooks::vma_close when the mapping goes, and keeps the file open until then.
Result<void> mmap(Event& event, Hal::Vma& vma, const MapRequest& request);

/// The kernel's hooks::vma_close lands here.
void unmap(Event& event);

/// The last reference to the file is gone (close(2), exit). The event must not be used afterwards.
void release(Event& event);

} // namespace control
} // namespace perfcore::inline PERFCORE_BINDING
