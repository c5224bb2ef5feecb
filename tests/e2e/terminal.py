# SPDX-License-Identifier: Apache-2.0
"""What tests of the shell share: the program on a pseudo terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from program import PROFILE, PROGRAM, ROOT, InFolder

CONVNET = ROOT / "testdata/tensorflow/convnet/profile.pb"
PROMPT = "tfprof> "
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07|\r")


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, home, term="xterm", args=(), pager="cat", rows=0, columns=100,
                 **environment):
        env = {"HOME": str(home), "TERM": term, "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"],
               "NO_COLOR": "1", "PAGER": pager, **environment}
        env.update({k: v for k, v in os.environ.items() if "SAN_OPTIONS" in k})
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if rows:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            try:
                os.execve(PROGRAM, [PROGRAM, *map(str, args or [PROFILE])], env)
            finally:  # a child that goes on would run the tests again
                os._exit(127)
        self.raw = ""   # all there was
        self.seen = ""  # what nobody has expected yet, without escape sequences

    def expect(self, pattern, seconds=30):
        """Reads until `pattern` is seen; returns all up to it and forgets it."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.seen)
            if found:
                before, self.seen = self.seen[:found.end()], self.seen[found.end():]
                return before
            left = end - time.monotonic()
            ready = left > 0 and select.select([self.fd], [], [], left)[0]
            data = b""
            if ready:
                try:
                    data = os.read(self.fd, 65536)
                except OSError:
                    pass
            if not data:
                raise AssertionError(f"no {pattern!r} in {self.seen!r}")
            text = data.decode("utf-8", "replace")
            self.raw += text
            self.seen += ESCAPES.sub("", text)

    def type(self, text):
        os.write(self.fd, text.encode())

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def end(self, seconds=30):
        """The exit status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.05)[0]:
                try:
                    os.read(self.fd, 65536)
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError("it does not end")


class ShellTest(InFolder):
    """A home folder of its own for each test."""

    def setUp(self):
        super().setUp()
        self.home = self.folder

    def start(self, **more):
        terminal = Terminal(self.home, **more)
        terminal.expect(PROMPT)
        return terminal
