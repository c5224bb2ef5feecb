#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the sessions of docs/tour.md in tmux and compares what the screen showed.

    tour_test.py --bin PATH [--update]

A session is a comment `<!-- tour: COLUMNS FILE... | COMMAND | COMMAND ... -->` and the block below it:
the shell of those files on a terminal of so many columns, each command typed and waited for, then all
that was on the screen, without colors. --update writes what is seen instead.
"""
import argparse, pathlib, re, shutil, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / 'tests/e2e'))
from screen import Screen

PAGE = TOP / 'docs/tour.md'
SESSION = re.compile(r'^<!-- tour: (\d+) ([^|]+?) \| (.*?) -->\n```\n(.*?)^```$', re.S | re.M)


def play(binary, columns, path, commands):
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(folder, columns, f"'{binary}' {path}", NO_COLOR='1')
        try:
            text = screen.wait_for_prompt(1)
            for number, command in enumerate(commands, 2):
                screen.type(command)
                text = screen.wait_for_prompt(number)
        finally:
            screen.close()
    lines = [line.rstrip() for line in text.split('\n')]
    return f'$ tfprof {path}\n' + '\n'.join(lines[:-1]) + '\n'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--bin', required=True, type=pathlib.Path)
    parser.add_argument('--update', action='store_true')
    options = parser.parse_args()
    if shutil.which('tmux') is None:
        print('skipped: there is no tmux')
        return 77
    page, wrong = PAGE.read_text(), 0
    sessions = list(SESSION.finditer(page))
    assert sessions, 'docs/tour.md shows no session'
    for session in reversed(sessions):
        columns, path, commands, shown = session.groups()
        really = play(options.bin.resolve(), int(columns), path, commands.split(' | '))
        if really == shown:
            continue
        wrong += 1
        if options.update:
            page = page[:session.start(4)] + really + page[session.end(4):]
        else:
            print(f'--- {columns} columns, {path}\n{really}')
    if options.update:
        PAGE.write_text(page)
    print(f'{len(sessions)} sessions, {wrong} {"rewritten" if options.update else "differ"}')
    return 0 if options.update or not wrong else 1


if __name__ == '__main__':
    sys.exit(main())
