// SPDX-License-Identifier: Apache-2.0
// Intrusive doubly linked list: no allocation, O(1) insertion and removal, order of insertion.
// The owner of the list says what membership means and which lock guards it.
#pragma once

#include "core/base/types.hpp"

namespace perfcore {

template <typename T>
struct ListLink {
    T* previous = nullptr;
    T* next = nullptr;
    bool linked = false;
};

/// List of T through its member `Link`. An element is in at most one list per link.
template <typename T, ListLink<T> T::*Link>
class List {
public:
    [[nodiscard]] bool empty() const { return m_first == nullptr; }
    [[nodiscard]] T* first() const { return m_first; }
    [[nodiscard]] static T* next(const T& element) { return (element.*Link).next; }
    [[nodiscard]] static bool contains(const T& element) { return (element.*Link).linked; }

    void push_back(T& element)
    {
        ListLink<T>& link = element.*Link;
        link = {m_last, nullptr, true};
        (m_last != nullptr ? (m_last->*Link).next : m_first) = &element;
        m_last = &element;
    }

    void remove(T& element)
    {
        ListLink<T>& link = element.*Link;
        (link.previous != nullptr ? (link.previous->*Link).next : m_first) = link.next;
        (link.next != nullptr ? (link.next->*Link).previous : m_last) = link.previous;
        link = {};
    }

private:
    T* m_first = nullptr;
    T* m_last = nullptr;
};

} // namespace perfcore
