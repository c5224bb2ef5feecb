#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a wheel in a fresh environment, outside of the checkout, and runs what docs/api/python.md shows from there.

    wheel_test.py WHEEL
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

TESTS = pathlib.Path(__file__).resolve().parent


def main():
    wheel = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = os.path.join(folder, 'bin', 'python')
        environment = {name: value for name, value in os.environ.items() if name != 'PYTHONPATH'}

        def run(*words):
            return subprocess.run([python, *map(str, words)], check=True, cwd=folder, env=environment,
                                  stdout=subprocess.PIPE, text=True).stdout

        run('-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', wheel)
        place = run('-c', 'import tfprof; print(tfprof.__file__)').strip()
        assert place.startswith(os.path.realpath(folder)) or place.startswith(folder), place
        for test in ('guide_test.py', 'module_test.py'):
            print(run(TESTS / test).strip() or test)
    print('%s: installed and used' % wheel.name)


main()
