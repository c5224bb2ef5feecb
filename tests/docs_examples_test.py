#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every example of README.md and docs/ and compares what it prints.

    docs_examples_test.py --bin PATH [--update]

An example is a block fenced by ```console. A line `$ tfprof ...` is run in an empty folder that has
our testdata, standard input empty, and so is `$ head ...`, which shows what was written; a line `tfprof> COMMAND` below it is a command of that profile's shell. What
follows either, up to the next such line, is what it prints on standard output; `...` alone on a
line stands for any lines. --update writes what is printed instead (and keeps what `...` cut).
"""
import argparse, os, pathlib, re, shlex, subprocess, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r'^```console\n(.*?)^```$', re.S | re.M)


def run(folder, args):
    done = subprocess.run(args, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          env=dict(os.environ, LC_ALL='C.UTF-8'))
    return done.stdout.decode('utf-8', 'replace').rstrip('\n').split('\n')


def parts(block):
    """[(the line that is typed, the lines below it)]"""
    found = []
    for line in block.rstrip('\n').split('\n'):
        if line.startswith('$ ') or line.startswith('tfprof> '):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    return found


def answers(binary, folder, block):
    """For each part, what it really prints; None for what is not run (a shell that is opened)."""
    words, found = [], parts(block)
    for i, (line, _) in enumerate(found):
        if line.startswith('tfprof> '):
            yield run(folder, [binary, *words, '-c', line[len('tfprof> '):]])
            continue
        typed = shlex.split(line[2:])
        if typed[0] != 'tfprof':
            yield run(folder, typed) if typed[0] == 'head' else None
            continue
        words = typed[1:]
        opens_shell = i + 1 < len(found) and found[i + 1][0].startswith('tfprof> ')
        yield None if opens_shell else run(folder, [binary, *words])


def same(wanted, got):
    """Whether the lines are equal but for `...`, which stands for any lines."""
    if wanted in ([], ['']) and got == ['']:
        return True
    text = ''.join('(?:.*\n)*?' if line.strip() == '...' else re.escape(line) + '\n'
                   for line in wanted)
    return re.fullmatch(text, ''.join(line + '\n' for line in got)) is not None


def cut(wanted, got):
    """`got`, as short as `wanted` was: its first lines, `...`, and its last ones."""
    if '...' not in wanted:
        return got
    head = wanted.index('...')
    tail = len(wanted) - head - 1
    return got[:head] + ['...'] + (got[-tail:] if tail else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--bin', required=True)
    parser.add_argument('--update', action='store_true')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / 'testdata').symlink_to(TOP / 'testdata')
        return check(options, folder)


def check(options, folder):
    binary = str(pathlib.Path(options.bin).resolve())
    examples = failed = 0
    for page in [TOP / 'README.md'] + sorted((TOP / 'docs').rglob('*.md')):
        text = page.read_text(encoding='utf-8')

        def redo(match):
            nonlocal examples, failed
            lines = []
            for (line, below), got in zip(parts(match[1]), answers(binary, folder, match[1])):
                lines.append(line)
                if got is None or same(below, got):
                    lines += below
                    examples += got is not None
                    continue
                examples += 1
                failed += 1
                lines += cut(below, got)
                if not options.update:
                    print(f'{page.relative_to(TOP)}: {line}\n  prints\n    ' + '\n    '.join(got))
            return '```console\n' + '\n'.join(lines) + '\n```'

        changed = BLOCK.sub(redo, text)
        if options.update and changed != text:
            page.write_text(changed, encoding='utf-8')
    if options.update:
        print(f'{failed} of {examples} examples rewritten')
        return 0
    print(f'{examples - failed} passed, {failed} failed')
    return 1 if failed or not examples else 0


if __name__ == '__main__':
    sys.exit(main())
