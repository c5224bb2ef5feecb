#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion in bash, as the program prints it, really asked; the scripts of zsh and fish, where
these are installed, are read by them.

    completion_test.py PROGRAM
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Answers on standard output, one per line, for the words as bash splits them.
ASK = '''
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
_tfprof
printf '%s\\n' "${COMPREPLY[@]}"
'''

# What is typed, as bash splits it (also at = and :), and all answers, or some of them with '...'.
CASES = [
    ('sco', ['scope']),
    ('profile.pb|sco', ['scope']),
    ('profile.pb|scope|profile', ['profile.pb']),
    ('-', ['-c', '-as', '-max_depth', '-keep-going', '...']),
    ('scope|-max', ['-max_depth', '-max-bytes']),
    ('scope|--max_', ['--max_depth']),
    ('advise|-check', ['-checker', '-checkpoint_path']),
    ('timeline|-sel', []),
    ('scope|-order_by|accel', ['accelerator_micros']),
    ('scope|-order_by|=|accel', ['accelerator_micros']),
    ('scope|-order_by|=', ['name', 'bytes', 'micros', '...']),
    ('scope|-select|micros,pe', ['micros,peak_bytes']),
    ('scope|-select|=|micros,pe', ['micros,peak_bytes']),
    ('-select|micros|scope|-format|js', ['json', 'jsonl']),
    ('-format|scope|sco', ['scope']),
    ('scope|-account_displayed_op_only|-sel', ['-select']),
    ('scope|-account_displayed_op_only|t', ['true']),
    ('-as|saved', ['saved_model', 'saved_model-text']),
    ('-max_depth|', []),
    ('-graph_path|=|profile', ['profile.pb']),
    ('scope|-output|file|:|outfile|=|with', ['with blank.txt']),
    ('scope|-output|fi', ['file:outfile=']),
    ('help|form', ['formats']),
    ('help|adv', ['advise']),
    ('with', ['with blank.txt']),
    ('flame|folder/in', ['folder/inner']),
    ('-c|', []),
]


def bash_answers(script, folder, words):
    done = subprocess.run(['bash', '--norc', '-c', ASK, 'bash', script, 'tfprof', *words],
                          cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, (words, done.stderr)
    return [line for line in done.stdout.split('\n') if line]


def check_bash(program, folder):
    script = folder / 'script'
    script.write_bytes(printed(program, 'bash'))
    place = folder / 'place'
    (place / 'folder').mkdir(parents=True)
    for name in ('profile.pb', 'with blank.txt', 'folder/inner'):
        (place / name).write_text('')
    failures = 0
    for typed, expected in CASES:
        answers = bash_answers(script, place, typed.split('|'))
        some = '...' in expected
        wanted = set(expected) - {'...'}
        if not (wanted <= set(answers) if some else wanted == set(answers)):
            failures += 1
            print(f'tfprof {typed}<Tab>\n  wanted {sorted(wanted)}\n  got    {sorted(answers)}')
    return failures


def printed(program, shell):
    return subprocess.run([program, '--completion', shell], check=True,
                          stdout=subprocess.PIPE).stdout


def check_syntax(program, folder, shell, options):
    if not shutil.which(shell):
        print(f'{shell} is not installed: its script was not read')
        return 0
    script = folder / shell
    script.write_bytes(printed(program, shell))
    done = subprocess.run([shell, *options, script], capture_output=True, text=True)
    if done.returncode == 0 and not done.stderr:
        return 0
    print(shell, done.stderr)
    return 1


# Fish can be asked what it would offer.
FISH = 'source $argv[1]; cd $argv[2]; complete -C $argv[3]'
FISH_CASES = [
    ('tfprof sco', 'scope'),
    ('tfprof profile.pb sco', 'scope'),
    ('tfprof scope -max', '-max_depth'),
    ('tfprof scope --max', '--max_depth'),
    ('tfprof scope -order_by accel', 'accelerator_micros'),
    ('tfprof scope -select micros,pe', 'micros,peak_bytes'),
    ('tfprof help form', 'formats'),
    ('tfprof scope prof', 'profile.pb'),
]


def check_fish(program, folder):
    if not shutil.which('fish'):
        return 0
    failures = 0
    for typed, wanted in FISH_CASES:
        done = subprocess.run(['fish', '--no-config', '-c', FISH, folder / 'fish', folder / 'place',
                               typed], capture_output=True, text=True, env=dict(os.environ, HOME=str(folder)))
        answers = [line.split('\t')[0] for line in done.stdout.split('\n')]
        if wanted not in answers:
            failures += 1
            print(f'fish: {typed}<Tab>\n  wanted {wanted}\n  got    {answers} {done.stderr}')
    return failures


def main():
    program = os.path.abspath(sys.argv[1])
    refused = subprocess.run([program, '--completion', 'csh'], capture_output=True, text=True)
    assert refused.returncode == 2 and 'bash zsh fish' in refused.stderr, refused
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        failures = check_bash(program, folder)
        failures += check_syntax(program, folder, 'zsh', ['-n'])
        failures += check_syntax(program, folder, 'fish', ['--no-execute'])
        failures += check_fish(program, folder)
    sys.exit(1 if failures else 0)


main()
