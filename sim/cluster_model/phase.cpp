// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster_model/phase.hpp"

#include <algorithm>

namespace perfsim {

namespace {

using u128 = unsigned __int128;

constexpr u64 kPsPerSecond = 1'000'000'000'000;
constexpr u32 kInstRetired = 0x08;
constexpr u32 kCpuCycles = 0x11;

u64 floor_times(u64 value, Ratio ratio)
{
    return static_cast<u64>(u128{value} * ratio.num / ratio.den);
}

} // namespace

Phase::Phase(const Function& function, u64 instructions)
    : m_function(&function), m_total(instructions)
{
}

void Phase::resume(const ClusterConfig& cluster, u64 now_ps)
{
    const auto cpi = m_function->cpi.find(cluster.core_type);
    m_cpi = cpi != m_function->cpi.end() ? cpi->second : Ratio{};
    m_frequency = cluster.frequency_hz;
    m_anchor = static_cast<__int128>(now_ps) - ps_for(m_done);
}

__int128 Phase::ps_for(u64 k) const
{
    const u128 cycles_ps = u128{k} * m_cpi.num * kPsPerSecond;
    const u128 per = u128{m_cpi.den} * m_frequency;
    return static_cast<__int128>((cycles_ps + per - 1) / per);
}

u64 Phase::instant(u64 k) const
{
    return static_cast<u64>(m_anchor + ps_for(k));
}

u64 Phase::position_at(u64 ps) const
{
    const __int128 elapsed = static_cast<__int128>(ps) - m_anchor;
    if (elapsed < 0)
        return m_done;
    const u128 k =
        static_cast<u128>(elapsed) * m_cpi.den * m_frequency / (u128{m_cpi.num} * kPsPerSecond);
    return std::clamp(static_cast<u64>(std::min(k, u128{m_total})), m_done, m_total);
}

u64 Phase::boundary_at(u64 ps) const
{
    const u64 before = position_at(ps);
    return instant(before) >= ps ? before : std::min(before + 1, m_total);
}

Ratio Phase::rate(u32 event) const
{
    if (event == kInstRetired)
        return {1, 1};
    if (event == kCpuCycles)
        return m_cpi;
    const auto found = m_function->rates.find(event);
    return found != m_function->rates.end() ? found->second : Ratio{0, 1};
}

u64 Phase::events_until(u32 event, u64 k) const
{
    const Ratio ratio = rate(event);
    return floor_times(k, ratio) - floor_times(m_done, ratio);
}

u64 Phase::position_after(u32 event, u64 n) const
{
    const Ratio ratio = rate(event);
    if (ratio.num == 0 || n == kNever)
        return kNever;
    const u128 target = u128{floor_times(m_done, ratio)} + n;
    const u128 k = (target * ratio.den + ratio.num - 1) / ratio.num;
    return k <= m_total ? static_cast<u64>(k) : kNever;
}

u64 Phase::pc() const
{
    constexpr u64 kInstructionBytes = 4;
    const u64 body = m_function->size / kInstructionBytes;
    return m_function->address + (body != 0 ? m_done % body : 0) * kInstructionBytes;
}

} // namespace perfsim
