#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The man page: groff has nothing to warn of, and everything that `help` knows is in it.

    man_test.py PROGRAM
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ENVIRONMENT = dict(os.environ, LC_ALL='C.UTF-8', MANWIDTH='80', MANROFFOPT='', GROFF_NO_SGR='1')


def output(command, **more):
    return subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT, **more)


def first_words(text, title):
    """The first word of each line below a title of `tfprof help`, up to a blank line."""
    block = text.split(title + '\n', 1)[1].split('\n\n', 1)[0]
    return [line.split()[0] for line in block.split('\n') if line.startswith('  ')]


def rendered(page):
    """As it is read on a terminal, without overstriking; stops on a warning."""
    if shutil.which('man'):
        done = output(['man', '--warnings', '-E', 'UTF-8', '-l', page])
        assert not done.stderr, done.stderr.decode()
        return re.sub('.\b', '', done.stdout.decode())
    print('man is not installed: the source was looked at alone')
    with open(page, encoding='utf-8') as file:
        return file.read().replace('\\-', '-').replace('\\(rs', '\\')


def main():
    program = os.path.abspath(sys.argv[1])
    page = output([program, '--man']).stdout
    with tempfile.NamedTemporaryFile(suffix='.1') as file:
        file.write(page)
        file.flush()
        text = rendered(file.name)
    overview = output([program, 'help']).stdout.decode()
    options = output([program, 'help', 'options']).stdout.decode()
    formats = output([program, 'help', 'formats']).stdout.decode()
    wanted = re.findall(r'^  (-\S+)', options, re.M)
    for title in ('questions', 'files', 'the shell'):
        wanted += first_words(overview, title)
    wanted += re.findall(r'^  (\S+)', formats, re.M)
    missing = [word for word in wanted if not re.search(r'^\s+' + re.escape(word) + r'\b', text, re.M)]
    assert len(wanted) > 80, wanted
    assert not missing, missing


main()
