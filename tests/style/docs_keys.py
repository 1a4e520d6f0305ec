#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/SCENARIOS.md documents exactly the keys of the schema, and the committed JSON Schema is what perfsim prints.
Usage: docs_keys.py TREE PERFSIM"""
import os
import re
import subprocess
import sys


def main():
    tree, perfsim = os.path.abspath(sys.argv[1]), sys.argv[2]
    printed = subprocess.run([perfsim, 'schema'], check=True, capture_output=True, text=True).stdout
    bad = False
    committed = open(os.path.join(tree, 'scenarios/scenario.schema.json'), encoding='utf-8').read()
    if printed != committed:
        print('scenarios/scenario.schema.json differs from `perfsim schema`')
        bad = True
    source = open(os.path.join(tree, 'sim/scenario/schema.cpp'), encoding='utf-8').read()
    keys = set(re.findall(r'\{"([\w.]+)", "(\w+)", [A-Z]', source))
    docs = open(os.path.join(tree, 'docs/SCENARIOS.md'), encoding='utf-8').read()
    documented, section = set(), None
    for line in docs.split('\n'):
        heading = re.match(r'#+ .*\(`([\w.]+)`\)', line)
        if line.startswith('#'):
            section = heading.group(1) if heading else None
        row = re.match(r'\| `(\w+)`', line)
        if row and section:
            documented.add((section, row.group(1)))
    for section, key in sorted(keys - documented):
        print(f'docs/SCENARIOS.md lacks {section}.{key}')
    for section, key in sorted(documented - keys):
        print(f'docs/SCENARIOS.md has {section}.{key}, which the schema does not know')
    bad |= keys != documented
    if not bad:
        print(f'{len(keys)} keys documented')
    sys.exit(1 if bad else 0)


main()
