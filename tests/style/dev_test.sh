#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What ./dev says and does with a fake system: nothing when all is installed, apt with root or sudo when not,
# the exact command and exit 2 with neither.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
fails=0
fake() { printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"; chmod +x "$work/bin/$1"; }
check() { if eval "$2"; then echo "ok   $1"; else echo "FAIL $1: $(cat "$work/out")"; fails=$((fails + 1)); fi; }
run() { : >"$work/calls"; code=0; PATH="$work/bin:/usr/bin:/bin" ./dev "$@" >"$work/out" 2>&1 </dev/null || code=$?; }

fake apt-get "echo \"apt-get \$*\" >>$work/calls"
fake sudo '[ "$1" = -n ] && shift; [ "$1" = true ] && exit 0; exec "$@"'

fake id 'echo 0'
fake dpkg-query 'echo installed'
run setup run
check "all installed: no package tool is called" '[ $code = 0 ] && [ ! -s "$work/calls" ]'
check "all installed: nothing is said" '[ ! -s "$work/out" ]'

fake dpkg-query '[ "${@: -1}" = libfmt-dev ] || echo installed'
run setup run
check "root: installs just what is missing" 'grep -q "install.* libfmt-dev$" "$work/calls" && ! grep -q systemc "$work/calls"'
check "root: says what" 'grep -q "installing libfmt-dev" "$work/out"'

fake id 'echo 1000'
run setup run
check "sudo: installs" '[ $code = 0 ] && grep -q "libfmt-dev" "$work/calls"'

fake sudo 'exit 1'
run setup run
check "neither: exit 2 and the exact command" '[ $code = 2 ] && grep -q "apt-get install --no-install-recommends libfmt-dev" "$work/out" && [ ! -s "$work/calls" ]'

fake id 'echo 0'
fake apt-get "echo \"apt-get \$*\" >>$work/calls; case \"\$*\" in *install*) exit 100;; esac"
run setup run
check "a failing install is an error" '[ $code = 2 ] && grep -q "could not install" "$work/out"'

run nonsense
check "unknown command: exit 2" '[ $code = 2 ] && grep -q "unknown command" "$work/out"'
run help
check "help" '[ $code = 0 ] && grep -q "usage: ./dev" "$work/out"'
[ "$fails" = 0 ]
