#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build into a temporary prefix and builds a dummy kernel outside the tree with it.
# Usage: run.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$1 build_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build_dir" --prefix "$work/prefix" >"$work/install.log"
mkdir "$work/kernel"
cp "$source_dir"/tests/install/{main.cpp,perfcore_hal.hpp} "$work/kernel/"
cp "$source_dir/tests/install/kernel.cmake" "$work/kernel/CMakeLists.txt"
cmake -S "$work/kernel" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log"
cmake --build "$work/build" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/build/dummy"
# The installed simulator finds its machines without the source tree.
cd "$work"
"$work/prefix/bin/perfsim" run "$work/prefix/share/perfcore/scenarios/quickstart.yaml"
