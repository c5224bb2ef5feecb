#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants the mistakes of tests/mutants.txt, one at a time, and tells which tests notice.

  mutation.py [N...]   all mutants, or those of these numbers (their order in the file, from 1)
  mutation.py --list   their numbers
  mutation.py --check  only whether their code still stands in the sources

All are compiled into one build of a copy of the tree, build/mutation/tree: `code` becomes
`(MutantIs(7) ? mistake : code)`, and the environment variable TFPROF_MUTANT picks one. Tests run
until the first one fails: those of units, then those of the whole program; goldens, which repeat
what the program printed, only where none of these does. Fails where more than 5 % of the mutants
live without goldens, or one is no longer found.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

TOP = pathlib.Path(__file__).resolve().parent.parent
TREE = TOP / 'build/mutation/tree'
BUILD = TREE / 'build/release'
WANTED = 0.95
SECONDS = 180  # of one test; more is an endless loop, which is noticed, too

UNITS = {'core': ['core', 'views', 'cli', 'emitters'],
         'cli': ['cli', 'views', 'writers', 'emitters'],
         'analysis': ['op_flops', 'views', 'cli', 'writers', 'emitters'],
         'views': ['views', 'cli', 'writers', 'emitters'],
         'loaders': ['loaders', 'views', 'cli', 'writers', 'api'],
         'emitters': ['emitters', 'cli', 'writers', 'views'],
         'api': ['api'],
         'capture': ['capture'],
         'remote': ['remote']}
# Tests of cost alone take most of the time. A shorter name would leave out others, too.
WITHOUT = ['~*a chain of a million inputs*', '~*a chain of a hundred thousand nodes*',
           '~*a very deep stack*']
PROGRAM = ['explain', 'fold', 'timeline', 'stacks', 'save']
GOLDENS = [['build/release/tests/golden_test'],
           [sys.executable, 'tests/docs_examples_test.py', '--bin', 'build/release/tfprof']]

HEADER = '''#pragma once
#include <cstdlib>
namespace tfprof {
inline bool MutantIs(int number) {
  static const char* const planted = std::getenv("TFPROF_MUTANT");
  static const int known = planted == nullptr ? 0 : std::atoi(planted);
  return known == number;
}
}  // namespace tfprof
'''


class Mutant(typing.NamedTuple):
    number: int
    path: str
    meaning: str
    code: str
    mistake: str


def read_mutants():
    """The blocks of mutants.txt."""
    text = (TOP / 'tests/mutants.txt').read_text()
    mutants = []
    for block in re.split(r'\n\s*\n', text):
        lines = [line for line in block.splitlines() if line and not line.startswith('#')]
        if not lines:
            continue
        head, *rest = lines
        path, meaning = head.split(': ', 1)
        code, mistake = '\n'.join(rest).split('\n  => ')
        mutants.append(Mutant(len(mutants) + 1, path, meaning, code.strip(), mistake.strip()))
    return mutants


def pattern(code):
    """Of code, whatever white space it has, with the part between the marks as group 1."""
    if code.count('«') == 0:
        code = f'«{code}»'
    parts = [r'\s*'.join(map(re.escape, re.findall(r'\w+|[^\w\s]', part)))
             for part in re.split('[«»]', code)]
    return re.compile(rf'{parts[0]}\s*({parts[1]})\s*{parts[2]}')


def place(mutant, text):
    """Where the part that is replaced stands; an error as text where that is not once."""
    found = list(pattern(mutant.code).finditer(text))
    if len(found) != 1:
        return f'mutant {mutant.number}, {mutant.path}: its code is found {len(found)} times'
    if not re.search(r'\w', found[0].group(1)):
        return f'mutant {mutant.number}, {mutant.path}: an operator alone cannot be replaced'
    return found[0].span(1)


def planted(mutant, original):
    if not original.endswith(';'):
        return f'(MutantIs({mutant.number}) ? ({mutant.mistake}) : ({original}))'
    return f'if (MutantIs({mutant.number})) {{ {mutant.mistake} }} else {{ {original} }}'


def planted_sources(mutants):
    """The text of every file that has mutants, and what is wrong with the list."""
    texts, faults = {}, []
    for path in sorted({mutant.path for mutant in mutants}):
        file = TOP / path
        if path.split('/')[0] not in UNITS:
            faults.append(f'UNITS has no tests for {path}')
        if not file.exists():
            faults.append(f'{path} is gone')
            continue
        text = file.read_text()
        places = []
        for mutant in mutants:
            if mutant.path != path:
                continue
            found = place(mutant, text)
            (faults if isinstance(found, str) else places).append(
                found if isinstance(found, str) else (found, mutant))
        places.sort(key=lambda one: one[0])
        for (_, end), (start, _) in zip([one[0] for one in places], [one[0] for one in places[1:]]):
            if start < end:
                faults.append(f'{path}: mutants overlap')
        for (start, end), mutant in reversed(places):
            text = text[:start] + planted(mutant, text[start:end]) + text[end:]
        texts[path] = '#include "core/base/mutant_is.h"\n' + text
    return texts, faults


def write(path, data):
    """Only what changed, so that little is compiled again."""
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def copy_tree(texts):
    listed = subprocess.run(['git', 'ls-files', '-z', '-co', '--exclude-standard'], cwd=TOP,
                            check=True, capture_output=True).stdout.decode().split('\0')
    wanted = {name for name in listed if name and (TOP / name).is_file()}
    for name in wanted:
        data = texts[name].encode() if name in texts else (TOP / name).read_bytes()
        write(TREE / name, data)
        shutil.copymode(TOP / name, TREE / name)
    write(TREE / 'core/base/mutant_is.h', HEADER.encode())
    for file in TREE.rglob('*'):
        name = str(file.relative_to(TREE))
        is_ours = name.startswith('build/') or name in wanted or name == 'core/base/mutant_is.h'
        if file.is_file() and not is_ours:
            file.unlink()


def build():
    def run(*command):
        done = subprocess.run(command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit(done.stdout.decode()[-20000:] + '\nthe mutants do not compile')
    # Optimized: the build takes minutes longer, hundreds of runs of the tests several times less.
    run('cmake', '--preset', 'release', '-DTFPROF_BUILD_TESTS=ON', '-DCMAKE_UNITY_BUILD=ON')
    run('cmake', '--build', '--preset', 'release', '-j', str(os.cpu_count()), '--', '-k', '0')


def passes(command, number):
    environment = dict(os.environ, TFPROF_MUTANT=str(number))
    try:
        return subprocess.run(command, cwd=TREE, env=environment, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode in (0, 77)
    except subprocess.TimeoutExpired:
        return False


def tests_for(mutant):
    """(kind, name, command) in the order in which they are tried."""
    for name in UNITS[mutant.path.split('/')[0]]:
        yield 'unit', name + '_test', [f'build/release/tests/{name}_test', '--abort', *WITHOUT]
    for name in PROGRAM:
        arguments = ['--bin', 'build/release/tfprof'] if name == 'save' else ['build/release/tfprof']
        yield 'program', name + '_test', [sys.executable, f'tests/e2e/{name}_test.py', *arguments]
    for command in GOLDENS:
        yield 'golden', pathlib.Path(command[-3] if len(command) > 1 else command[0]).name, command


def killer(mutant):
    found = 'alive', ''
    for kind, name, command in tests_for(mutant):
        if not passes(command, mutant.number):
            found = kind, name
            break
    print(f'{mutant.number:3} {found[0]:8} {found[1]:20} {mutant.path}: {mutant.meaning}', flush=True)
    return found


def check_baseline(mutants):
    seen = set()
    for mutant in mutants:
        for _, name, command in tests_for(mutant):
            if name not in seen and not passes(command, 0):
                sys.exit(f'{name} fails without a mutant')
            seen.add(name)


def report(mutants, killed):
    kinds = [killed[mutant.number][0] for mutant in mutants]
    without = sum(kind in ('unit', 'program') for kind in kinds)
    print(', '.join(f'{kinds.count(kind)} {kind}' for kind in ('unit', 'program', 'golden', 'alive')))
    print(f'{100 * without / len(mutants):.1f} % are noticed without goldens')
    return without >= WANTED * len(mutants)


def main(words):
    mutants = read_mutants()
    texts, faults = planted_sources(mutants)
    print(*faults, sep='\n', end='\n' if faults else '')
    if faults or words == ['--check']:
        print(f'{len(mutants)} mutants, {len(faults)} faults')
        return 1 if faults else 0
    if words == ['--list']:
        for mutant in mutants:
            print(f'{mutant.number:3} {mutant.path}: {mutant.meaning}')
        return 0
    if any(not word.isdigit() for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    chosen = [mutant for mutant in mutants if not words or str(mutant.number) in words]
    copy_tree(texts)
    build()
    check_baseline(chosen)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        killed = dict(zip([m.number for m in chosen], pool.map(killer, chosen)))
    return 0 if report(chosen, killed) else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
