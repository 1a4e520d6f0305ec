// SPDX-License-Identifier: Apache-2.0
// Rings' bytes for tests, written word by word after perf_event_open(2), not by the core's
// builders.
#pragma once

#include "core/abi/perf_event.hpp"

#include <vector>

namespace perfsim {

class RecordBytes {
public:
    using u8 = perfcore::u8;
    using u16 = perfcore::u16;
    using u32 = perfcore::u32;
    using u64 = perfcore::u64;

    /// A record of these words after the header; its size is theirs.
    RecordBytes& record(u32 type, u16 misc, std::initializer_list<u64> words)
    {
        const u64 size = sizeof(u64) * (1 + words.size());
        word(type | u64{misc} << 32 | size << 48);
        for (u64 each : words)
            word(each);
        return *this;
    }
    RecordBytes& sample(std::initializer_list<u64> words,
                        u16 misc = perfcore::PERF_RECORD_MISC_USER)
    {
        return record(perfcore::PERF_RECORD_SAMPLE, misc, words);
    }
    RecordBytes& lost(std::initializer_list<u64> words)
    {
        return record(perfcore::PERF_RECORD_LOST, 0, words);
    }
    RecordBytes& word(u64 value)
    {
        for (u32 byte = 0; byte < sizeof value; ++byte)
            bytes.push_back(static_cast<u8>(value >> (8 * byte)));
        return *this;
    }
    /// Two 32-bit fields in one word: pid and tid, or cpu and res.
    static u64 pair(u32 first, u32 second) { return first | u64{second} << 32; }

    std::vector<u8> bytes;
};

} // namespace perfsim
