// SPDX-License-Identifier: Apache-2.0
#include "core/ring/ring.hpp"

#include "core/hal/assert.hpp"

#include <new>

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

constexpr u32 kLostSize = 24; // header, id, lost

} // namespace

void RingWriter::put(u64 word)
{
    PERFCORE_ASSERT(m_position < m_end);
    *reinterpret_cast<u64*>(m_data + (m_position & m_mask)) = word;
    m_position += sizeof word;
}

Ring* Ring::create(u32 data_pages, bool overwrite)
{
    void* memory = Hal::alloc(sizeof(Ring));
    if (memory == nullptr)
        return nullptr;
    Ring* ring = new (memory) Ring;
    ring->m_pages = Hal::pages_alloc(1 + usize{data_pages});
    if (ring->m_pages == nullptr) {
        Hal::free(memory, sizeof(Ring));
        return nullptr;
    }
    ring->m_data_pages = data_pages;
    ring->m_overwrite = overwrite;

    // version and compat_version stay 0, as in Linux.
    PerfEventMmapPage& page = ring->user_page();
    page.size = offsetof(PerfEventMmapPage, reserved);
    page.capabilities = 1u << 1; // cap_bit0_is_deprecated
    page.data_offset = kPageSize;
    page.data_size = u64{data_pages} * kPageSize;
    return ring;
}

void Ring::destroy(Ring* ring)
{
    Hal::pages_free(ring->m_pages, 1 + usize{ring->m_data_pages});
    Hal::free(ring, sizeof(Ring));
}

bool Ring::reserve(RingWriter& writer, u32 size, u64 event_id, const u64* trailer,
                   u32 trailer_words)
{
    PERFCORE_ASSERT(size % sizeof(u64) == 0 && m_data_pages != 0);
    const u64 bytes = u64{m_data_pages} * kPageSize;
    const u64 mask = bytes - 1;
    const u64 head = m_head.load();
    const u64 lost = m_lost;
    const u32 lost_size = lost != 0 ? kLostSize + trailer_words * u32{sizeof(u64)} : 0;
    const u64 need = u64{size} + lost_size;
    PERFCORE_ASSERT(need <= mask);
    if (!m_overwrite) {
        const u64 tail = Hal::AtomicRef<u64>(user_page().data_tail).load(MemoryOrder::Acquire);
        const u64 space = (tail - head - 1) & mask;
        if (space < need) {
            ++m_lost;
            return false;
        }
    }

    writer.m_data = static_cast<u8*>(m_pages) + kPageSize;
    writer.m_mask = mask;
    writer.m_position = head;
    writer.m_end = head + need;
    if (lost != 0) {
        writer.put(record_header(PERF_RECORD_LOST, 0, lost_size));
        writer.put(event_id);
        writer.put(lost);
        for (u32 i = 0; i < trailer_words; ++i)
            writer.put(trailer[i]);
        m_lost = 0;
    }
    return true;
}

void Ring::commit(const RingWriter& writer)
{
    PERFCORE_ASSERT(writer.m_position == writer.m_end);
    m_head.store(writer.m_position);
    // Release: the record's bytes are visible before the head that covers them.
    Hal::AtomicRef<u64>(user_page().data_head).store(writer.m_position, MemoryOrder::Release);
}

} // namespace perfcore::inline PERFCORE_BINDING
