#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the sessions of docs/tour.md in tmux and compares what the screen showed.

    tour_test.py --bin PATH [--update]

A session is a comment `<!-- tour: COLUMNS FILE | COMMAND | COMMAND ... -->` and the block below it:
the shell of that file on a terminal of so many columns, each command typed and waited for, then all
that was on the screen, without colours. --update writes what is seen instead.
"""
import argparse, os, pathlib, re, shutil, subprocess, sys, tempfile, time

TOP = pathlib.Path(__file__).resolve().parent.parent
PAGE = TOP / 'docs/tour.md'
SESSION = re.compile(r'^<!-- tour: (\d+) (\S+) \| (.*?) -->\n```\n(.*?)^```$', re.S | re.M)
PROMPT = re.compile(r'^tfprof[^>\n]*> ', re.M)
ROWS = 50


class Screen:
    """A tmux server of its own, with the program in its only window."""

    def __init__(self, folder, columns, command):
        self.tmux = ['tmux', '-S', f'{folder}/socket', '-f', f'{folder}/tmux.conf']
        pathlib.Path(folder, 'tmux.conf').write_text('set -g history-limit 20000\n'
                                                     'set -g status off\n')
        env = {'PATH': os.environ['PATH'], 'HOME': folder, 'LC_ALL': 'C.UTF-8', 'PAGER': 'cat',
               'NO_COLOR': '1', 'TERM': 'xterm'}
        env.update({k: v for k, v in os.environ.items() if 'SAN_OPTIONS' in k})
        subprocess.run([*self.tmux, 'new-session', '-d', '-x', str(columns), '-y', str(ROWS),
                        f'{command}; sleep 60'], env=env, cwd=TOP, check=True)

    def close(self):
        subprocess.run([*self.tmux, 'kill-server'], check=False, stderr=subprocess.DEVNULL)

    def seen(self):
        return subprocess.run([*self.tmux, 'capture-pane', '-p', '-S', '-'], check=True,
                              stdout=subprocess.PIPE).stdout.decode('utf-8', 'replace')

    def wait_for_prompt(self, number, seconds=60):
        """Until the prompt is there for the `number`th time, with nothing behind it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            text = self.seen().rstrip('\n')
            last = text.rsplit('\n', 1)[-1]
            if len(PROMPT.findall(text + ' ')) >= number and re.fullmatch(r'tfprof[^>]*>', last):
                return text
            time.sleep(0.05)
        sys.exit(f'no prompt within {seconds} s:\n{self.seen()}')

    def type(self, text):
        subprocess.run([*self.tmux, 'send-keys', '-l', text], check=True)
        subprocess.run([*self.tmux, 'send-keys', 'Enter'], check=True)


def play(binary, columns, path, commands):
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(folder, columns, f"'{binary}' {path}")
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
