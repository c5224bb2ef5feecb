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

from classic_text import classic_text

# ---- options ------------------------------------------------------------------------------------


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
        out = run([binary, *words, '-ids', 'original', '--format=json']).stdout
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
        lines = ['%s -ids original -format json -output file:outfile=%s\n' % (c, out(i)) for i, c in commands]
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
