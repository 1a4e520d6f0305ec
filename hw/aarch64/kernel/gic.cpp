// SPDX-License-Identifier: Apache-2.0
// GICv3 of QEMU virt (GIC architecture specification IHI 0069; addresses from its device tree).
#include "hw/aarch64/kernel/kernel.hpp"

namespace kernel::gic {

namespace {

constexpr u64 kDistributor = 0x0800'0000;
constexpr u64 kRedistributors = 0x080a'0000;
constexpr u64 kRedistributorStride = 0x2'0000;
constexpr u64 kSgiFrame = 0x1'0000;

constexpr u64 GICD_CTLR = 0x000;
constexpr u64 GICD_TYPER = 0x004;
constexpr u64 GICD_ICENABLER = 0x180;
constexpr u64 GICR_WAKER = 0x014;
constexpr u64 GICR_IGROUPR0 = 0x080;
constexpr u64 GICR_ISENABLER0 = 0x100;
constexpr u64 GICR_ICENABLER0 = 0x180;
constexpr u64 GICR_IPRIORITYR = 0x400;

constexpr u32 kEnableGroup1AndAffinity = 0x12;
constexpr u32 kProcessorSleep = 1u << 1;
constexpr u32 kChildrenAsleep = 1u << 2;
constexpr u32 kPriority = 0xa0a0'a0a0;

volatile u32& reg(u64 address)
{
    return *reinterpret_cast<volatile u32*>(address);
}

u64 sgi_frame(u32 cpu)
{
    return kRedistributors + kRedistributorStride * cpu + kSgiFrame;
}

} // namespace

void init_distributor()
{
    reg(kDistributor + GICD_CTLR) = 0;
    // Every shared interrupt stays masked: a device left running by firmware must not storm.
    const u32 banks = (reg(kDistributor + GICD_TYPER) & 0x1f) + 1;
    for (u32 bank = 1; bank < banks; ++bank)
        reg(kDistributor + GICD_ICENABLER + 4 * bank) = ~0u;
    reg(kDistributor + GICD_CTLR) = kEnableGroup1AndAffinity;
}

void init_cpu(u32 cpu)
{
    const u64 redistributor = kRedistributors + kRedistributorStride * cpu;
    reg(redistributor + GICR_WAKER) = reg(redistributor + GICR_WAKER) & ~kProcessorSleep;
    while ((reg(redistributor + GICR_WAKER) & kChildrenAsleep) != 0)
        Hal::relax();
    const u64 sgi = sgi_frame(cpu);
    reg(sgi + GICR_ICENABLER0) = ~0u;
    reg(sgi + GICR_IGROUPR0) = ~0u;
    for (u32 word = 0; word < 8; ++word)
        reg(sgi + GICR_IPRIORITYR + 4 * word) = kPriority;
    asm volatile("msr S3_0_C12_C12_5, %0\n\tisb" : : "r"(u64{1})); // ICC_SRE_EL1
    asm volatile("msr S3_0_C4_C6_0, %0" : : "r"(u64{0xf0}));       // ICC_PMR_EL1
    asm volatile("msr S3_0_C12_C12_3, %0" : : "r"(u64{0}));        // ICC_BPR1_EL1
    asm volatile("msr S3_0_C12_C12_7, %0\n\tisb" : : "r"(u64{1})); // ICC_IGRPEN1_EL1
}

void enable(u32 intid, bool on)
{
    reg(sgi_frame(this_cpu().id) + (on ? GICR_ISENABLER0 : GICR_ICENABLER0)) = 1u << intid;
    asm volatile("dsb sy" : : : "memory");
}

u32 acknowledge()
{
    u64 intid = 0;
    asm volatile("mrs %0, S3_0_C12_C12_0" : "=r"(intid)); // ICC_IAR1_EL1
    asm volatile("dsb sy" : : : "memory");
    return static_cast<u32>(intid & 0xff'ffff);
}

void end(u32 intid)
{
    asm volatile("msr S3_0_C12_C12_1, %0\n\tisb" : : "r"(u64{intid})); // ICC_EOIR1_EL1
}

void send(u32 cpu)
{
    const u64 mpidr = cpus[cpu].mpidr;
    const u64 aff1 = (mpidr >> 8) & 0xff;
    const u64 target = u64{1} << (mpidr & 0xf);
    // What the interrupt is about must be visible before it arrives.
    asm volatile("dsb ish" : : : "memory");
    asm volatile("msr S3_0_C12_C11_5, %0\n\tisb" // ICC_SGI1R_EL1
                 :
                 : "r"(target | (aff1 << 16) | (u64{kCallSgi} << 24)));
}

} // namespace kernel::gic
