// SPDX-License-Identifier: Apache-2.0
// Console, clock, PSCI and the way out: QEMU virt.
#include "hw/aarch64/kernel/kernel.hpp"

namespace kernel {

namespace {

constexpr u64 kUart = 0x0900'0000; // PL011
constexpr u64 UARTDR = 0x00;
constexpr u64 UARTFR = 0x18;
constexpr u32 kTransmitFull = 1u << 5;
constexpr u64 kNsPerSecond = 1'000'000'000;

Hal::SpinLock s_console{"console"};
bool s_smc = false;

void put_char(char c)
{
    while ((*reinterpret_cast<volatile u32*>(kUart + UARTFR) & kTransmitFull) != 0)
        Hal::relax();
    *reinterpret_cast<volatile u32*>(kUart + UARTDR) = static_cast<u8>(c);
}

u64 frequency()
{
    u64 hz = 0;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
}

u64 counter()
{
    u64 count = 0;
    asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
}

u64 ticks_of(u64 ns)
{
    const u64 hz = frequency();
    return ns / kNsPerSecond * hz + ns % kNsPerSecond * hz / kNsPerSecond;
}

} // namespace

void put(const char* text)
{
    const u64 flags = s_console.lock();
    for (; *text != '\0'; ++text) {
        if (*text == '\n')
            put_char('\r');
        put_char(*text);
    }
    s_console.unlock(flags);
}

void put_number(u64 value)
{
    char digits[21];
    char* at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put(at);
}

void put_hex(u64 value)
{
    char digits[19] = "0x";
    for (u32 i = 0; i < 16; ++i)
        digits[2 + i] = "0123456789abcdef"[(value >> (60 - 4 * i)) & 0xf];
    digits[18] = '\0';
    put(digits);
}

void leave(u32 code)
{
    constexpr u64 SYS_EXIT = 0x18;
    const u64 block[2] = {0x20026, code}; // ADP_Stopped_ApplicationExit
    for (;;) {
        register u64 x0 asm("x0") = SYS_EXIT;
        register const u64* x1 asm("x1") = block;
        asm volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
    }
}

namespace clock {

u64 now_ns()
{
    const u64 hz = frequency();
    const u64 count = counter();
    return count / hz * kNsPerSecond + count % hz * kNsPerSecond / hz;
}

void start_tick()
{
    asm volatile("msr cntv_tval_el0, %0" : : "r"(ticks_of(kTickNs)));
    asm volatile("msr cntv_ctl_el0, %0\n\tisb" : : "r"(u64{1}));
    gic::enable(gic::kTickPpi, true);
    gic::enable(gic::kTimerPpi, true);
}

void tick_again()
{
    asm volatile("msr cntv_tval_el0, %0\n\tisb" : : "r"(ticks_of(kTickNs)));
}

void program_timers()
{
    const Hal::Timer* earliest = nullptr;
    for (Hal::Timer* timer = this_cpu().timers; timer != nullptr; timer = timer->next)
        if (earliest == nullptr || timer->deadline_ns() < earliest->deadline_ns())
            earliest = timer;
    if (earliest != nullptr)
        asm volatile("msr cntp_cval_el0, %0" : : "r"(ticks_of(earliest->deadline_ns())));
    asm volatile("msr cntp_ctl_el0, %0\n\tisb" : : "r"(u64{earliest != nullptr ? 1u : 0u}));
}

} // namespace clock

namespace psci {

void use_smc(bool smc)
{
    s_smc = smc;
}

i64 cpu_on(u64 mpidr, u64 entry, u64 context)
{
    constexpr u64 CPU_ON = 0xc400'0003;
    register u64 x0 asm("x0") = CPU_ON;
    register u64 x1 asm("x1") = mpidr;
    register u64 x2 asm("x2") = entry;
    register u64 x3 asm("x3") = context;
    if (s_smc)
        asm volatile("smc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
    else
        asm volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
    return static_cast<i64>(x0);
}

} // namespace psci
} // namespace kernel
