#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The project's own style rules, as a test. Usage: style.py TREE [--self-test]

Each rule is a function that yields complaints about a tree. The self-test plants one violation per rule in
a copy of the tree and demands that exactly that rule complains.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

CODE = ('.cpp', '.hpp', '.S', '.ld')
SCRIPTS = ('.py', '.sh', '.cmake', 'CMakeLists.txt', '.yaml', 'dev', 'run')
BANNED = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK']
# Folders of core by layer; a file may include from its own layer's folders and lower ones.
LAYERS = [['hal', 'abi', 'base'], ['pmu', 'ring', 'callchain'], ['event'], ['record'], ['sched'],
          ['sample'], ['software'], ['control', 'hooks'], ['sysfs']]
RANK = {folder: rank for rank, group in enumerate(LAYERS) for folder in group}
STD_HEADERS = {'cstddef', 'cstdint', 'concepts', 'type_traits', 'new'}


def files(tree):
    out = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], cwd=tree, check=True,
                         capture_output=True, text=True).stdout.split('\n')
    for name in sorted(set(out)):
        if name and os.path.isfile(os.path.join(tree, name)):
            yield name


def text_of(tree, name):
    with open(os.path.join(tree, name), encoding='utf-8', errors='replace') as handle:
        return handle.read()


def is_source(name):
    return name.endswith(CODE) or name.endswith(SCRIPTS) or os.path.basename(name) in SCRIPTS


def spdx(tree):
    for name in files(tree):
        if is_source(name) and 'SPDX-License-Identifier: Apache-2.0' not in text_of(tree, name)[:200]:
            yield f'{name}: no SPDX line at the top'


def shape(tree):
    for name in files(tree):
        if not name.endswith(CODE):
            continue
        lines = text_of(tree, name).split('\n')
        if len(lines) > 600:
            yield f'{name}: {len(lines)} lines; 600 at most'
        for number, line in enumerate(lines, 1):
            if len(line) > 100:
                yield f'{name}:{number}: {len(line)} columns; 100 at most'
            if '\t' in line and not name.endswith('.S'):
                yield f'{name}:{number}: a tab'
        if name.endswith('.hpp') and '#pragma once' not in lines and 'fence' not in name:
            yield f'{name}: no #pragma once'


def words(tree):
    for name in files(tree):
        if not is_source(name):
            continue
        for number, line in enumerate(text_of(tree, name).split('\n'), 1):
            for word in BANNED:
                if re.search(r'\b' + word + r'\b', line):
                    yield f'{name}:{number}: {word} promises work that belongs in an issue'


def layering(tree):
    for name in files(tree):
        if not name.endswith(('.cpp', '.hpp')):
            continue
        for number, line in enumerate(text_of(tree, name).split('\n'), 1):
            match = re.match(r'\s*#include "([^"]+)"', line)
            if not match:
                continue
            mine, theirs = name.split('/'), match.group(1).split('/')
            if mine[0] == 'core':
                if theirs[0] != 'core':
                    yield f'{name}:{number}: core includes {match.group(1)}'
                elif mine[1] not in RANK or theirs[1] not in RANK:
                    yield f'{name}:{number}: unknown folder of core'
                elif RANK[theirs[1]] > RANK[mine[1]]:
                    yield f'{name}:{number}: {mine[1]} must not know {theirs[1]}'
            elif mine[0] == 'hw' and theirs[0] in ('sim', 'cli'):
                yield f'{name}:{number}: hw includes {match.group(1)}'
            elif mine[0] == 'sim' and theirs[0] in ('hw', 'cli'):
                yield f'{name}:{number}: sim includes {match.group(1)}'


def freestanding(tree):
    for name in files(tree):
        if not name.startswith('core/') or not name.endswith(('.cpp', '.hpp')):
            continue
        text = text_of(tree, name)
        lines = text.split('\n')
        for number, line in enumerate(lines, 1):
            header = re.match(r'\s*#include <([^>]+)>', line)
            if header and header.group(1) not in STD_HEADERS | {'perfcore_hal.hpp'}:
                yield f'{name}:{number}: core includes <{header.group(1)}>'
            if re.match(r'\s*#\s*(if|elif)', line) and line != '#ifndef PERFCORE_BINDING':
                yield f'{name}:{number}: preprocessor condition; the seam is the HAL'
            if name.endswith('.hpp') and name != 'core/base/types.hpp' and \
                    re.search(r'\bstd::(?!same_as)', line.split('//')[0]):
                yield f'{name}:{number}: std:: in core'
        includes = [line for line in lines if line.startswith('#include')]
        if name.endswith('.cpp') and includes[-1:] != ['#include "core/base/fence.hpp"']:
            yield f'{name}: core/base/fence.hpp must be the last include'


def scenarios(tree):
    index = text_of(tree, 'scenarios/index.ini') if os.path.exists(
        os.path.join(tree, 'scenarios/index.ini')) else ''
    listed = set(re.findall(r'^file = (\S+)$', index, re.M))
    there = {name[len('scenarios/'):] for name in files(tree)
             if name.startswith('scenarios/') and name.endswith('.yaml') and '/machines/' not in name}
    for name in sorted(there - listed):
        yield f'scenarios/{name}: not in scenarios/index.ini'
    for name in sorted(listed - there):
        yield f'scenarios/index.ini: no file {name}'
    for name in sorted(there):
        text = text_of(tree, 'scenarios/' + name)
        if '\nexpect:' not in text or '\nwhy:' not in text:
            yield f'scenarios/{name}: needs why and expect'


def built(tree):
    """Every .cpp is named by, or lies under a folder globbed by, a CMakeLists.txt."""
    lists = {os.path.dirname(name): text_of(tree, name) for name in files(tree)
             if name.endswith(('CMakeLists.txt', 'kernel.cmake'))}
    for name in files(tree):
        if not name.endswith('.cpp') or name.startswith('core/'):
            continue
        folder, used = os.path.dirname(name), False
        while True:
            if folder in lists:
                relative = os.path.relpath(name, folder or '.')
                stem = relative[:-len('.cpp')]
                glob = os.path.join(os.path.dirname(relative), '*.cpp')
                used |= re.search(r'(^|[\s(/])' + re.escape(stem) + r'(\.cpp)?([\s)]|$)',
                                  lists[folder], re.M) is not None or glob in lists[folder]
            if not folder:
                break
            folder = os.path.dirname(folder)
        if not used:
            yield f'{name}: no CMakeLists.txt builds it'


RULES = [spdx, shape, words, layering, freestanding, scenarios, built]

PLANTS = {
    spdx: ('core/base/planted.hpp', '#pragma once\n'),
    shape: ('sim/planted.hpp', '// SPDX-License-Identifier: Apache-2.0\n#pragma once\n// ' + 'x' * 100 + '\n'),
    words: ('dev2.sh', '# SPDX-License-Identifier: Apache-2.0\n# ' + BANNED[0] + ' later\n'),
    layering: ('core/pmu/planted.hpp',
               '// SPDX-License-Identifier: Apache-2.0\n#pragma once\n#include "core/event/event.hpp"\n'),
    freestanding: ('core/ring/planted.hpp',
                   '// SPDX-License-Identifier: Apache-2.0\n#pragma once\n#include <vector>\n'),
    scenarios: ('scenarios/planted.yaml', '# SPDX-License-Identifier: Apache-2.0\nname: x\nwhy: y\nexpect: {}\n'),
    built: ('sim/planted.cpp', '// SPDX-License-Identifier: Apache-2.0\n'),
}


def self_test(tree):
    failures = 0
    for rule in RULES:
        with tempfile.TemporaryDirectory() as copy:
            for name in files(tree):
                target = os.path.join(copy, name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(tree, name), target)
            subprocess.run(['git', 'init', '-q'], cwd=copy, check=True)
            name, text = PLANTS[rule]
            with open(os.path.join(copy, name), 'w', encoding='utf-8') as handle:
                handle.write(text)
            hits = [line for line in rule(copy) if line.startswith(name)]
            print(f'self-test {rule.__name__}: {"found" if hits else "MISSED"} its planted violation')
            failures += not hits
    return failures


def main():
    tree = os.path.abspath(sys.argv[1])
    if '--self-test' in sys.argv:
        sys.exit(1 if self_test(tree) else 0)
    complaints = [line for rule in RULES for line in rule(tree)]
    print('\n'.join(complaints) if complaints else f'{len(RULES)} style rules hold')
    sys.exit(1 if complaints else 0)


main()
