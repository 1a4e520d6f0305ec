// SPDX-License-Identifier: Apache-2.0
// Linux user ABI of perf_event_open(2), version 6.12 (attr size VER8, 136 bytes): numbers and
// layouts as user space sees them. Source of the rules: perf_event_open(2) and the offsets and
// values measured on Linux 6.12.
#pragma once

#include "core/base/types.hpp"

namespace perfcore {

// attr.type
inline constexpr u32 PERF_TYPE_HARDWARE = 0;
inline constexpr u32 PERF_TYPE_SOFTWARE = 1;
inline constexpr u32 PERF_TYPE_TRACEPOINT = 2;
inline constexpr u32 PERF_TYPE_HW_CACHE = 3;
inline constexpr u32 PERF_TYPE_RAW = 4;
inline constexpr u32 PERF_TYPE_BREAKPOINT = 5;

// attr.config for PERF_TYPE_HARDWARE
inline constexpr u64 PERF_COUNT_HW_CPU_CYCLES = 0;
inline constexpr u64 PERF_COUNT_HW_INSTRUCTIONS = 1;
inline constexpr u64 PERF_COUNT_HW_CACHE_REFERENCES = 2;
inline constexpr u64 PERF_COUNT_HW_CACHE_MISSES = 3;
inline constexpr u64 PERF_COUNT_HW_BRANCH_INSTRUCTIONS = 4;
inline constexpr u64 PERF_COUNT_HW_BRANCH_MISSES = 5;
inline constexpr u64 PERF_COUNT_HW_BUS_CYCLES = 6;
inline constexpr u64 PERF_COUNT_HW_STALLED_CYCLES_FRONTEND = 7;
inline constexpr u64 PERF_COUNT_HW_STALLED_CYCLES_BACKEND = 8;
inline constexpr u64 PERF_COUNT_HW_REF_CPU_CYCLES = 9;
inline constexpr u64 PERF_COUNT_HW_MAX = 10;
inline constexpr u32 PERF_PMU_TYPE_SHIFT = 32;

// attr.sample_type
inline constexpr u64 PERF_SAMPLE_IP = 1u << 0;
inline constexpr u64 PERF_SAMPLE_TID = 1u << 1;
inline constexpr u64 PERF_SAMPLE_TIME = 1u << 2;
inline constexpr u64 PERF_SAMPLE_ADDR = 1u << 3;
inline constexpr u64 PERF_SAMPLE_READ = 1u << 4;
inline constexpr u64 PERF_SAMPLE_CALLCHAIN = 1u << 5;
inline constexpr u64 PERF_SAMPLE_ID = 1u << 6;
inline constexpr u64 PERF_SAMPLE_CPU = 1u << 7;
inline constexpr u64 PERF_SAMPLE_PERIOD = 1u << 8;
inline constexpr u64 PERF_SAMPLE_STREAM_ID = 1u << 9;
inline constexpr u64 PERF_SAMPLE_RAW = 1u << 10;
inline constexpr u64 PERF_SAMPLE_BRANCH_STACK = 1u << 11;
inline constexpr u64 PERF_SAMPLE_REGS_USER = 1u << 12;
inline constexpr u64 PERF_SAMPLE_STACK_USER = 1u << 13;
inline constexpr u64 PERF_SAMPLE_WEIGHT = 1u << 14;
inline constexpr u64 PERF_SAMPLE_DATA_SRC = 1u << 15;
inline constexpr u64 PERF_SAMPLE_IDENTIFIER = 1u << 16;
inline constexpr u64 PERF_SAMPLE_TRANSACTION = 1u << 17;
inline constexpr u64 PERF_SAMPLE_REGS_INTR = 1u << 18;
inline constexpr u64 PERF_SAMPLE_PHYS_ADDR = 1u << 19;
inline constexpr u64 PERF_SAMPLE_AUX = 1u << 20;
inline constexpr u64 PERF_SAMPLE_CGROUP = 1u << 21;
inline constexpr u64 PERF_SAMPLE_DATA_PAGE_SIZE = 1u << 22;
inline constexpr u64 PERF_SAMPLE_CODE_PAGE_SIZE = 1u << 23;
inline constexpr u64 PERF_SAMPLE_WEIGHT_STRUCT = 1u << 24;
inline constexpr u64 PERF_SAMPLE_MAX = 1u << 25;

// attr.read_format
inline constexpr u64 PERF_FORMAT_TOTAL_TIME_ENABLED = 1u << 0;
inline constexpr u64 PERF_FORMAT_TOTAL_TIME_RUNNING = 1u << 1;
inline constexpr u64 PERF_FORMAT_ID = 1u << 2;
inline constexpr u64 PERF_FORMAT_GROUP = 1u << 3;
inline constexpr u64 PERF_FORMAT_LOST = 1u << 4;
inline constexpr u64 PERF_FORMAT_MAX = 1u << 5;

// perf_event_open flags
inline constexpr u64 PERF_FLAG_FD_NO_GROUP = 1u << 0;
inline constexpr u64 PERF_FLAG_FD_OUTPUT = 1u << 1;
inline constexpr u64 PERF_FLAG_PID_CGROUP = 1u << 2;
inline constexpr u64 PERF_FLAG_FD_CLOEXEC = 1u << 3;

// ioctl
inline constexpr u32 PERF_EVENT_IOC_ENABLE = 0x2400;
inline constexpr u32 PERF_EVENT_IOC_DISABLE = 0x2401;
inline constexpr u32 PERF_EVENT_IOC_REFRESH = 0x2402;
inline constexpr u32 PERF_EVENT_IOC_RESET = 0x2403;
inline constexpr u32 PERF_EVENT_IOC_PERIOD = 0x40082404;
inline constexpr u32 PERF_EVENT_IOC_SET_OUTPUT = 0x2405;
inline constexpr u32 PERF_EVENT_IOC_ID = 0x80082407;
inline constexpr u32 PERF_EVENT_IOC_PAUSE_OUTPUT = 0x40042409;
inline constexpr u32 PERF_IOC_FLAG_GROUP = 1;

// records
inline constexpr u32 PERF_RECORD_LOST = 2;
inline constexpr u32 PERF_RECORD_SAMPLE = 9;
inline constexpr u16 PERF_RECORD_MISC_KERNEL = 1;
inline constexpr u16 PERF_RECORD_MISC_USER = 2;

// attr bit-field, offset 40
inline constexpr u64 kAttrDisabled = u64{1} << 0;
inline constexpr u64 kAttrInherit = u64{1} << 1;
inline constexpr u64 kAttrPinned = u64{1} << 2;
inline constexpr u64 kAttrExclusive = u64{1} << 3;
inline constexpr u64 kAttrExcludeUser = u64{1} << 4;
inline constexpr u64 kAttrExcludeKernel = u64{1} << 5;
inline constexpr u64 kAttrExcludeHv = u64{1} << 6;
inline constexpr u64 kAttrExcludeIdle = u64{1} << 7;
inline constexpr u64 kAttrMmap = u64{1} << 8;
inline constexpr u64 kAttrComm = u64{1} << 9;
inline constexpr u64 kAttrFreq = u64{1} << 10;
inline constexpr u64 kAttrInheritStat = u64{1} << 11;
inline constexpr u64 kAttrEnableOnExec = u64{1} << 12;
inline constexpr u64 kAttrTask = u64{1} << 13;
inline constexpr u64 kAttrWatermark = u64{1} << 14;
inline constexpr u64 kAttrMmapData = u64{1} << 17;
inline constexpr u64 kAttrSampleIdAll = u64{1} << 18;
inline constexpr u64 kAttrExcludeHost = u64{1} << 19;
inline constexpr u64 kAttrExcludeGuest = u64{1} << 20;
inline constexpr u64 kAttrExcludeCallchainKernel = u64{1} << 21;
inline constexpr u64 kAttrExcludeCallchainUser = u64{1} << 22;
inline constexpr u64 kAttrMmap2 = u64{1} << 23;
inline constexpr u64 kAttrCommExec = u64{1} << 24;
inline constexpr u64 kAttrUseClockid = u64{1} << 25;
inline constexpr u64 kAttrContextSwitch = u64{1} << 26;
inline constexpr u64 kAttrWriteBackward = u64{1} << 27;
inline constexpr u64 kAttrNamespaces = u64{1} << 28;
inline constexpr u64 kAttrKsymbol = u64{1} << 29;
inline constexpr u64 kAttrBpfEvent = u64{1} << 30;
inline constexpr u64 kAttrAuxOutput = u64{1} << 31;
inline constexpr u64 kAttrCgroup = u64{1} << 32;
inline constexpr u64 kAttrTextPoke = u64{1} << 33;
inline constexpr u64 kAttrBuildId = u64{1} << 34;
inline constexpr u64 kAttrInheritThread = u64{1} << 35;
inline constexpr u64 kAttrRemoveOnExec = u64{1} << 36;
inline constexpr u64 kAttrSigtrap = u64{1} << 37;
inline constexpr u64 kAttrReservedBits = ~((u64{1} << 38) - 1);
inline constexpr u64 kConfig1Long = 1;         ///< arm_pmuv3 attr.config1 `long`: count in 64 bits
inline constexpr u32 kAttrPreciseIpShift = 15; ///< two bits

/// struct perf_event_attr, VER8.
struct PerfEventAttr {
    u32 type = 0;
    u32 size = 0;
    u64 config = 0;
    u64 sample_period = 0; ///< or sample_freq
    u64 sample_type = 0;
    u64 read_format = 0;
    u64 bits = 0;          ///< kAttr*
    u32 wakeup_events = 0; ///< or wakeup_watermark
    u32 bp_type = 0;
    u64 config1 = 0;
    u64 config2 = 0;
    u64 branch_sample_type = 0;
    u64 sample_regs_user = 0;
    u32 sample_stack_user = 0;
    i32 clockid = 0;
    u64 sample_regs_intr = 0;
    u32 aux_watermark = 0;
    u16 sample_max_stack = 0;
    u16 reserved_2 = 0;
    u32 aux_sample_size = 0;
    u32 reserved_3 = 0;
    u64 sig_data = 0;
    u64 config3 = 0;
};
inline constexpr u32 PERF_ATTR_SIZE_VER0 = 64;
inline constexpr u32 PERF_ATTR_SIZE_VER8 = 136;
static_assert(sizeof(PerfEventAttr) == PERF_ATTR_SIZE_VER8);
static_assert(offsetof(PerfEventAttr, bits) == 40 && offsetof(PerfEventAttr, clockid) == 92 &&
              offsetof(PerfEventAttr, config3) == 128);

/// struct perf_event_header.
struct PerfEventHeader {
    u32 type;
    u16 misc;
    u16 size;
};
static_assert(sizeof(PerfEventHeader) == 8);

/// struct perf_event_mmap_page: the first page of a mapping.
struct PerfEventMmapPage {
    u32 version;
    u32 compat_version;
    u32 lock;
    u32 index;
    i64 offset;
    u64 time_enabled;
    u64 time_running;
    u64 capabilities;
    u16 pmc_width;
    u16 time_shift;
    u32 time_mult;
    u64 time_offset;
    u64 time_zero;
    u32 size;
    u32 reserved_1;
    u64 time_cycles;
    u64 time_mask;
    u8 reserved[928];
    u64 data_head;
    u64 data_tail;
    u64 data_offset;
    u64 data_size;
    u64 aux_head;
    u64 aux_tail;
    u64 aux_offset;
    u64 aux_size;
};
static_assert(offsetof(PerfEventMmapPage, reserved) == 96);
static_assert(offsetof(PerfEventMmapPage, data_head) == 1024);
static_assert(sizeof(PerfEventMmapPage) <= kPageSize);

} // namespace perfcore
