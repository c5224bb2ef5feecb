#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""typing_test.py PROGRAM: how a line is typed: editing, Tab, history, Ctrl-C."""

import stat
import time
import unittest

from program import ROOT
from terminal import CONVNET, PROMPT, ShellTest, Terminal


class Typing(ShellTest):
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
        terminal.expect("why +scope gradients/conv1/Conv2D_grad")
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

    def test_tab_puts_headings_of_several_words_in_quotes(self):
        terminal = self.start(args=[ROOT / "testdata/xspace/keras_fit"])
        terminal.type("steps\n")
        terminal.expect(PROMPT)
        terminal.type("steps -order_by dura\t")
        terminal.expect("duration")
        terminal.type("\x15steps -where %\t")
        terminal.expect("'% of median")
        terminal.type(" > 100' -columns step,%\t")
        terminal.expect("'% of median'")
        terminal.type(" -order_by '%\t")
        terminal.expect("% of median' ")
        terminal.type("\n")
        terminal.expect("step +% of median\n +1 +304.8\n +0 +114.4\n")
        terminal.expect(PROMPT)
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

    def test_names_longer_than_the_screen_are_cut(self):
        def field(number, value):
            size, length = b"", len(value)
            while length > 127:
                size, length = size + bytes([length & 127 | 128]), length >> 7
            return bytes([number << 3 | 2]) + size + bytes([length]) + value
        names = [b"model/" + letter + b"x" * 10000 + b"/end_" + letter for letter in (b"a", b"b")]
        graph = self.folder / "graph.pb"
        graph.write_bytes(b"".join(field(1, field(1, name) + field(2, b"MatMul")) for name in names))
        terminal = self.start(args=[graph], columns=90, rows=40)
        for command in ("peek end_a", "why end_a"):
            terminal.type(command + "\n")
            terminal.expect(command)
            answer = terminal.expect(PROMPT)
            self.assertIn("…", answer)
            self.assertLessEqual(max(map(len, answer.split("\n"))), 90)
        terminal.type("peek model/\t\t")
        self.assertLess(len(terminal.expect("\nmodel/ax+…x+/\nmodel/bx+…x+/\n")), 500)
        terminal.type("\x15\x04")
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

    def test_history_of_two_shells_at_once_is_that_of_both(self):
        shells = [self.start(), self.start()]
        for word in ("one", "two"):
            for i, shell in enumerate(shells):
                shell.type(f"echo {word}{i}\n")
                shell.expect(f"{word}{i}\n")
                shell.expect(PROMPT)
        for shell in shells:
            shell.type("\x04")
            self.assertEqual(shell.end(), 0)
        path = self.home / ".local/state/tfprof/history"
        lines = path.read_text().split("\n")
        self.assertEqual(sorted(lines[1:-1]), [f"echo\\040{word}{i}" for word in ("one", "two")
                                               for i in (0, 1)])
        self.assertEqual([name.name for name in path.parent.iterdir()], ["history"])

    def test_a_long_history_loses_its_oldest_lines(self):
        path = self.home / ".local/state/tfprof/history"
        path.parent.mkdir(parents=True)
        path.write_text("_HiStOrY_V2_\n" + "".join(f"echo\\040{i:0300}\n" for i in range(3000)))
        terminal = self.start()
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)
        lines = path.read_text().split("\n")[1:-1]
        self.assertEqual(lines, [f"echo\\040{i:0300}" for i in range(2000, 3000)])
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_a_terminal_of_ten_columns_takes_long_lines(self):
        for columns in (1, 4, 10):
            terminal = Terminal(self.home, rows=20, columns=columns)
            time.sleep(0.5)
            terminal.type("echo a long line that has no place\x1bb\x1bb\x05 here\n")
            terminal.type("quit\n")
            self.assertEqual(terminal.end(), 0, columns)

    def test_a_terminal_that_becomes_narrow_does_not_end_it(self):
        terminal = self.start(rows=20, columns=60)
        terminal.type("echo a long line that has no place")
        terminal.expect("no place")
        terminal.resize(20, 8)
        terminal.type("\x1bb\x1bb\x05 here\n")
        time.sleep(0.5)
        terminal.type("\nquit\n")
        self.assertEqual(terminal.end(), 0)

    def test_a_dumb_terminal_has_the_same_shell(self):
        terminal = Terminal(self.home, term="dumb")
        greeting = terminal.expect(PROMPT)
        self.assertIn("help explains", greeting)
        self.assertNotIn("Tab", greeting)  # it does nothing there
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

    def test_a_scope_whose_name_is_no_utf8_stands_in_the_prompt(self):
        def field(number, text):
            return bytes([number << 3 | 2, len(text)]) + text

        nodes = (field(1, field(1, b"sc\xffope/" + leaf) + field(2, b"Add")) for leaf in (b"a", b"b"))
        graph = self.home / "graph.pb"
        graph.write_bytes(b"".join(nodes))
        terminal = self.start(args=[graph])
        terminal.type("ls\n")
        terminal.expect(PROMPT)
        terminal.type("cd 1\n")
        terminal.expect(r"tfprof sc\\xffope> ")
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)


if __name__ == "__main__":
    unittest.main()
