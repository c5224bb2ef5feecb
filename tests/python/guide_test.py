#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what docs/api/python.md shows: sessions print what stands there, programs end without an exception.

    PYTHONPATH=build/release/python guide_test.py

Programs that import what is not installed are skipped.
"""
import doctest
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs/api/python.md'


def blocks(text, language):
    return re.findall(r'^```%s\n(.*?)^```$' % language, text, re.S | re.M)


def missing(program):
    """The modules that a program imports and that are not installed."""
    names = re.findall(r'^import (.*)$', program, re.M)
    names = [name.split()[0].split('.')[0] for line in names for name in line.split(',')]
    return [name for name in names if importlib.util.find_spec(name) is None]


def main():
    text = PAGE.read_text(encoding='utf-8')
    import tfprof
    os.environ['PYTHONPATH'] = str(pathlib.Path(tfprof.__file__).absolute().parents[1])
    os.environ.update(COLUMNS='120', TF_CPP_MIN_LOG_LEVEL='3', CUDA_VISIBLE_DEVICES='', JAX_PLATFORMS='cpu')
    sessions = '\n'.join(blocks(text, 'pycon'))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / 'testdata', os.path.join(folder, 'testdata'))
        os.chdir(folder)
        test = doctest.DocTestParser().get_doctest(sessions, {}, PAGE.name, str(PAGE), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        failed += runner.run(test).failed
        run = 0
        for program in blocks(text, 'python'):
            absent = missing(program)
            if absent:
                print('skipped, without %s: %s...' % (absent, program.split('\n')[0]))
                continue
            done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True)
            run += 1
            if done.returncode:
                failed += 1
                print(program, done.stdout, done.stderr, sep='\n')
        os.chdir(ROOT)
    print('%d examples and %d programs, %d failed' % (runner.tries, run, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
