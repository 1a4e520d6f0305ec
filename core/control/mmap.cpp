// SPDX-License-Identifier: Apache-2.0
// mmap(2) and munmap(2) of an event. The event's own pointer to its ring belongs to the owner rule:
// it changes on the CPU where samples are written, so no sample can be half way through a ring that
// goes away.
#include "core/control/control.hpp"
#include "core/event/subsystem.hpp"
#include "core/hal/assert.hpp"
#include "core/ring/ring.hpp"
#include "core/sched/remote.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING::control {

namespace {

constexpr u64 kMaxDataPages = u64{1} << 20;

void set_ring(CpuState*, Event& event, void* ring)
{
    event.ring = static_cast<Ring*>(ring);
}

/// Number of data pages: 0 or a power of two behind the user page.
Result<u32> data_pages(const MapRequest& request)
{
    if (!request.shared || request.pgoff != 0)
        return Errno::Einval;
    if (request.length == 0 || request.length % kPageSize != 0)
        return Errno::Einval;
    const u64 pages = request.length / kPageSize - 1;
    if ((pages & (pages - 1)) != 0)
        return Errno::Einval;
    if (pages > kMaxDataPages)
        return Errno::Enomem;
    return static_cast<u32>(pages);
}

Result<void> map_pages(Hal::Vma& vma, Ring& ring, const MapRequest& request)
{
    const usize pages = 1 + usize{ring.data_pages()};
    if (!Hal::map_user(vma, ring.pages(), pages, request.writable, MemoryAttr::NormalWB))
        return Errno::Enomem;
    ++ring.mappings;
    return {};
}

} // namespace

Result<void> mmap(Event& event, Hal::Vma& vma, const MapRequest& request)
{
    assert_process();
    const u32 pages = PERFCORE_TRY(data_pages(request));
    MutexGuard guard(event.map_mutex);
    if (event.mapped_ring != nullptr)
        return event.mapped_ring->data_pages() == pages
                   ? map_pages(vma, *event.mapped_ring, request)
                   : Errno::Einval;

    const usize charged = 1 + usize{pages};
    if (!Hal::mlock_charge(charged))
        return Errno::Eperm;
    Ring* ring = Ring::create(pages, !request.writable);
    if (ring == nullptr) {
        Hal::mlock_uncharge(charged);
        return Errno::Enomem;
    }
    const Result<void> mapped = map_pages(vma, *ring, request);
    if (!mapped.ok()) {
        Ring::destroy(ring);
        Hal::mlock_uncharge(charged);
        return mapped;
    }
    event.mapped_ring = ring;
    event_call(event, set_ring, ring);
    return {};
}

void unmap(Event& event)
{
    assert_process();
    MutexGuard guard(event.map_mutex);
    Ring* ring = event.mapped_ring;
    PERFCORE_ASSERT(ring != nullptr && ring->mappings > 0);
    if (--ring->mappings > 0)
        return;
    event_call(event, set_ring, nullptr);
    event.mapped_ring = nullptr;
    const usize charged = 1 + usize{ring->data_pages()};
    Ring::destroy(ring);
    Hal::mlock_uncharge(charged);
}

} // namespace perfcore::inline PERFCORE_BINDING::control
