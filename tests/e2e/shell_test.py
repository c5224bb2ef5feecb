#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shell_test.py PROGRAM: what a person at a terminal sees, through a pseudo terminal."""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import stat
import struct
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONVNET = ROOT / "testdata/tensorflow/convnet/profile.pb"
PROFILE = ROOT / "testdata/tensorflow/mnist_softmax/profile.pb"
PROGRAM = "build/release/tfprof"
PROMPT = "tfprof> "
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07|\r")


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, home, term="xterm", args=(), pager="cat", rows=0):
        env = {"HOME": str(home), "TERM": term, "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"],
               "NO_COLOR": "1", "PAGER": pager}
        env.update({k: v for k, v in os.environ.items() if "SAN_OPTIONS" in k})
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if rows:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 100, 0, 0))
            os.execve(PROGRAM, [PROGRAM, *map(str, args or [PROFILE])], env)
        self.seen = ""

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
            self.seen += ESCAPES.sub("", data.decode("utf-8", "replace"))

    def type(self, text):
        os.write(self.fd, text.encode())

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


class Shell(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)

    def start(self, **more):
        terminal = Terminal(self.home, **more)
        terminal.expect(PROMPT)
        return terminal

    def test_commands_errors_and_ctrl_d(self):
        terminal = self.start()
        terminal.type("echo hello\n")
        terminal.expect("hello\n")
        terminal.expect(PROMPT)
        terminal.type("sumary\n")
        terminal.expect("did you mean summary")
        terminal.expect(PROMPT)
        terminal.type("op -n 1\n")
        terminal.expect("BiasAdd")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_quit_leaves_even_after_an_error(self):
        terminal = self.start()
        terminal.type("nonsense\nquit\n")
        self.assertEqual(terminal.end(), 0)

    def test_ctrl_c_drops_the_line_and_stays(self):
        terminal = self.start()
        terminal.type("echo unwanted")
        terminal.expect("unwanted")
        terminal.type("\x03")
        terminal.expect(PROMPT)
        terminal.type("echo wanted\n")
        self.assertNotIn("unwanted", terminal.expect("wanted\n[^\n]*" + PROMPT))
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_ctrl_c_ends_what_an_answer_was_piped_to(self):
        terminal = self.start()
        terminal.type("op | (cat; echo reading; sleep 60)\n")
        terminal.expect("BiasAdd")
        terminal.expect("reading\n")
        terminal.type("\x03")
        terminal.expect(PROMPT)
        terminal.type("echo still here\n")
        terminal.expect("\nstill here\n")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_ctrl_c_ends_a_question_that_would_take_minutes(self):
        graph = self.home / "graph.pbtxt"
        names = (f"layer_{i}/" + "weight_and_a_long_name_" * 4 for i in range(20000))
        graph.write_text("".join(f'node {{ name: "{name}" op: "Add" }}\n' for name in names))
        terminal = self.start(args=[graph])
        slow = ",".join(f"(.*[a-w]){{40}}{i}" for i in range(100))
        began = time.monotonic()
        terminal.type(f"scope -show_name_regexes {slow}\necho typed ahead\n")
        time.sleep(1)
        terminal.type("\x03")
        terminal.expect("cancelled")
        terminal.expect(PROMPT)
        self.assertLess(time.monotonic() - began, 30)
        terminal.type("\x15echo still here\n")
        terminal.expect("\nstill here\n")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_tab_completes_words_and_shows_the_choices(self):
        terminal = self.start()
        terminal.type("sco\t")
        terminal.expect("scope ")
        terminal.type("-max\t")
        terminal.expect("-max_depth ")
        terminal.type("2 -select mic\t")
        terminal.expect("micros")
        terminal.type(",par\t")
        terminal.expect("params")
        terminal.type(" -order_by p\t")
        terminal.expect("params +peak_bytes")
        terminal.type("a\t\n")
        terminal.expect("params")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_tab_completes_names_of_the_profile(self):
        terminal = self.start(args=[CONVNET])
        terminal.type("cd grad\t\n")
        terminal.expect("cd gradients/")
        terminal.expect("-under gradients\n")
        terminal.expect("tfprof gradients> ")
        terminal.type("why conv1/Conv\t\n")  # in the scope one is in
        terminal.expect("conv1/Conv2D_grad/")
        terminal.expect("why  scope gradients/conv1/Conv2D_grad")
        terminal.expect("gradients> ")
        terminal.type("undo\n")
        terminal.expect("no filters")
        terminal.expect(PROMPT)
        terminal.type("peek Fused\t\t")
        terminal.expect("FusedBatchNormV3 +FusedBatchNormGradV3")  # the costlier one first
        terminal.type("\x15op -step \t\t")
        terminal.expect("0 +1")
        terminal.type("\x15\x04")
        self.assertEqual(terminal.end(), 0)

    def test_rows_have_numbers_that_stand_for_names(self):
        terminal = self.start(args=[CONVNET])
        terminal.type("op -n 2\n")
        terminal.expect("#  operation")
        terminal.expect("2  Conv2D ")
        terminal.expect(PROMPT)
        terminal.type("focus 2\n")
        terminal.expect("-focus =Conv2D\n")
        terminal.expect(r"tfprof \[1 filter\]> ")
        terminal.type("hist micros\n")
        terminal.expect("time of .* rows: least")
        terminal.expect("> ")
        terminal.type("explain micros\n")
        terminal.expect("-select micros: Execution time")
        terminal.expect("> ")
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_what_is_longer_than_the_screen_goes_through_a_pager(self):
        terminal = self.start(args=[CONVNET], pager="sed s/^/paged:/", rows=30)
        terminal.type("op -n 3\n")
        self.assertNotIn("paged:", terminal.expect(PROMPT))
        terminal.type("scope\n")
        self.assertNotIn("paged:", terminal.expect(PROMPT))
        terminal.type("last\n")
        terminal.expect("paged: *#  name")
        terminal.expect("paged: *300 ")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_the_first_screen_is_a_summary(self):
        terminal = Terminal(self.home, args=[CONVNET])
        seen = terminal.expect(PROMPT)
        self.assertIn("has        graph", seen)
        self.assertIn("Conv2DBackpropFilter", seen)
        self.assertIn("next  scope ", seen)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_the_configuration_file_keeps_options(self):
        folder = self.home / ".config/tfprof"
        folder.mkdir(parents=True)
        (folder / "config").write_text("# mine\n-select bytes\n\n-n 1\n")
        terminal = self.start(args=[CONVNET])
        terminal.type("op\n")
        terminal.expect("requested")
        terminal.expect("42 others")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)
        (folder / "config").write_text("\n-no_such 1\n")
        terminal = Terminal(self.home, args=[CONVNET])
        terminal.expect("config:2: no option -no_such")
        self.assertEqual(terminal.end(), 2)
        terminal = self.start(args=[CONVNET, "--no-config"])
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_tab_shows_names_of_files_without_their_control_letters(self):
        for letter in "ab":
            (self.home / f"we\x1b[31m{letter}").touch()
        terminal = self.start()
        terminal.type(f"source {self.home}/we\t")
        terminal.type("\t")
        terminal.expect(r"we\?\[31ma +")
        terminal.expect(r"we\?\[31mb")
        terminal.type("\x15\x04")  # Ctrl-U drops the line
        self.assertEqual(terminal.end(), 0)

    def test_quitting_what_an_answer_was_piped_to_keeps_the_shell(self):
        terminal = self.start()
        terminal.type("scope -max_depth 100 -format json | head -c 5\n")
        terminal.expect(PROMPT)
        terminal.type("echo still here\n")
        terminal.expect("\nstill here\n")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_history_outlives_the_session(self):
        terminal = self.start()
        terminal.type("echo remembered\n")
        terminal.expect("remembered\n")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        terminal.end()
        path = self.home / ".local/state/tfprof/history"
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        terminal = self.start()
        terminal.type("\x1b[A\n")
        terminal.expect("remembered\n")
        terminal.expect(PROMPT)
        terminal.type("history\n")
        terminal.expect("1  echo remembered")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_a_dumb_terminal_has_the_same_shell(self):
        terminal = self.start(term="dumb")
        terminal.type("echo h\xe9llo\n")
        terminal.expect("h\xe9llo\nh\xe9llo\n")
        terminal.expect(PROMPT)
        terminal.type("half")
        time.sleep(0.2)
        terminal.type("\x03")
        terminal.expect(PROMPT)
        terminal.type("echo whole\n")
        terminal.expect("whole\nwhole\n")
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_letters_beyond_ascii_arrive(self):
        terminal = self.start()
        terminal.type("echo gr\xfc\xdfe\n")
        terminal.expect("gr\xfc\xdfe\n")
        terminal.expect("gr\xfc\xdfe\n")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_an_empty_line_lists_the_options(self):
        terminal = self.start(args=[f"--profile_path={PROFILE}"])
        terminal.type("\n")
        terminal.expect("-max_depth +10\n")
        terminal.expect("-output +stdout:\n")
        terminal.expect(PROMPT)
        terminal.type("exit\n")
        self.assertEqual(terminal.end(), 0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
