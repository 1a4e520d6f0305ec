// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel_model/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace perfsim {

namespace {

constexpr usize kRedZone = 64;
constexpr u8 kRedFill = 0xf5;
constexpr u8 kFreeFill = 0xdb;

} // namespace

void* Heap::allocate(usize size, usize alignment)
{
    Block block;
    const usize total = size + 2 * kRedZone + alignment;
    block.storage = std::make_unique<u8[]>(total);
    std::memset(block.storage.get(), kRedFill, total);
    const auto base = reinterpret_cast<std::uintptr_t>(block.storage.get()) + kRedZone;
    const usize pad = (alignment - base % alignment) % alignment;
    block.data = block.storage.get() + kRedZone + pad;
    block.size = size;
    block.number = ++m_allocations;
    std::memset(block.data, 0, size);
    u8* data = block.data;
    m_blocks.push_back(std::move(block));
    return data;
}

Heap::Block* Heap::find(const void* pointer)
{
    for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block)
        if (block->data == pointer)
            return &*block;
    return nullptr;
}

bool Heap::intact(const u8* from, const u8* to, u8 fill) const
{
    return std::all_of(from, to, [fill](u8 byte) { return byte == fill; });
}

void Heap::free(void* pointer, usize size)
{
    Block* block = find(pointer);
    if (block == nullptr) {
        m_report("free of a pointer that was never allocated");
        return;
    }
    if (block->freed) {
        m_report(
            fmt::format("double free of allocation {} ({} bytes)", block->number, block->size));
        return;
    }
    if (block->size != size)
        m_report(fmt::format("allocation {} has {} bytes but was freed as {}", block->number,
                             block->size, size));
    if (!intact(block->data - kRedZone, block->data, kRedFill) ||
        !intact(block->data + block->size, block->data + block->size + kRedZone, kRedFill))
        m_report(fmt::format("write beyond the ends of allocation {} ({} bytes)", block->number,
                             block->size));
    std::memset(block->data, kFreeFill, block->size);
    block->freed = true;
    ASAN_POISON_MEMORY_REGION(block->data, block->size);
}

void Heap::check_end()
{
    for (Block const& block : m_blocks) {
        if (!block.freed) {
            m_report(
                fmt::format("allocation {} ({} bytes) was never freed", block.number, block.size));
            continue;
        }
        ASAN_UNPOISON_MEMORY_REGION(block.data, block.size);
        if (!intact(block.data, block.data + block.size, kFreeFill))
            m_report(fmt::format("write to allocation {} ({} bytes) after it was freed",
                                 block.number, block.size));
    }
}

} // namespace perfsim
