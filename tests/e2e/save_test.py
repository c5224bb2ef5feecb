#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files opened together, saved, and opened again answer alike.

    save_test.py --bin PATH [--cases DIR]

About the inputs of testdata/tensorflow, with the commands of its goldens; with --cases also about every
case of a folder of known answers (a case.json each), with the commands of its cmds.txt.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / 'testdata' / 'tensorflow'))
import commands as questions  # noqa: E402


def run(binary, flags, *words, text=''):
    done = subprocess.run([binary, *flags, *words], cwd=TOP, input=text, capture_output=True,
                          text=True, timeout=120)
    return done.returncode, done.stderr


def answers(binary, flags, lines, folder):
    """What each line writes; None: nothing (it is refused)."""
    paths = [os.path.join(folder, '%d.txt' % i) for i in range(len(lines))]
    for path in paths:
        if os.path.exists(path):
            os.unlink(path)
    run(binary, flags, text=''.join('%s -output file:outfile=%s\n' % pair
                                    for pair in zip(lines, paths)))
    return [open(path, 'rb').read() if os.path.exists(path) else None for path in paths]


def without_values(lines):
    """Commands that do not ask for what a saved file lacks, the values of a checkpoint."""
    return [line for line in lines if 'tensor_value' not in line]


def differing(binary, flags, lines):
    """(how many lines were answered, the lines that are answered otherwise after saving)"""
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, 'saved.pb.gz')
        status, error = run(binary, flags, 'save', saved)
        if status != 0:
            return 0, ['save: status %d\n%s' % (status, error)]
        before = answers(binary, flags, lines, folder)
        after = answers(binary, ['--profile_path=' + saved], lines, folder)
    wrong = [line for line, a, b in zip(lines, before, after) if a != b]
    return sum(answer is not None for answer in before), wrong


def own_cases():
    for case in sorted(questions.OWN):
        folder = 'testdata/tensorflow/' + case + '/'
        runs = sorted(p.name for p in (TOP / folder).glob('run_meta_*'))
        yield case, ['--graph_path=' + folder + 'graph.pb', '--op_log_path=' + folder + 'op_log',
                     '--run_meta_path=' + ','.join(folder + name for name in runs)], \
            (questions.COMMON + questions.OWN[case]).strip().splitlines()


def known_cases(top):
    for path in sorted(pathlib.Path(top).rglob('case.json')):
        case, folder = json.loads(path.read_text()), str(path.parent) + '/'
        names = {'graph_path': [case.get('graph')], 'run_meta_path': case.get('run_meta') or [],
                 'op_log_path': [case.get('op_log')], 'checkpoint_path': [case.get('checkpoint')]}
        flags = ['--%s=%s' % (flag, ','.join(folder + name for name in files if name))
                 for flag, files in names.items() if any(files)]
        lines = (path.parent / 'cmds.txt').read_text().splitlines()
        yield path.parent.name, flags, [line.split(' ', 1)[1] for line in lines]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--bin', required=True)
    parser.add_argument('--cases')
    options = parser.parse_args()
    binary = str(pathlib.Path(options.bin).resolve())
    asked = failed = 0
    for name, flags, lines in [*own_cases(),
                               *(known_cases(options.cases) if options.cases else [])]:
        count, wrong = differing(binary, flags, without_values(lines))
        asked += count
        failed += len(wrong)
        for line in wrong:
            print('%s: answered otherwise after saving: %s' % (name, line))
    print('%d answers, %d differ' % (asked, failed))
    return 1 if failed or not asked else 0


if __name__ == '__main__':
    sys.exit(main())
