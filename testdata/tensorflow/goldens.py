# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/classic/CASE/NNN.test:  python goldens.py [CASE...]   (all without CASE)

Each file is a command line of tfprof and what the original prints for it from the line `Profile:`
on. The commands are those of commands.py: about the separate files, every second one again about
profile.pb, and those that need it about the files with the checkpoint.
"""
import os
import shlex
import shutil
import sys

import commands
import original
from make import CASES

GOLDENS = os.path.join(original.ROOT, 'tests', 'golden', 'classic')


def file_flags(case):
    """Path flags, relative to the root, for the separate files of a case."""
    folder = 'testdata/tensorflow/' + case
    names = sorted(name for name in os.listdir(os.path.join(original.ROOT, folder))
                   if name.startswith('run_meta_'))
    return {'graph_path': folder + '/graph.pb',
            'run_meta_path': ','.join(folder + '/' + name for name in names),
            'op_log_path': folder + '/op_log'}


def questions(case):
    """[(path flags, commands)] of a case; a command is a list of words."""
    def words(text):
        return [line.split() for line in text.strip().splitlines()]

    plain = words(commands.COMMON) + words(commands.OWN[case])
    folder = 'testdata/tensorflow/' + case
    asked = [(file_flags(case), plain), ({'profile_path': folder + '/profile.pb'}, plain[::2])]
    if case in commands.CHECKPOINT:
        flags = dict(file_flags(case), checkpoint_path=folder + '/ckpt')
        asked.append((flags, words(commands.CHECKPOINT[case])))
    return asked


def write_goldens(case):
    folder = os.path.join(GOLDENS, case)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    count = 0
    for flags, asked in questions(case):
        paths = ['--%s=%s' % item for item in flags.items()]
        for command, text in zip(asked, original.ask(flags, asked), strict=True):
            count += 1
            line = '$ tfprof ' + shlex.join(paths + command) + '\n'
            with open(os.path.join(folder, '%03d.test' % count), 'w', encoding='utf-8') as file:
                file.write(line + text)
    print('%s: %d goldens' % (case, count))


if __name__ == '__main__':
    for name in sys.argv[1:] or CASES:
        write_goldens(name)
