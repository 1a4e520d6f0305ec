// SPDX-License-Identifier: Apache-2.0
#include "core/control/attr.hpp"

#include "core/record/sample.hpp"

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

namespace {

// arch/arm64 perf_regs: X0..X30, SP, PC.
constexpr u64 kRegsMask = (u64{1} << 33) - 1;
constexpr u32 kStackUserMax = 65535;
constexpr u64 kHighBit = u64{1} << 63;

bool has(const PerfEventAttr& attr, u64 bit)
{
    return (attr.bits & bit) != 0;
}

bool samples(const PerfEventAttr& attr, u64 type)
{
    return (attr.sample_type & type) != 0;
}

Result<void> too_big(u64 user_attr)
{
    const u32 known = PERF_ATTR_SIZE_VER8;
    if (!Hal::copy_to_user(user_attr + offsetof(PerfEventAttr, size), &known, sizeof known))
        return Errno::Efault;
    return Errno::E2big;
}

// A larger attr is fine as long as what we do not know is zero (Linux copy_struct_from_user).
Result<bool> tail_is_zero(u64 user_attr, u32 size)
{
    u8 chunk[64];
    for (u32 offset = PERF_ATTR_SIZE_VER8; offset < size;) {
        const u32 left = size - offset;
        const u32 count = left < sizeof chunk ? left : static_cast<u32>(sizeof chunk);
        if (!Hal::copy_from_user(chunk, user_attr + offset, count))
            return Errno::Efault;
        for (u32 i = 0; i < count; ++i)
            if (chunk[i] != 0)
                return false;
        offset += count;
    }
    return true;
}

Result<void> copy_sized(u64 user_attr, PerfEventAttr& attr)
{
    u32 size = 0;
    if (!Hal::copy_from_user(&size, user_attr + offsetof(PerfEventAttr, size), sizeof size))
        return Errno::Efault;
    if (size == 0)
        size = PERF_ATTR_SIZE_VER0;
    if (size < PERF_ATTR_SIZE_VER0 || size > kPageSize)
        return too_big(user_attr);
    const bool zero_tail = PERFCORE_TRY(tail_is_zero(user_attr, size));
    if (!zero_tail)
        return too_big(user_attr);
    const u32 known = size < PERF_ATTR_SIZE_VER8 ? size : PERF_ATTR_SIZE_VER8;
    attr = PerfEventAttr{};
    if (!Hal::copy_from_user(&attr, user_attr, known))
        return Errno::Efault;
    attr.size = size;
    return {};
}

} // namespace

Result<void> copy_attr(u64 user_attr, PerfEventAttr& attr, const Settings& settings)
{
    PERFCORE_TRY(copy_sized(user_attr, attr));
    if ((attr.bits & kAttrReservedBits) != 0 || attr.reserved_2 != 0 || attr.reserved_3 != 0)
        return Errno::Einval;
    if (attr.sample_type >= PERF_SAMPLE_MAX || attr.read_format >= PERF_FORMAT_MAX)
        return Errno::Einval;
    if (samples(attr, PERF_SAMPLE_REGS_USER) &&
        (attr.sample_regs_user == 0 || (attr.sample_regs_user & ~kRegsMask) != 0))
        return Errno::Einval;
    if (samples(attr, PERF_SAMPLE_STACK_USER) &&
        (attr.sample_stack_user >= kStackUserMax || attr.sample_stack_user % 8 != 0))
        return Errno::Einval;
    if (attr.sample_max_stack == 0)
        attr.sample_max_stack = settings.max_stack;
    if (samples(attr, PERF_SAMPLE_WEIGHT) && samples(attr, PERF_SAMPLE_WEIGHT_STRUCT))
        return Errno::Einval;
    if (has(attr, kAttrInheritThread) && !has(attr, kAttrInherit))
        return Errno::Einval;
    if (has(attr, kAttrRemoveOnExec) && has(attr, kAttrEnableOnExec))
        return Errno::Einval;
    if (has(attr, kAttrSigtrap) && !has(attr, kAttrRemoveOnExec))
        return Errno::Einval;
    // Linux keeps this verdict until everything above has passed.
    if (samples(attr, PERF_SAMPLE_REGS_INTR) &&
        (attr.sample_regs_intr == 0 || (attr.sample_regs_intr & ~kRegsMask) != 0))
        return Errno::Einval;
    return {};
}

Result<void> check_attr_policy(const PerfEventAttr& attr, const Settings& settings)
{
    const bool wants_kernel =
        !has(attr, kAttrExcludeKernel) || has(attr, kAttrTextPoke) ||
        (samples(attr, PERF_SAMPLE_CALLCHAIN) && !has(attr, kAttrExcludeCallchainKernel)) ||
        samples(attr, PERF_SAMPLE_PHYS_ADDR);
    if (wants_kernel && settings.paranoid > 1 && !Hal::may(Capability::Perfmon, nullptr))
        return Errno::Eacces;
    if (has(attr, kAttrNamespaces) && !Hal::may(Capability::Perfmon, nullptr))
        return Errno::Eacces;
    if (has(attr, kAttrFreq) ? attr.sample_period > settings.max_sample_rate
                             : (attr.sample_period & kHighBit) != 0)
        return Errno::Einval;
    return {};
}

Result<void> check_attr_supported(const PerfEventAttr& attr)
{
    constexpr u64 kUnsupportedBits =
        kAttrInherit | kAttrMmap | kAttrComm | kAttrInheritStat | kAttrEnableOnExec | kAttrTask |
        kAttrMmapData | kAttrMmap2 | kAttrUseClockid | kAttrContextSwitch | kAttrWriteBackward |
        kAttrNamespaces | kAttrAuxOutput | kAttrCgroup | kAttrTextPoke | kAttrBuildId |
        kAttrRemoveOnExec | kAttrSigtrap;
    if ((attr.bits & kUnsupportedBits) != 0)
        return Errno::Eopnotsupp;
    if (attr.sample_period != 0 &&
        (has(attr, kAttrFreq) || (attr.sample_type & ~kSupportedSampleTypes) != 0))
        return Errno::Eopnotsupp;
    return {};
}

} // namespace perfcore::inline PERFCORE_BINDING
