#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a checker of numbers that others computed: from the bytes of profiles, or with other tools.

    truth_test.py --bin BIN --checker CHECKER.py

Every failing check must be listed in truth_disagreements.txt, which says why the program differs.
"""
import argparse
import pathlib
import re
import subprocess
import sys

KNOWN = pathlib.Path(__file__).with_name('truth_disagreements.txt')


def known():
    """Returns an expression for the labels of failing checks that are explained."""
    lines = KNOWN.read_text(encoding='utf-8').splitlines()
    labels = [line.strip() for line in lines if line.startswith('  ')]
    return re.compile('|'.join(re.escape(one).replace(r'\*', '.*') for one in labels))


FAILURE = re.compile(r' *(.*?): (expected |.*, wanted ).*')  # the first group is its label


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True)
    parser.add_argument('--checker', required=True)
    options = parser.parse_args()
    command = [sys.executable, options.checker, '--bin', options.bin, '-v']
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    lines = run.stdout.splitlines()
    if not lines or not lines[-1].endswith(' failed'):
        sys.exit(f'{options.checker} did not finish: exit status {run.returncode}')
    print(lines[-1])
    failures = [line for line in lines if FAILURE.fullmatch(line)]
    explained = known()
    unexplained = [line for line in failures if not explained.fullmatch(FAILURE.fullmatch(line)[1])]
    for line in unexplained:
        print(line)
    print(f'{len(failures) - len(unexplained)} explained, {len(unexplained)} not')
    sys.exit(1 if unexplained else 0)


if __name__ == '__main__':
    main()
