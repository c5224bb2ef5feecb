# SPDX-License-Identifier: Apache-2.0
"""A real terminal: what a person sees of the program in a window of tmux."""

import os
import pathlib
import re
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PROMPT = re.compile(r'^tfprof[^>\n]*> ', re.M)
ROWS = 50


class Screen:
    """A tmux server of its own in `folder`, with the program in its only window."""

    def __init__(self, folder, columns, command, **environment):
        self.tmux = ['tmux', '-S', f'{folder}/socket', '-f', f'{folder}/tmux.conf']
        pathlib.Path(folder, 'tmux.conf').write_text('set -g history-limit 20000\n'
                                                     'set -g status off\n')
        env = {'PATH': os.environ['PATH'], 'HOME': str(folder), 'LC_ALL': 'C.UTF-8',
               'PAGER': 'cat', 'TERM': 'xterm', **environment}
        env.update({k: v for k, v in os.environ.items() if 'SAN_OPTIONS' in k})
        subprocess.run([*self.tmux, 'new-session', '-d', '-x', str(columns), '-y', str(ROWS),
                        f'{command}; sleep 60'], env=env, cwd=TOP, check=True)

    def close(self):
        self.do('kill-server', check=False)

    def do(self, *command, check=True):
        return subprocess.run([*self.tmux, *command], check=check, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.decode('utf-8', 'replace')

    def seen(self):
        return self.do('capture-pane', '-p', '-S', '-')

    def rows(self):
        """The rows of the window that have something, with their colors."""
        return [row for row in self.do('capture-pane', '-p', '-e').split('\n') if row]

    def cursor(self):
        """(column, row), from 0."""
        column, row = self.do('display-message', '-p', '#{cursor_x} #{cursor_y}').split()
        return int(column), int(row)

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

    def press(self, *keys):
        """Names of keys, as tmux has them: Right, C-e."""
        self.do('send-keys', *keys)

    def write(self, text):
        self.do('send-keys', '-l', '--', text)

    def type(self, text):
        self.write(text)
        self.press('Enter')
