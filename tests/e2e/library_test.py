#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the library of a build, and builds and runs api/example against it, outside of the tree.

    library_test.py BUILD PROGRAM
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / 'testdata/tensorflow/mnist_softmax/profile.pb'


def output(*command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == status, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout if status == 0 else done.stderr


def check_symbols(library):
    """No function of the libraries inside is visible: another copy may be in the same process."""
    names = output('nm', '-DC', '--defined-only', library)
    lines = [line.split(None, 2)[2] for line in names.splitlines() if line.split(None, 2)[1] == 'T']
    others = [line for line in lines if 'tfprof::v1::' not in line]
    assert lines and not others, others[:5]


def check_example(example, program):
    # The program rounds: 9423.333 is 9423.3.
    rows = output(program, 'op', SAMPLE, '-order_by', 'micros', '-n', '3', '-format', 'csv').splitlines()
    names = [row.split(',')[0] for row in rows[1:]]
    times = [float(row.split(',')[rows[0].split(',').index('time_us')]) for row in rows[1:]]
    expected = ['%12.1f us  %s' % pair for pair in zip(times, names)]
    lines = output(example, SAMPLE).splitlines()
    assert lines[:3] == expected, (lines, expected)
    assert lines[3].startswith('note: '), lines
    assert 'no_such_file' in output(example, 'no_such_file', status=3)


def main():
    build, program = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output('cmake', '--install', build, '--component', 'library', '--prefix', folder / 'installed')
        shutil.copytree(ROOT / 'api/example', folder / 'source')
        output('cmake', '-S', folder / 'source', '-B', folder / 'build', '-G', 'Ninja',
               '-DCMAKE_PREFIX_PATH=%s' % (folder / 'installed'))
        output('cmake', '--build', folder / 'build')
        check_example(folder / 'build/expensive_operations', program)
        check_symbols(next((folder / 'installed').rglob('libtfprof.so')))


main()
