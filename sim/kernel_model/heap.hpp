// SPDX-License-Identifier: Apache-2.0
// Heap: the memory the simulated kernel gives the core. Red zones around every block; freed blocks
// are filled and kept until the world's end, and must be untouched then; leaks are reported with
// their size and number of allocation. All memory goes back with the Heap.
#pragma once

#include "core/base/types.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perfsim {

using perfcore::u32;
using perfcore::u64;
using perfcore::u8;
using perfcore::usize;

class Heap {
public:
    /// Called with what is wrong.
    using Report = std::function<void(std::string)>;

    explicit Heap(Report report) : m_report(std::move(report)) {}

    void* allocate(usize size, usize alignment = 16);
    void free(void* pointer, usize size);
    /// Every block must have been freed and no freed block written since.
    void check_end();

private:
    struct Block {
        std::unique_ptr<u8[]> storage;
        u8* data = nullptr;
        usize size = 0;
        u64 number = 0;
        bool freed = false;
    };
    Block* find(const void* pointer);
    bool intact(const u8* from, const u8* to, u8 fill) const;

    Report m_report;
    std::vector<Block> m_blocks;
    u64 m_allocations = 0;
};

} // namespace perfsim
