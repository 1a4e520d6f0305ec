// SPDX-License-Identifier: Apache-2.0
// Exception entry and return, and the way into and out of EL0.
// Layout of the saved frame: pc, sp, pstate, x0..x30 (perfcore::Frame).
#define FRAME_SIZE 272
#define FRAME_X 24

.macro ENTRY kind
    .balign 128
    sub     sp, sp, #FRAME_SIZE
    stp     x0, x1, [sp, #FRAME_X]
    mov     x0, #\kind
    b       save_rest
.endm

.text
.balign 2048
.global vectors
vectors:
    ENTRY 0
    ENTRY 1
    ENTRY 2
    ENTRY 3
    ENTRY 4
    ENTRY 5
    ENTRY 6
    ENTRY 7
    ENTRY 8
    ENTRY 9
    ENTRY 10
    ENTRY 11
    ENTRY 12
    ENTRY 13
    ENTRY 14
    ENTRY 15

save_rest:
    stp     x2, x3, [sp, #FRAME_X + 16]
    stp     x4, x5, [sp, #FRAME_X + 32]
    stp     x6, x7, [sp, #FRAME_X + 48]
    stp     x8, x9, [sp, #FRAME_X + 64]
    stp     x10, x11, [sp, #FRAME_X + 80]
    stp     x12, x13, [sp, #FRAME_X + 96]
    stp     x14, x15, [sp, #FRAME_X + 112]
    stp     x16, x17, [sp, #FRAME_X + 128]
    stp     x18, x19, [sp, #FRAME_X + 144]
    stp     x20, x21, [sp, #FRAME_X + 160]
    stp     x22, x23, [sp, #FRAME_X + 176]
    stp     x24, x25, [sp, #FRAME_X + 192]
    stp     x26, x27, [sp, #FRAME_X + 208]
    stp     x28, x29, [sp, #FRAME_X + 224]
    str     x30, [sp, #FRAME_X + 240]
    mrs     x1, elr_el1
    mrs     x2, sp_el0
    mrs     x3, spsr_el1
    stp     x1, x2, [sp]
    str     x3, [sp, #16]
    mov     x1, x0                  // kind
    mov     x0, sp                  // frame
    bl      exception_entry

    ldp     x1, x2, [sp]
    ldr     x3, [sp, #16]
    msr     elr_el1, x1
    msr     sp_el0, x2
    msr     spsr_el1, x3
    ldp     x2, x3, [sp, #FRAME_X + 16]
    ldp     x4, x5, [sp, #FRAME_X + 32]
    ldp     x6, x7, [sp, #FRAME_X + 48]
    ldp     x8, x9, [sp, #FRAME_X + 64]
    ldp     x10, x11, [sp, #FRAME_X + 80]
    ldp     x12, x13, [sp, #FRAME_X + 96]
    ldp     x14, x15, [sp, #FRAME_X + 112]
    ldp     x16, x17, [sp, #FRAME_X + 128]
    ldp     x18, x19, [sp, #FRAME_X + 144]
    ldp     x20, x21, [sp, #FRAME_X + 160]
    ldp     x22, x23, [sp, #FRAME_X + 176]
    ldp     x24, x25, [sp, #FRAME_X + 192]
    ldp     x26, x27, [sp, #FRAME_X + 208]
    ldp     x28, x29, [sp, #FRAME_X + 224]
    ldr     x30, [sp, #FRAME_X + 240]
    ldp     x0, x1, [sp, #FRAME_X]
    add     sp, sp, #FRAME_SIZE
    eret

// void enter_user(u64 pc, void** saved_sp): runs EL0 code; returns when leave_user() is reached.
.global enter_user
enter_user:
    stp     x29, x30, [sp, #-96]!
    mov     x29, sp
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    mov     x2, sp
    str     x2, [x1]
    msr     daifset, #0xf
    msr     elr_el1, x0
    msr     spsr_el1, xzr           // EL0t, interrupts on
    msr     sp_el0, xzr
    eret

// [[noreturn]] void leave_user(void* saved_sp): back to enter_user's caller, interrupts masked.
.global leave_user
leave_user:
    mov     sp, x0
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     x29, x30, [sp], #96
    ret

// The EL0 program: counts for ever. Position independent, no memory, no stack.
.balign 4096
.global user_loop
.global user_loop_end
user_loop:
    mov     x0, xzr
1:  add     x0, x0, #1
    add     x1, x0, x0
    eor     x2, x1, x0
    b       1b
user_loop_end:
.balign 4096
