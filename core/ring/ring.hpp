// SPDX-License-Identifier: Apache-2.0
// Ring: the buffer behind mmap(2) of an event, written by interrupts and read by user space.
//
// Page 0 is the user page (perf_event_mmap_page), 2^n data pages follow, in one block. Geometry and
// head are private: the user page is only ever written, except for data_tail, which is hostile and
// used only inside masked arithmetic. Linux's space rule holds: a record needs
// (tail - head - 1) & (size - 1) >= its size, so a ring never fills to its last byte.
//
// All writers of a ring run on the CPU that is its home at the time, with interrupts off; the
// owner rule of the event that holds the ring sees to that.
#pragma once

#include "core/abi/perf_event.hpp"
#include "core/base/result.hpp"
#include "core/hal/hal.hpp"

namespace perfcore::inline PERFCORE_BINDING {

/// Writes the words of one reserved record, across page and ring ends. Records are whole 8-byte
/// words at 8-byte positions, so a word never wraps.
class RingWriter {
public:
    void put(u64 word);

private:
    friend class Ring;
    u8* m_data = nullptr;
    u64 m_mask = 0;
    u64 m_position = 0;
    u64 m_end = 0;
};

/// struct perf_event_header as the word it occupies.
constexpr u64 record_header(u32 type, u16 misc, u32 size)
{
    return type | (u64{misc} << 32) | (u64{size} << 48);
}

class Ring {
public:
    /// P: allocates 1 + data_pages pages; data_pages is 0 or a power of two. Null: out of memory.
    /// overwrite: read-only mapping, the reader's tail is not looked at.
    static Ring* create(u32 data_pages, bool overwrite);
    /// P: nobody maps or writes it any more.
    static void destroy(Ring* ring);

    /// AI: room for one record of `size` bytes, preceded in the same reservation by a LOST record
    /// if earlier ones were dropped: {header, id, lost, trailer}. False: no room; the record is
    /// counted as lost. The ring must have data pages.
    bool reserve(RingWriter& writer, u32 size, u64 event_id, const u64* trailer, u32 trailer_words);
    /// AI: the record is complete: publishes data_head.
    void commit(const RingWriter& writer);

    [[nodiscard]] u32 data_pages() const { return m_data_pages; }
    [[nodiscard]] void* pages() { return m_pages; }
    /// Bytes written since creation; data_head.
    [[nodiscard]] u64 head() const { return m_head.peek(); }
    [[nodiscard]] PerfEventMmapPage& user_page()
    {
        return *static_cast<PerfEventMmapPage*>(m_pages);
    }

    u32 mappings = 0; ///< live mappings; guarded by the event's map_mutex

private:
    void* m_pages = nullptr;
    u32 m_data_pages = 0;
    bool m_overwrite = false;
    Hal::LocalWord m_head; ///< next byte to write, free running
    u64 m_lost = 0;        ///< records dropped since the last LOST record
};

} // namespace perfcore::inline PERFCORE_BINDING
