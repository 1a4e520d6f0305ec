// SPDX-License-Identifier: Apache-2.0
// Entry of every CPU: the arm64 Image header, from EL2 down to EL1, MMU on, into C++.
#define STACK_SHIFT 15

.section .head, "ax"
.global image_start
image_start:
    b       primary
    .long   0
    .quad   0                       // text_offset
    .quad   image_size
    .quad   0xa                     // little-endian, 4 KiB pages, anywhere in RAM
    .quad   0
    .quad   0
    .quad   0
    .ascii  "ARM\x64"
    .long   0

primary:
    mov     x20, xzr                // CPU number
    b       any_cpu

// PSCI CPU_ON target; x0 = CPU number
.global secondary_start
secondary_start:
    mov     x20, x0

any_cpu:
    msr     daifset, #0xf
    mrs     x21, CurrentEL
    lsr     x21, x21, #2
    cmp     x21, #2
    b.ne    at_el1

    // EL2: AArch64 below, timers and GIC system registers open, all counters for EL1.
    mov     x0, #(1 << 31)          // HCR_EL2.RW
    msr     hcr_el2, x0
    mov     x0, #3                  // CNTHCTL_EL2.EL1PCTEN, EL1PCEN
    msr     cnthctl_el2, x0
    msr     cntvoff_el2, xzr
    mov     x0, #0x33ff             // CPTR_EL2: RES1, no traps
    msr     cptr_el2, x0
    mrs     x0, pmcr_el0
    ubfx    x0, x0, #11, #5         // MDCR_EL2.HPMN = PMCR_EL0.N, no traps
    msr     mdcr_el2, x0
    mov     x0, #0xf
    msr     S3_4_C12_C9_5, x0       // ICC_SRE_EL2
    isb
    mov     x0, #0x3c5              // EL1h, all masked
    msr     spsr_el2, x0
    adr     x0, at_el1
    msr     elr_el2, x0
    eret

at_el1:
    msr     spsel, #1
    cbnz    x20, stack
    adrp    x0, bss_start
    add     x0, x0, :lo12:bss_start
    adrp    x1, bss_end
    add     x1, x1, :lo12:bss_end
clear_bss:
    cmp     x0, x1
    b.hs    stack
    stp     xzr, xzr, [x0], #16
    b       clear_bss

stack:
    adrp    x0, cpu_stacks
    add     x0, x0, :lo12:cpu_stacks
    add     x1, x20, #1
    add     x0, x0, x1, lsl #STACK_SHIFT
    mov     sp, x0
    adrp    x0, vectors
    add     x0, x0, :lo12:vectors
    msr     vbar_el1, x0

    // Attr 0: normal write-back; attr 1: device-nGnRnE.
    mov     x0, #0xff
    msr     mair_el1, x0
    // 39-bit VA by TTBR0 only, write-back inner-shareable walks, 4 KiB, 40-bit PA
    ldr     x0, =(25 | (1 << 8) | (1 << 10) | (3 << 12) | (1 << 23) | (2 << 32))
    msr     tcr_el1, x0
    adrp    x0, level1_table
    add     x0, x0, :lo12:level1_table
    cbnz    x20, mmu_on
    // 0..1 GiB: devices, never executable
    ldr     x1, =(0x405 | (1 << 53) | (1 << 54))
    str     x1, [x0]
    // 1..2 GiB: RAM for EL1 only, inner-shareable, UXN
    ldr     x1, =(0x40000000 | 0x701 | (1 << 54))
    str     x1, [x0, #8]
    // 2..3 GiB: the same RAM for EL0: read-only and executable there, PXN
    ldr     x1, =(0x40000000 | 0x701 | (3 << 6) | (1 << 53))
    str     x1, [x0, #16]
mmu_on:
    msr     ttbr0_el1, x0
    dsb     sy
    tlbi    vmalle1
    dsb     sy
    isb
    mrs     x0, sctlr_el1
    mov     x1, #0x1005             // I, C, M
    orr     x0, x0, x1
    msr     sctlr_el1, x0
    isb

    mov     x29, xzr
    mov     x0, x20
    mov     x1, x21
    cbnz    x20, 1f
    bl      kernel_main
1:  bl      secondary_main
2:  wfi
    b       2b

.section .bss
.balign 4096
.global level1_table
level1_table:
    .skip   4096
.balign 16
cpu_stacks:
    .skip   (1 << STACK_SHIFT) * 8
