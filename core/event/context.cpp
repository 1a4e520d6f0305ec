// SPDX-License-Identifier: Apache-2.0
#include "core/event/context.hpp"

#include "core/hal/assert.hpp"

#include <new>

#include "core/base/fence.hpp"

namespace perfcore::inline PERFCORE_BINDING {

Context* context_create(Hal::Task* task)
{
    void* memory = Hal::alloc(sizeof(Context));
    return memory != nullptr ? new (memory) Context(task) : nullptr;
}

void context_hold(Context& context)
{
    context.references.fetch_add(1, MemoryOrder::Relaxed);
}

void context_put(Context& context)
{
    const u32 before = context.references.fetch_add(~u32{0}, MemoryOrder::AcquireRelease);
    PERFCORE_ASSERT(before > 0);
    if (before > 1)
        return;
    PERFCORE_ASSERT(context.empty());
    Hal::free(&context, sizeof(Context));
}

} // namespace perfcore::inline PERFCORE_BINDING
