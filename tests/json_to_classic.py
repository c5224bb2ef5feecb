#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the JSON of scope, graph, op and code back into classic text and compares it with known
answers: everything that classic text says has to be in the JSON.

    json_to_classic.py --bin PATH [--goldens DIR] [--cases DIR] [--case GLOB] [-v]

DIR of --goldens holds files as in tests/golden/classic (a command, then the text from the line
`Profile:` on). DIR of --cases holds folders with case.json, cmds.txt and expect/. Exit status: 0
all equal, 1 something differs, 2 the program cannot be run or nothing was compared.
"""
import argparse
import difflib
import fnmatch
import glob
import gzip
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# ---- numbers ------------------------------------------------------------------------------------


def scaled(value, units):
    """units: (limit, divisor, suffix); the last limit is None."""
    value = value or 0
    for limit, divisor, suffix in units:
        if limit is None or value < limit:
            return '%d%s' % (value, suffix) if divisor == 1 else '%.2f%s' % (value / divisor, suffix)


def count(value):
    return scaled(value, ((1000, 1, ''), (10**6, 1e3, 'k'), (10**9, 1e6, 'm'), (None, 1e9, 'b')))


def time(value):
    return scaled(value, ((1000, 1, 'us'), (10**6, 1e3, 'ms'), (None, 1e6, 'sec')))


def memory(value):
    return scaled(value, ((1000, 1, 'B'), (10**6, 1e3, 'KB'), (None, 1e6, 'MB')))


def percent(part, whole):
    if whole == 0:
        return '-nan' if part == 0 else 'inf' if part > 0 else '-inf'
    return '%.2f' % (100.0 * part / whole)


# ---- cells --------------------------------------------------------------------------------------

# select, id, legend, format, suffix in trees, suffix in op
MEMORY = [('bytes', 'requested bytes'), ('peak_bytes', 'peak bytes'),
          ('residual_bytes', 'residual bytes'), ('output_bytes', 'output bytes')]
TIMES = [('micros', 'total execution time'), ('accelerator_micros', 'accelerator execution time'),
         ('cpu_micros', 'cpu execution time')]
COUNTS = [('params', '# parameters', ' params', ' params'),
          ('float_ops', '# float_ops', ' flops', ' float_ops')]


def cells(view, select):
    """(id, legend, format, suffix): format is None for what is no number."""
    op = view == 'op'
    numbers = [(i, l, memory, '') for i, l in MEMORY if i in select]
    numbers += [(i, l, time, '') for i, l in TIMES if i in select or 'micros' in select]
    counts = [(i, l, count, o if op else t) for i, l, t, o in COUNTS if i in select]
    of_nodes = view in ('scope', 'graph')
    rest = [('device', 'assigned devices'), ('op_types', 'op types'),
            ('occurrence', 'op %s (run|defined)' % ('count' if of_nodes else 'occurrence')),
            ('input_shapes', 'input shapes')]
    rest = [(i, l, None, '') for i, l in rest if i in select]
    return (counts + numbers if of_nodes else numbers + counts) + rest


def pair(row, key, form, suffix=''):
    own = form(row[key]) if row['accounted'] else '--'
    return '%s/%s%s' % (own, form(row['total_' + key]), suffix)


def tree_cell(view, row, key, form, suffix):
    """A list: no cell, one, or two."""
    if view == 'code' and key in ('occurrence', 'input_shapes'):
        return [key + ' N/A in code view']
    if form:
        shape = [row['shape']] if key == 'params' and row.get('shape') else []
        return shape + [pair(row, key, form, suffix)]
    if key == 'occurrence':
        defined = count(row['total_occurrence_defined'])
        own = '1' if row['accounted'] else '--'
        return ['%s|%s/%s' % (pair(row, 'occurrence_run', count), own, defined)]
    if key == 'device' and not row[key]:
        return []
    return ['|'.join(row[key])]


def op_cell(row, key, form, suffix, properties):
    if form:
        own, rest = row[key] or 0, row['classic_remainder_' + key] or 0
        whole = properties['total_' + key] or 0
        shares = ('0.00', '0.00')
        if (own if form is memory else rest) > 0:
            shares = percent(rest, whole), percent(own, whole)
        return '%30s' % ('%s%s (%s%%, %s%%)' % (form(own), suffix, *shares))
    if key == 'occurrence':
        return '%10s' % ('%d|%d' % (row['occurrence_run'] or 0, row['occurrence_defined'] or 0))
    return '|'.join(row[key])


# ---- tensors ------------------------------------------------------------------------------------


def tensor_text(tensor):
    values = tensor['values']
    if values is None:
        return ''
    whole = tensor['dtype'] in (3, 9)  # int32, int64
    at = 0

    def value():
        nonlocal at
        at += 1
        v = values[at - 1]
        return '%d ' % v if whole else v + ' ' if isinstance(v, str) else '%.2f ' % float('%g' % v)

    def bracket(text, depth):
        text += '['
        if not tensor['shape']:
            text += value()
        for _ in range(tensor['shape'][depth] if tensor['shape'] else 0):
            last = depth + 1 == len(tensor['shape'])
            text = text + value() if last else bracket(text, depth + 1)
        return text[:10000] + '],\n'

    text = bracket('', 0)
    return text + ('...omitted from display\n\n' if len(text) >= 10000 else '')


# ---- texts --------------------------------------------------------------------------------------


def tables(answer):
    if 'tables' in answer:
        return {name: table['rows'] for name, table in answer['tables'].items()}
    return {answer['view']: answer['rows']}


def c_string(text):
    return text.split('\0')[0]


def tree_text(answer, select):
    view, out = answer['view'], []
    for row in tables(answer)[view]:
        info = [cell for key, _, form, suffix in cells(view, select)
                for cell in tree_cell(view, row, key, form, suffix)]
        out.append('%s%s (%s)\n' % ('  ' * row['depth'], c_string(row['name']), ', '.join(info)))
        if 'tensor_value' in select and view != 'code' and row['tensor_value']:
            out.append(tensor_text(row['tensor_value']))
    return ''.join(out)


def op_text(answer, select):
    shapes, out = {}, []
    for line in tables(answer).get('input_shapes', []):
        text = 'input_type: %s\t(run*%d|defined*%d)\texec_time: %s' % (
            ',\t'.join(line['input_shapes']), line['run'] or 0, line['defined'] or 0, time(line['micros']))
        shapes.setdefault(line['row'], []).append(text)
    for number, row in enumerate(tables(answer)['op']):
        info = [op_cell(row, key, form, suffix, answer['properties'])
                for key, _, form, suffix in cells('op', select) if key != 'input_shapes']
        name = c_string(row['name']).encode('utf-8')
        pad = ' ' * (25 - len(name))
        out.append('%s%s%s\n' % (c_string(row['name']), pad, ', '.join(info)))
        if 'input_shapes' in select and number in shapes:
            out.append('\n%s\n\n' % '\n'.join(shapes[number]))
    return ''.join(out)


def classic_text(answer, select):
    view = answer['view']
    legend = 'node name | %s\n' % ' | '.join(c[1] for c in cells(view, select))
    if view == 'op':
        rows = tables(answer)['op']
        only_root = len(rows) == 1 and not rows[0]['accounted']
        return 'Profile:\n' + ('' if only_root else legend) + op_text(answer, select)
    return 'Profile:\n' + legend + tree_text(answer, select)


def selected(value):
    return [name for name in value.strip('"\'').split(',') if name] if value is not None else ['micros']


def has_bad_expression(words):
    """Such a command is refused; only classic text is written in spite of it."""
    for word, value in zip(words, words[1:]):
        try:
            [re.compile(piece) for piece in value.split(',') if word.endswith('_regexes')]
        except re.error:
            return True
    return False


# ---- what is compared ---------------------------------------------------------------------------


def run(words, stdin=b''):
    try:
        return subprocess.run(words, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        print('json_to_classic: %s' % error, file=sys.stderr)
        sys.exit(2)


def golden_answers(binary, folder):
    """(name, expected text, select, JSON bytes) of every golden file with an answer."""
    for path in sorted(glob.glob(os.path.join(folder, '**', '*.test'), recursive=True)):
        with open(path, encoding='utf-8', newline='') as file:
            command, _, expected = file.read().partition('\n')
        if not expected:
            continue
        words = shlex.split(command)[2:]  # without `$ tfprof`
        options = [w.lstrip('-').partition('=') for w in words]
        if has_bad_expression([part for name, _, value in options for part in (name, value)]):
            continue
        select = [value for name, _, value in options if name == 'select']
        out = run([binary, *words, '--format=json']).stdout
        # The coverage lines of the original may stand before the answer.
        yield path, expected, selected(select[-1] if select else None), out[max(out.find(b'{'), 0):]


def expected_answers(folder):
    answers, bundle = {}, os.path.join(folder, 'expect.bundle')
    if os.path.exists(bundle):
        with open(bundle, 'rb') as file:
            data = file.read()
        at = 0
        while at < len(data):
            end = data.index(b'\n', at)
            _, name, size = data[at:end].decode().split(' ')
            answers[name] = data[end + 1:end + 1 + int(size)]
            at = end + 2 + int(size)
    for path in glob.glob(os.path.join(folder, 'expect', '*.txt*')):
        opener = gzip.open if path.endswith('.gz') else open
        with opener(path, 'rb') as file:
            answers[re.sub(r'\.gz$', '', os.path.basename(path))] = file.read()
    return answers


def path_flags(folder):
    with open(os.path.join(folder, 'case.json'), encoding='utf-8') as file:
        case = json.load(file)
    flags = []
    for flag, key in (('graph_path', 'graph'), ('run_meta_path', 'run_meta'),
                      ('op_log_path', 'op_log'), ('checkpoint_path', 'checkpoint')):
        names = case.get(key) or []
        names = [names] if isinstance(names, str) else names
        if names:
            flags.append('--%s=%s' % (flag, ','.join(os.path.join(folder, n) for n in names)))
    return flags


def case_answers(binary, folder):
    expect = expected_answers(folder)
    with open(os.path.join(folder, 'cmds.txt'), encoding='utf-8') as file:
        commands = [line.rstrip('\n').split(' ', 1) for line in file if line.strip()]
    commands = [(i, c) for i, c in commands
                if i + '.txt' in expect and not has_bad_expression(c.split())]
    with tempfile.TemporaryDirectory() as folder_out:
        def out(i):
            return os.path.join(folder_out, i + '.json')
        lines = ['%s -format json -output file:outfile=%s\n' % (c, out(i)) for i, c in commands]
        run([binary, *path_flags(folder)], ''.join(lines).encode('utf-8'))
        for i, command in commands:
            select = None
            words = command.split()
            for word, value in zip(words, words[1:]):
                if word == '-select':
                    select = value
            data = b''
            if os.path.exists(out(i)):
                with open(out(i), 'rb') as file:
                    data = file.read()
            name = '%s %s %s' % (os.path.basename(folder), i, command)
            yield name, expect[i + '.txt'].decode('utf-8'), selected(select), data


def same(name, expected, select, data, verbose):
    try:
        got = classic_text(json.loads(data.decode('utf-8')), select)
    except (ValueError, KeyError, TypeError) as error:
        print('%s: %s: %s' % (name, type(error).__name__, error))
        return False
    if got == expected:
        return True
    print('%s: differs' % name)
    if verbose:
        lines = difflib.unified_diff(expected.split('\n'), got.split('\n'), 'expected', 'from json',
                                     lineterm='', n=1)
        print('\n'.join(list(lines)[:20]))
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--bin', required=True)
    parser.add_argument('--goldens')
    parser.add_argument('--cases')
    parser.add_argument('--case', default='*')
    parser.add_argument('-v', action='store_true', help='show differences')
    args = parser.parse_args()
    binary, total, equal = os.path.abspath(args.bin), 0, 0
    sources = []
    if args.goldens:
        sources.append(golden_answers(binary, args.goldens))
    if args.cases:
        for path in sorted(glob.glob(os.path.join(args.cases, '**', 'case.json'), recursive=True)):
            folder = os.path.dirname(path)
            if fnmatch.fnmatch(os.path.basename(folder), args.case):
                sources.append(case_answers(binary, os.path.abspath(folder)))
    for source in sources:
        for answer in source:
            total += 1
            equal += same(*answer, args.v)
    print('%d of %d answers come back from JSON' % (equal, total))
    return 2 if total == 0 else 0 if equal == total else 1


if __name__ == '__main__':
    sys.exit(main())
