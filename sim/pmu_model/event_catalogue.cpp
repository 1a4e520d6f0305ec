// SPDX-License-Identifier: Apache-2.0
#include "sim/pmu_model/event_catalogue.hpp"

namespace perfsim {

const std::vector<EventName>& event_catalogue()
{
    static const std::vector<EventName> events = {
        {0x00, "sw_incr", "writes to PMSWINC_EL0"},
        {0x01, "l1i_cache_refill", "level 1 instruction cache refills"},
        {0x02, "l1i_tlb_refill", "level 1 instruction TLB refills"},
        {0x03, "l1d_cache_refill", "level 1 data cache refills"},
        {0x04, "l1d_cache", "level 1 data cache accesses"},
        {0x05, "l1d_tlb_refill", "level 1 data TLB refills"},
        {0x06, "ld_retired", "loads, architecturally executed"},
        {0x07, "st_retired", "stores, architecturally executed"},
        {0x08, "inst_retired", "instructions, architecturally executed"},
        {0x09, "exc_taken", "exceptions taken"},
        {0x0a, "exc_return", "exception returns, architecturally executed"},
        {0x0b, "cid_write_retired", "writes to CONTEXTIDR, architecturally executed"},
        {0x0c, "pc_write_retired", "software changes of the PC, architecturally executed"},
        {0x0d, "br_immed_retired", "immediate branches, architecturally executed"},
        {0x0e, "br_return_retired", "procedure returns, architecturally executed"},
        {0x0f, "unaligned_ldst_retired", "unaligned loads and stores, architecturally executed"},
        {0x10, "br_mis_pred", "branches mispredicted or not predicted, speculatively executed"},
        {0x11, "cpu_cycles", "cycles"},
        {0x12, "br_pred", "predictable branches, speculatively executed"},
        {0x13, "mem_access", "data memory accesses"},
        {0x14, "l1i_cache", "level 1 instruction cache accesses"},
        {0x15, "l1d_cache_wb", "level 1 data cache write-backs"},
        {0x16, "l2d_cache", "level 2 data cache accesses"},
        {0x17, "l2d_cache_refill", "level 2 data cache refills"},
        {0x18, "l2d_cache_wb", "level 2 data cache write-backs"},
        {0x19, "bus_access", "bus accesses"},
        {0x1a, "memory_error", "local memory errors"},
        {0x1b, "inst_spec", "operations, speculatively executed"},
        {0x1c, "ttbr_write_retired", "writes to TTBR, architecturally executed"},
        {0x1d, "bus_cycles", "bus cycles"},
        {0x1e, "chain", "odd counters: overflows of the even neighbour"},
        {0x1f, "l1d_cache_allocate", "level 1 data cache allocations without refill"},
        {0x20, "l2d_cache_allocate", "level 2 data cache allocations without refill"},
        {0x21, "br_retired", "branches, architecturally executed"},
        {0x22, "br_mis_pred_retired", "mispredicted branches, architecturally executed"},
        {0x23, "stall_frontend", "cycles without operation issued, by the front end"},
        {0x24, "stall_backend", "cycles without operation issued, by the back end"},
        {0x25, "l1d_tlb", "level 1 data TLB accesses"},
        {0x26, "l1i_tlb", "level 1 instruction TLB accesses"},
        {0x27, "l2i_cache", "level 2 instruction cache accesses"},
        {0x28, "l2i_cache_refill", "level 2 instruction cache refills"},
        {0x29, "l3d_cache_allocate", "level 3 data cache allocations without refill"},
        {0x2a, "l3d_cache_refill", "level 3 data cache refills"},
        {0x2b, "l3d_cache", "level 3 data cache accesses"},
        {0x2c, "l3d_cache_wb", "level 3 data cache write-backs"},
        {0x2d, "l2d_tlb_refill", "level 2 data TLB refills"},
        {0x2e, "l2i_tlb_refill", "level 2 instruction TLB refills"},
        {0x2f, "l2d_tlb", "level 2 data TLB accesses"},
        {0x30, "l2i_tlb", "level 2 instruction TLB accesses"},
        {0x31, "remote_access", "accesses to another socket"},
        {0x32, "ll_cache", "last level cache accesses"},
        {0x33, "ll_cache_miss", "last level cache misses"},
        {0x34, "dtlb_walk", "data TLB accesses with at least one walk"},
        {0x35, "itlb_walk", "instruction TLB accesses with at least one walk"},
        {0x36, "ll_cache_rd", "last level cache reads"},
        {0x37, "ll_cache_miss_rd", "last level cache read misses"},
        {0x38, "remote_access_rd", "reads from another socket"},
        {0x39, "l1d_cache_lmiss_rd", "level 1 data cache long-latency read misses"},
        {0x3a, "op_retired", "micro-operations, architecturally executed"},
        {0x3b, "op_spec", "micro-operations, speculatively executed"},
        {0x3c, "stall", "cycles without operation issued"},
        {0x3d, "stall_slot_backend", "slots without operation issued, by the back end"},
        {0x3e, "stall_slot_frontend", "slots without operation issued, by the front end"},
        {0x3f, "stall_slot", "slots without operation issued"},
    };
    return events;
}

const EventName* find_event(const std::string& name)
{
    for (EventName const& event : event_catalogue())
        if (name == event.name)
            return &event;
    return nullptr;
}

const EventName* find_event(perfcore::u32 number)
{
    for (EventName const& event : event_catalogue())
        if (number == event.number)
            return &event;
    return nullptr;
}

} // namespace perfsim
