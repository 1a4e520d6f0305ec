// SPDX-License-Identifier: Apache-2.0
// Exceptions: interrupts of both levels, and everything else as a panic with registers.
#include "core/hooks/hooks.hpp"
#include "hw/aarch64/kernel/kernel.hpp"

extern "C" [[noreturn]] void leave_user(void* saved_sp);

namespace kernel {

namespace {

static_assert(sizeof(Frame) == 272 && offsetof(Frame, x) == 24, "vectors.S saves this layout");

constexpr u64 kIrqEl1 = 5; // vector numbers
constexpr u64 kIrqEl0 = 9;
constexpr u32 kExitPanic = 99;

void serve_calls(Cpu& cpu)
{
    const u64 flags = cpu.calls_lock.lock();
    CallRequest* calls = cpu.calls;
    Hal::Work* async_calls = cpu.async_calls;
    cpu.calls = nullptr;
    cpu.async_calls = nullptr;
    cpu.calls_lock.unlock(flags);
    while (calls != nullptr) {
        CallRequest* next = calls->next; // gone once done is set
        ++cpu.atomic_depth;
        calls->fn(calls->arg);
        --cpu.atomic_depth;
        calls->done.store(1, MemoryOrder::Release);
        calls = next;
    }
    while (async_calls != nullptr) {
        Hal::Work* next = async_calls->next;
        async_calls->queued.store(0, MemoryOrder::Release);
        async_calls->fn(async_calls->arg);
        async_calls = next;
    }
}

void run_deferred(Cpu& cpu)
{
    while (cpu.deferred != nullptr) {
        Hal::Work* work = cpu.deferred;
        cpu.deferred = work->next;
        work->queued.store(0, MemoryOrder::Release);
        work->fn(work->arg);
    }
}

void run_timers(Cpu& cpu)
{
    const u64 now = clock::now_ns();
    for (Hal::Timer* timer = cpu.timers; timer != nullptr;) {
        Hal::Timer* next = timer->next;
        if (timer->deadline_ns() <= now) {
            timer->cancel();
            timer->fire();
            next = cpu.timers; // the list may have changed
        }
        timer = next;
    }
    clock::program_timers();
}

} // namespace

void handle_interrupt(Frame& frame, bool from_user)
{
    Cpu& cpu = this_cpu();
    ++cpu.interrupt_depth;
    const Frame* outer = cpu.frame;
    cpu.frame = &frame;
    for (u32 intid = gic::acknowledge(); intid < gic::kSpurious; intid = gic::acknowledge()) {
        switch (intid) {
        case gic::kPmuPpi:
            hooks::pmu_irq();
            break;
        case gic::kCallSgi:
            serve_calls(cpu);
            break;
        case gic::kTickPpi:
            ++cpu.ticks;
            clock::tick_again();
            hooks::tick();
            break;
        case gic::kTimerPpi:
            run_timers(cpu);
            break;
        default:
            break;
        }
        gic::end(intid);
    }
    run_deferred(cpu);
    cpu.frame = outer;
    --cpu.interrupt_depth;
    if (from_user && cpu.current->stop.load(MemoryOrder::Acquire) != 0)
        leave_user(cpu.current->kernel_sp);
}

extern "C" void exception_entry(Frame* frame, u64 kind)
{
    if (kind == kIrqEl1 || kind == kIrqEl0) {
        handle_interrupt(*frame, kind == kIrqEl0);
        return;
    }
    u64 esr = 0;
    u64 far = 0;
    asm volatile("mrs %0, esr_el1" : "=r"(esr));
    asm volatile("mrs %0, far_el1" : "=r"(far));
    put("exception ");
    put_number(kind);
    put(" on CPU ");
    put_number(this_cpu().id);
    put(": ESR ");
    put_hex(esr);
    put(" FAR ");
    put_hex(far);
    put(" PC ");
    put_hex(frame->pc);
    put("\n");
    for (u32 i = 0; i < 31; ++i) {
        put(" x");
        put_number(i);
        put(" ");
        put_hex(frame->x[i]);
        put(i % 4 == 3 ? "\n" : "");
    }
    put("\n");
    leave(kExitPanic);
}

} // namespace kernel

namespace perfcore::inline aarch64_binding {

void Hal::panic(const char* text, const char* file, int line)
{
    kernel::put("panic: ");
    kernel::put(text);
    kernel::put(" at ");
    kernel::put(file);
    kernel::put(":");
    kernel::put_number(static_cast<u64>(line));
    kernel::put("\n");
    // Frame records: {caller's frame, return address}.
    const u64* fp = static_cast<const u64*>(__builtin_frame_address(0));
    constexpr u32 kFramesMax = 16;
    for (u32 depth = 0; depth < kFramesMax && fp != nullptr; ++depth) {
        kernel::put("  from ");
        kernel::put_hex(fp[1]);
        kernel::put("\n");
        const u64* caller = reinterpret_cast<const u64*>(fp[0]);
        fp = caller > fp ? caller : nullptr;
    }
    kernel::leave(kernel::kExitPanic);
}

} // namespace perfcore::inline aarch64_binding
