#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev setup --list` equals what the build files ask for. Usage: check_packages.py TREE

Every find_package, pkg_check_modules, toolchain program and test tool the CMake files name maps to one Debian
package; dev must list exactly those (and the tools it calls itself).
"""
import os
import re
import subprocess
import sys

ASKED = {
    ('find_package', 'fmt'): 'libfmt-dev',
    ('find_package', 'CLI11'): 'libcli11-dev',
    ('find_package', 'yaml-cpp'): 'libyaml-cpp-dev',
    ('find_package', 'nlohmann_json'): 'nlohmann-json3-dev',
    ('find_package', 'GTest'): 'libgtest-dev',
    ('find_package', 'benchmark'): 'libbenchmark-dev',
    ('find_package', 'Python3'): 'python3',
    ('find_package', 'PkgConfig'): 'pkg-config',
    ('pkg_check_modules', 'systemc'): 'libsystemc-dev',
    ('compiler', 'aarch64-linux-gnu-g++'): 'g++-aarch64-linux-gnu',
    ('compiler', 'clang++'): 'clang',
    ('find_program', 'qemu-system-aarch64'): 'qemu-system-arm',
    ('find_program', 'clang-format'): 'clang-format',
    ('find_program', 'git'): 'git',
    ('find_program', 'patch'): 'patch',
}
# What no find_ command names: the compiler, the build tools, the headers of the cross C library, dev's tidy.
ALWAYS = {'g++', 'cmake', 'ninja-build', 'libc6-dev-arm64-cross', 'clang-tidy'}
OPTIONAL = {('find_program', 'ccache')}


def main():
    tree = os.path.abspath(sys.argv[1])
    names = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], cwd=tree, check=True,
                           capture_output=True, text=True).stdout.split('\n')
    asked = set()
    for name in names:
        if not name.endswith(('CMakeLists.txt', '.cmake', 'CMakePresets.json')) or 'tests/install' in name:
            continue
        if not os.path.exists(os.path.join(tree, name)):
            continue
        text = open(os.path.join(tree, name), encoding='utf-8').read()
        text = re.sub(r'^\s*#.*$', '', text, flags=re.M)
        for found in re.finditer(r'find_package\((\w[\w-]*)', text):
            asked.add(('find_package', found.group(1)))
        for found in re.finditer(r'pkg_check_modules\((\w+)', text):
            asked.add(('pkg_check_modules', found.group(1)))
        for found in re.finditer(r'find_program\(\w+ ([\w+-]+)', text):
            asked.add(('find_program', found.group(1)))
        for found in re.finditer(r'CMAKE_CXX_COMPILER"?:? "?(clang\+\+|aarch64-linux-gnu-g\+\+)', text):
            asked.add(('compiler', found.group(1)))
    unknown = sorted(asked - set(ASKED) - OPTIONAL)
    wanted = ALWAYS | {ASKED[ask] for ask in asked if ask in ASKED}
    listed = set(subprocess.run([os.path.join(tree, 'dev'), 'setup', '--list'], check=True,
                                capture_output=True, text=True).stdout.split())
    for ask in unknown:
        print(f'{ask[0]}({ask[1]}) is asked for, but no package is known for it')
    for package in sorted(wanted - listed):
        print(f'{package} is asked for by the build files but not listed by dev')
    for package in sorted(listed - wanted):
        print(f'{package} is listed by dev but nothing asks for it')
    bad = unknown or wanted != listed
    if not bad:
        print(f'{len(listed)} packages, all asked for')
    sys.exit(1 if bad else 0)


main()
