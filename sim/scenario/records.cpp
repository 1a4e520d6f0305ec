// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/records.hpp"

#include <fmt/format.h>

#include <cstring>

namespace perfsim {

namespace {

using namespace perfcore;

/// Takes little-endian words off the front of a record.
class Cursor {
public:
    Cursor(const u8* bytes, usize size) : m_bytes(bytes), m_size(size) {}
    u64 word()
    {
        if (m_at + sizeof(u64) > m_size) {
            m_short = true;
            return 0;
        }
        u64 value = 0;
        std::memcpy(&value, m_bytes + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }
    /// All bytes used, none missing.
    bool exact() const { return !m_short && m_at == m_size; }

private:
    const u8* m_bytes;
    usize m_size;
    usize m_at = 0;
    bool m_short = false;
};

void split(u64 word, u32& low, u32& high)
{
    low = static_cast<u32>(word);
    high = static_cast<u32>(word >> 32);
}

void parse_sample(Cursor& cursor, u64 type, Record& record)
{
    u32 unused = 0;
    if ((type & PERF_SAMPLE_IDENTIFIER) != 0)
        record.identifier = cursor.word();
    if ((type & PERF_SAMPLE_IP) != 0)
        record.ip = cursor.word();
    if ((type & PERF_SAMPLE_TID) != 0)
        split(cursor.word(), record.pid, record.tid);
    if ((type & PERF_SAMPLE_TIME) != 0)
        record.time = cursor.word();
    if ((type & PERF_SAMPLE_ADDR) != 0)
        record.addr = cursor.word();
    if ((type & PERF_SAMPLE_ID) != 0)
        record.id = cursor.word();
    if ((type & PERF_SAMPLE_STREAM_ID) != 0)
        record.stream_id = cursor.word();
    if ((type & PERF_SAMPLE_CPU) != 0)
        split(cursor.word(), record.cpu, unused);
    if ((type & PERF_SAMPLE_PERIOD) != 0)
        record.period = cursor.word();
}

void parse_trailer(Cursor& cursor, const PerfEventAttr& attr, Record& record)
{
    if ((attr.bits & kAttrSampleIdAll) == 0)
        return;
    u32 unused = 0;
    if ((attr.sample_type & PERF_SAMPLE_TID) != 0)
        split(cursor.word(), record.pid, record.tid);
    if ((attr.sample_type & PERF_SAMPLE_TIME) != 0)
        record.time = cursor.word();
    if ((attr.sample_type & PERF_SAMPLE_ID) != 0)
        cursor.word();
    if ((attr.sample_type & PERF_SAMPLE_STREAM_ID) != 0)
        record.stream_id = cursor.word();
    if ((attr.sample_type & PERF_SAMPLE_CPU) != 0)
        split(cursor.word(), record.cpu, unused);
    if ((attr.sample_type & PERF_SAMPLE_IDENTIFIER) != 0)
        record.identifier = cursor.word();
}

} // namespace

std::vector<Record> parse_records(const std::vector<u8>& bytes, const PerfEventAttr& attr,
                                  std::string& error)
{
    std::vector<Record> records;
    for (usize at = 0; at < bytes.size();) {
        PerfEventHeader header{};
        const usize left = bytes.size() - at;
        if (left < sizeof header) {
            error = fmt::format("{} bytes at offset {} are no record header", left, at);
            break;
        }
        std::memcpy(&header, bytes.data() + at, sizeof header);
        if (header.size < sizeof header || header.size % sizeof(u64) != 0 || header.size > left) {
            error = fmt::format("record at offset {} has size {}", at, header.size);
            break;
        }
        Record record;
        record.type = header.type;
        record.misc = header.misc;
        record.size = header.size;
        Cursor cursor(bytes.data() + at + sizeof header, header.size - sizeof header);
        if (header.type == PERF_RECORD_SAMPLE) {
            parse_sample(cursor, attr.sample_type, record);
        } else if (header.type == PERF_RECORD_LOST) {
            record.id = cursor.word();
            record.lost = cursor.word();
            parse_trailer(cursor, attr, record);
        } else {
            error = fmt::format("record at offset {} has unknown type {}", at, header.type);
            break;
        }
        if (!cursor.exact()) {
            error = fmt::format("record of type {} at offset {} has size {}, which its fields do "
                                "not fill exactly",
                                header.type, at, header.size);
            break;
        }
        records.push_back(record);
        at += header.size;
    }
    return records;
}

} // namespace perfsim
