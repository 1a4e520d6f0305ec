// SPDX-License-Identifier: Apache-2.0
// Kernel memory: first-fit runs of units in an arena with a bitmap, one arena of small units and
// one of pages. Also the C functions compilers call.
#include "hw/aarch64/kernel/kernel.hpp"

extern "C" void* memset(void* to, int value, perfcore::usize size)
{
    auto* bytes = static_cast<volatile perfcore::u8*>(to);
    for (perfcore::usize i = 0; i < size; ++i)
        bytes[i] = static_cast<perfcore::u8>(value);
    return to;
}

extern "C" void* memcpy(void* to, const void* from, perfcore::usize size)
{
    auto* out = static_cast<volatile perfcore::u8*>(to);
    const auto* in = static_cast<const perfcore::u8*>(from);
    for (perfcore::usize i = 0; i < size; ++i)
        out[i] = in[i];
    return to;
}

namespace kernel {

namespace {

template <usize UnitSize, usize Units>
class Arena {
public:
    void* allocate(usize bytes)
    {
        const usize wanted = (bytes + UnitSize - 1) / UnitSize;
        const u64 flags = m_lock.lock();
        void* found = nullptr;
        usize run = 0;
        for (usize unit = 0; unit < Units && found == nullptr; ++unit) {
            run = m_used[unit] ? 0 : run + 1;
            if (run == wanted) {
                const usize first = unit + 1 - wanted;
                for (usize i = first; i <= unit; ++i)
                    m_used[i] = true;
                m_live += wanted * UnitSize;
                found = m_memory + first * UnitSize;
            }
        }
        m_lock.unlock(flags);
        if (found != nullptr)
            memset(found, 0, bytes);
        return found;
    }

    void release(void* pointer, usize bytes)
    {
        const usize first = static_cast<usize>(static_cast<u8*>(pointer) - m_memory) / UnitSize;
        const usize count = (bytes + UnitSize - 1) / UnitSize;
        const u64 flags = m_lock.lock();
        for (usize i = first; i < first + count; ++i) {
            if (!m_used[i])
                Hal::panic("double free", __FILE__, __LINE__);
            m_used[i] = false;
        }
        m_live -= count * UnitSize;
        m_lock.unlock(flags);
    }

    u64 live() const { return m_live; }

private:
    Hal::SpinLock m_lock{"arena"};
    bool m_used[Units] = {};
    u64 m_live = 0;
    alignas(UnitSize) u8 m_memory[Units * UnitSize];
};

Arena<64, 4096> s_small;
Arena<kPageSize, 256> s_pages;

} // namespace

u64 live_bytes()
{
    return s_small.live() + s_pages.live();
}

} // namespace kernel

namespace perfcore::inline aarch64_binding {

void* Hal::alloc(usize size)
{
    return kernel::s_small.allocate(size);
}

void Hal::free(void* pointer, usize size)
{
    kernel::s_small.release(pointer, size);
}

void* Hal::pages_alloc(usize pages)
{
    return kernel::s_pages.allocate(pages * kPageSize);
}

void Hal::pages_free(void* pointer, usize pages)
{
    kernel::s_pages.release(pointer, pages * kPageSize);
}

bool Hal::map_user(Vma& vma, void* pages, usize count, bool, MemoryAttr)
{
    vma.pages = pages;
    vma.count = count;
    return true;
}

// The tasks that make calls run in the kernel's address space; a null page is never theirs.
bool Hal::copy_from_user(void* to, u64 from, usize size)
{
    if (from < kPageSize)
        return false;
    memcpy(to, reinterpret_cast<const void*>(from), size);
    return true;
}

bool Hal::copy_to_user(u64 to, const void* from, usize size)
{
    if (to < kPageSize)
        return false;
    memcpy(reinterpret_cast<void*>(to), from, size);
    return true;
}

u64 Hal::translation_root(bool user)
{
    u64 root = 0;
    if (user)
        asm volatile("mrs %0, ttbr0_el1" : "=r"(root));
    else
        asm volatile("mrs %0, ttbr1_el1" : "=r"(root));
    return root;
}

void* Hal::ram(u64 address, usize size)
{
    constexpr u64 kRamBase = 0x4000'0000;
    constexpr u64 kRamSize = 0x0800'0000; // the least QEMU virt is started with here
    const bool inside =
        address >= kRamBase && size <= kRamSize && address - kRamBase <= kRamSize - size;
    return inside ? reinterpret_cast<void*>(address) : nullptr;
}

bool Hal::mlock_charge(usize)
{
    return true; // one user, no limit
}

void Hal::mlock_uncharge(usize) {}

} // namespace perfcore::inline aarch64_binding
