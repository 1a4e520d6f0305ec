// SPDX-License-Identifier: Apache-2.0
// EventQueue: what devices will do, by instant. Entries are cancelled by their generation going
// stale, so nothing is searched for.
#pragma once

#include "core/base/types.hpp"

#include <algorithm>
#include <vector>

namespace perfsim {

using perfcore::u32;
using perfcore::u64;

enum class DeviceEvent : perfcore::u8 {
    UserStop, ///< a user phase reaches its planned position
    Tick,
    PmuVisible, ///< the PMU interrupt reaches the interrupt controller
    SgiArrival,
    Timer,
    Wake,   ///< a sleeping task's time has come
    CpuOff, ///< the fault of that name
};

struct QueuedEvent {
    u64 instant = 0;
    u64 order = 0; ///< ties: order of entry, or drawn from the schedule
    DeviceEvent kind = DeviceEvent::UserStop;
    u32 cpu = 0;
    u64 generation = 0; ///< must equal the target's, else it was cancelled
    void* object = nullptr;
};

class EventQueue {
public:
    void clear() { m_heap.clear(); }
    [[nodiscard]] bool empty() const { return m_heap.empty(); }
    [[nodiscard]] const QueuedEvent& top() const { return m_heap.front(); }
    void push(const QueuedEvent& event)
    {
        m_heap.push_back(event);
        std::push_heap(m_heap.begin(), m_heap.end(), later);
    }
    QueuedEvent pop()
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        const QueuedEvent event = m_heap.back();
        m_heap.pop_back();
        return event;
    }

private:
    static bool later(const QueuedEvent& a, const QueuedEvent& b)
    {
        return a.instant != b.instant ? a.instant > b.instant : a.order > b.order;
    }
    std::vector<QueuedEvent> m_heap;
};

} // namespace perfsim
