#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boots the image in QEMU and exits with its verdict. Usage: run_qemu.sh IMAGE CPU el1|el2 icount|mttcg
# Under icount two boots must print the same bytes. 77: skipped. A hang is ended and shown.
set -uo pipefail
image=$1 cpu=$2 level=$3 clock=$4
bound=60
if ! command -v qemu-system-aarch64 >/dev/null; then
    echo "SKIP: qemu-system-aarch64 is not installed (./dev setup test installs it)"
    exit 77
fi
machine=virt,gic-version=3
[ "$level" = el1 ] || machine=$machine,virtualization=on
options=()
[ "$clock" = mttcg ] || options=(-icount shift=0,sleep=off)
boot() {
    timeout "$bound" qemu-system-aarch64 -M "$machine" -cpu "$cpu" -smp 2 -m 256 -nic none -display none \
        -serial stdio -monitor none -semihosting-config enable=on,target=native -kernel "$image" \
        "${options[@]}" </dev/null
}
output=$(boot)
status=$?
echo "$output"
if [ "$status" = 124 ]; then
    echo "FAIL: no end within $bound s; the last output is above"
    exit 1
fi
[ "$status" = 0 ] || { echo "FAIL: exit status $status"; exit 1; }
if [ "$clock" = icount ]; then
    [ "$output" = "$(boot)" ] || { echo "FAIL: two boots under icount differ"; exit 1; }
    echo "two boots print the same bytes"
fi
