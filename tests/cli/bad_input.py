#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bad input gives a precise message and exit 2, never a crash or a half-written output. Usage: bad_input.py TREE PERFSIM"""
import os
import random
import subprocess
import sys
import tempfile

TREE, PERFSIM = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
GOOD = open(os.path.join(TREE, 'scenarios/quickstart.yaml'), encoding='utf-8').read()
failures = []


def run(*arguments):
    return subprocess.run([PERFSIM, *arguments], cwd=TREE, capture_output=True, text=True,
                          errors='replace', timeout=60)


def expect(name, result, *needles, code=2):
    ok = result.returncode == code and all(needle in result.stderr for needle in needles)
    print(f'{"ok  " if ok else "FAIL"} {name}')
    if not ok:
        failures.append(name)
        print(f'     exit {result.returncode}, stderr: {result.stderr[:400]!r}; wanted {needles}')


def bad_text(name, text, *needles):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'bad.yaml')
        mode = 'wb' if isinstance(text, bytes) else 'w'
        with open(path, mode, **({} if mode == 'wb' else {'encoding': 'utf-8'})) as handle:
            handle.write(text)
        out = os.path.join(folder, 'out')
        expect(name, run('run', path, '--out', out), 'bad.yaml', *needles)
        if os.path.exists(out):
            failures.append(name)
            print(f'FAIL {name}: an output directory was made for a file that cannot run')


def changed(old, new):
    assert old in GOOD, old
    return GOOD.replace(old, new, 1)


def line_of(text, needle):
    return str(text[:text.index(needle)].count('\n') + 1) + ':'


bad_text('empty file', '', 'the file is empty', ':1:1:')
bad_text('only a comment', '# nothing\n')
bad_text('broken YAML', 'perfsim: 1\nname: [unclosed\n', 'not valid YAML')
bad_text('not a map', '- a\n- b\n', 'must be a map')
bad_text('NUL bytes', b'perfsim: 1\n\0\n', ':2:1:', 'NUL')
bad_text('a megabyte of noise', random.Random(7).randbytes(1 << 20))
bad_text('too large', 'a' * ((1 << 20) + 1), 'at most')
bad_text('deep nesting', '[' * 100000)
bad_text('deep block nesting', '- ' * 100000 + 'a\n')
bad_text('aliases', 'perfsim: 1\nname: &a x\nwhy: *a\n', ':2:', 'anchors and aliases')
bad_text('two documents', GOOD + '---\nperfsim: 1\n', 'a second document')
text = changed('sample_period: 10000', 'sampel_period: 10000')
bad_text('unknown key', text, line_of(text, 'sampel_period'), "did you mean 'sample_period'")
bad_text('unknown machine', changed('machine: rk3588', 'machine: rk3589'), "unknown machine 'rk3589'",
         "did you mean 'rk3588'")
bad_text('a machine outside', changed('machine: rk3588', 'machine: ../quickstart'), 'unknown machine')
bad_text('unknown event', changed('event: ins,', 'event: inz,'), "unknown event 'inz'", "did you mean 'ins'")
bad_text('unknown PMU event', changed('config: 0x11', 'config: cpu_cycels'), "did you mean 'cpu_cycles'")
bad_text('unknown function', changed('in: hot', 'in: hat'), "unknown function 'hat'")
bad_text('unknown thread', changed('task: w0', 'task: w9'), "unknown thread 'w9'")
bad_text('a mark nobody raises', changed('wait: done', 'wait: dune'), "unknown mark 'dune'")
bad_text('unknown core type', changed('cortex-a55: 6/5', 'cortex-a57: 6/5'), 'no core type')
text = changed('cpu: cortex-a55/0}', 'cpu: 99}')
bad_text('CPU 99', text, line_of(text, 'cpu: 99'), "no CPU '99'", '0 to 7')
bad_text('CPU of a core type', changed('cpus: [cortex-a55/0]', 'cpus: [cortex-a55/4]'), 'no CPU')
bad_text('negative number', changed('insn: 1005000', 'insn: -1'), 'must be an integer from 0')
bad_text('overflowing number', changed('insn: 1005000', 'insn: 99999999999999999999'), 'must be an integer')
bad_text('zero cpi', changed('cortex-a55: 6/5', 'cortex-a55: 0'), 'cpi is above 0')
bad_text('division by zero', changed('cortex-a55: 6/5', 'cortex-a55: 6/0'), 'must be a ratio')
bad_text('time without unit', changed('at: 800us', 'at: 800'), 'a time with a unit')
bad_text('time too fine', changed('at: 800us', 'at: 0.5ps'), 'a time with a unit')
bad_text('twice the same key', changed('perfsim: 1', 'perfsim: 1\nperfsim: 1'), 'is there twice')
bad_text('two operations in one', changed('- wait: ready', '- {wait: ready, mark: go}'), 'exactly one key')
bad_text('unknown name in expect', changed('bad.errno == ENOENT', 'bed.errno == ENOENT'), "unknown name 'bed'")
bad_text('unknown field in expect', changed('bad.errno == ENOENT', 'bad.erno == ENOENT'), "did you mean 'errno'")
bad_text('no expectation', GOOD[:GOOD.index('expect:')] + 'expect: {}\n', 'expects at least one thing')
bad_text('functions in a circle', changed('outer: {calls: [hot]}', 'outer: {calls: [main]}'), 'calls itself')
bad_text('a fault of two kinds', changed('{pmu_irq_latency: 200ns,', '{pmu_irq_latency: 200ns, ipi_delay: 1us,'),
         'exactly one of')
bad_text('CPU 0 off', changed('faults: [', 'faults: [{cpu_off: 0}, '), 'cannot go offline')

expect('missing file', run('run', 'no/such.yaml'), 'no/such.yaml', 'no such file')
expect('directory without scenarios', run('run', 'docs'), 'docs', 'no scenario in it')
expect('unknown option', run('run', 'scenarios/quickstart.yaml', '--sead', '1'), '--sead')
expect('no command', run())
expect('bad seeds', run('run', 'scenarios/quickstart.yaml', '--seeds', '0'), '--seeds')
expect('unknown event in show', run('show', 'event', 'br_retird'), "did you mean 'br_retired'")
expect('unknown machine in show', run('show', 'machine', 'rk'), 'unknown machine')
expect('output directory cannot be made',
       run('run', 'scenarios/quickstart.yaml', '--out', '/dev/null/x'), 'cannot make directory')

# Small damage anywhere must never crash: every byte flip of a good file runs, fails or is refused.
source = random.Random(11)
for round_number in range(150):
    damaged = bytearray(GOOD.encode())
    for _ in range(source.randrange(1, 4)):
        damaged[source.randrange(len(damaged))] = source.randrange(256)
    with tempfile.NamedTemporaryFile(suffix='.yaml') as handle:
        handle.write(damaged)
        handle.flush()
        code = run('check', handle.name).returncode
    if code not in (0, 2):
        failures.append(f'damaged file {round_number}')
        print(f'FAIL damaged file {round_number}: exit {code}')
print(f'{len(failures)} failures')
sys.exit(1 if failures else 0)
