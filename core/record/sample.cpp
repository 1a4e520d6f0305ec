// SPDX-License-Identifier: Apache-2.0
// Field order is Linux's perf_output_sample, perf_event__output_id_sample for trailers.
#include "core/record/sample.hpp"

#include "core/hal/assert.hpp"
#include "core/ring/ring.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

constexpr u32 kTrailerWordsMax = 6;

// Every supported field is one 8-byte word.
u32 words(u64 types)
{
    u32 count = 0;
    for (; types != 0; types &= types - 1)
        ++count;
    return count;
}

u64 pair(u32 first, u32 second)
{
    return first | (u64{second} << 32);
}

/// Fills `out` with the trailer and returns its words.
u32 make_trailer(const Event& event, const SampleSource& source, u64* out)
{
    if (!event.has(kAttrSampleIdAll))
        return 0;
    const u64 type = event.attr.sample_type;
    u32 count = 0;
    if ((type & PERF_SAMPLE_TID) != 0)
        out[count++] = pair(source.pid, source.tid);
    if ((type & PERF_SAMPLE_TIME) != 0)
        out[count++] = source.time;
    if ((type & PERF_SAMPLE_ID) != 0)
        out[count++] = event.id;
    if ((type & PERF_SAMPLE_STREAM_ID) != 0)
        out[count++] = event.id;
    if ((type & PERF_SAMPLE_CPU) != 0)
        out[count++] = pair(source.cpu, 0);
    if ((type & PERF_SAMPLE_IDENTIFIER) != 0)
        out[count++] = event.id;
    return count;
}

} // namespace

u32 sample_size(u64 sample_type)
{
    return sizeof(PerfEventHeader) + sizeof(u64) * words(sample_type & kSupportedSampleTypes);
}

SampleOutcome write_sample(Event& event, const SampleSource& source)
{
    assert_irqs_off();
    if (event.ring == nullptr || event.ring->data_pages() == 0)
        return SampleOutcome::NoBuffer;
    u64 trailer[kTrailerWordsMax];
    const u32 trailer_words = make_trailer(event, source, trailer);
    const u64 type = event.attr.sample_type;
    const u32 size = sample_size(type);

    RingWriter writer;
    if (!event.ring->reserve(writer, size, event.id, trailer, trailer_words))
        return SampleOutcome::Lost;
    const u16 misc = source.user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
    writer.put(record_header(PERF_RECORD_SAMPLE, misc, size));
    if ((type & PERF_SAMPLE_IDENTIFIER) != 0)
        writer.put(event.id);
    if ((type & PERF_SAMPLE_IP) != 0)
        writer.put(source.ip);
    if ((type & PERF_SAMPLE_TID) != 0)
        writer.put(pair(source.pid, source.tid));
    if ((type & PERF_SAMPLE_TIME) != 0)
        writer.put(source.time);
    if ((type & PERF_SAMPLE_ADDR) != 0)
        writer.put(0); // PMUv3 reports no data address
    if ((type & PERF_SAMPLE_ID) != 0)
        writer.put(event.id);
    if ((type & PERF_SAMPLE_STREAM_ID) != 0)
        writer.put(event.id);
    if ((type & PERF_SAMPLE_CPU) != 0)
        writer.put(pair(source.cpu, 0));
    if ((type & PERF_SAMPLE_PERIOD) != 0)
        writer.put(source.period);
    event.ring->commit(writer);
    return SampleOutcome::Written;
}

} // namespace perfcore::inline PERFCORE_BINDING
