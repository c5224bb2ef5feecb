#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the sessions of docs/tour*.md in tmux and compares what the screen showed.

    tour_test.py --bin PATH [--data FOLDER] [--update]

A session is a comment `<!-- tour: COLUMNS FILE... | COMMAND | COMMAND ... -->` and the block below it:
the shell of those files on a terminal of so many columns, each command typed and waited for, then all
that was on the screen, without colors. --update writes what is seen instead. Files that are not in
this project are in the folder of --data; without it their sessions are not played.
"""
import argparse, pathlib, re, shutil, sys, tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / 'tests/e2e'))
from screen import Screen

SESSION = re.compile(r'^<!-- tour: (\d+) ([^|]+?) \| (.*?) -->\n```\n(.*?)^```$', re.S | re.M)


def play(binary, columns, path, commands, folder_of_files=TOP):
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(folder, columns, f"cd '{folder_of_files}'; '{binary}' {path}",
                        NO_COLOR='1')
        try:
            text = screen.wait_for_prompt(1)
            for number, command in enumerate(commands, 2):
                screen.type(command)
                text = screen.wait_for_prompt(number)
        finally:
            screen.close()
    lines = [line.rstrip() for line in text.split('\n')]
    return f'$ tfprof {path}\n' + '\n'.join(lines[:-1]) + '\n'


def sessions_of(page, data):
    """[(session, the folder of its files)], without those whose files are nowhere."""
    for session in SESSION.finditer(page):
        for folder in (TOP, data):
            if folder and all((folder / file).exists() for file in session[2].split()):
                yield session, folder
                break


def check(page, options):
    """(number of sessions played, of those that differ)."""
    text, wrong = page.read_text(), 0
    sessions = list(sessions_of(text, options.data))
    for session, folder in reversed(sessions):
        columns, path, commands, shown = session.groups()
        really = play(options.bin.resolve(), int(columns), path, commands.split(' | '), folder)
        if really == shown:
            continue
        wrong += 1
        if options.update:
            text = text[:session.start(4)] + really + text[session.end(4):]
        else:
            print(f'--- {columns} columns, {path}\n{really}')
    if options.update:
        page.write_text(text)
    return len(sessions), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--bin', required=True, type=pathlib.Path)
    parser.add_argument('--data', type=pathlib.Path)
    parser.add_argument('--update', action='store_true')
    options = parser.parse_args()
    if shutil.which('tmux') is None:
        print('skipped: there is no tmux')
        return 77
    results = [check(page, options) for page in sorted(TOP.glob('docs/tour*.md'))]
    played, wrong = map(sum, zip(*results))
    assert played, 'docs/tour*.md show no session'
    print(f'{played} sessions, {wrong} {"rewritten" if options.update else "differ"}')
    return 0 if options.update or not wrong else 1


if __name__ == '__main__':
    sys.exit(main())
