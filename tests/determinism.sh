#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All given builds of perfsim print the same JSON for every scenario, ordered and random, byte by byte.
# Usage: determinism.sh PERFSIM...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0
for perfsim in "$@"; do
    number=$((number + 1))
    "$perfsim" run scenarios --format json >"$work/ordered.$number"
    "$perfsim" run scenarios --format json --schedule random --seed 0x5eed >"$work/random.$number"
    for kind in ordered random; do
        cmp "$work/$kind.1" "$work/$kind.$number" || { echo "$perfsim differs from $1 ($kind)"; exit 1; }
    done
done
echo "$number builds agree on $(wc -l <"$work/ordered.1") scenarios, $(cat "$work"/*.1 | wc -c) bytes"
