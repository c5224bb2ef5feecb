#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hint_test.py PROGRAM: what is likely to be typed next stands in grey behind the cursor."""

import pathlib
import re
import shutil
import sys
import time
import unittest

from program import PROGRAM, InFolder
from screen import Screen
from terminal import CONVNET, PROMPT, Terminal

GREY = "\x1b[2m"
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def plain(row):
    return COLORS.sub("", row)


class Hints(InFolder):
    def open(self, columns=80, history=(), **environment):
        path = self.folder / ".local/state/tfprof/history"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(["_HiStOrY_V2_\n"] + [line + "\n" for line in history]))
        self.screen = Screen(self.folder, columns, f"'{PROGRAM}' '{CONVNET}'", **environment)
        self.addCleanup(self.screen.close)
        self.screen.wait_for_prompt(1)

    def expect(self, typed, hint, seconds=10):
        """The line behind the prompt: what is typed, what is grey; and the cursor between."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            rows = self.screen.rows()
            column, row = self.screen.cursor()
            black, _, grey = rows[-1].partition(GREY)
            black, grey = plain(black), plain(grey)
            between = len(black) == column or (not grey and len(black) <= column)
            if (black.rstrip(), grey) == ((PROMPT + typed).rstrip(), hint) and between:
                return
            time.sleep(0.05)
        self.fail(f"not {typed!r} and {hint!r}: {rows[-1]!r}, cursor {column}")

    def test_the_rest_of_a_command_and_of_an_option(self):
        self.open()
        self.screen.write("sc")
        self.expect("sc", "ope")
        self.screen.write("o")
        self.expect("sco", "pe")
        self.screen.press("Right")
        self.expect("scope", "")
        self.screen.write(" -max")
        self.expect("scope -max", "_depth")
        self.screen.press("End")
        self.expect("scope -max_depth", "")
        self.screen.write("x")
        self.expect("scope -max_depthx", "")

    def test_keys_that_take_it_and_keys_that_do_not(self):
        self.open()
        for key in ("Right", "End", "C-f", "C-e"):
            self.screen.write("sco")
            self.expect("sco", "pe")
            self.screen.press(key)
            self.expect("scope", "")
            self.screen.press("C-u")
        self.screen.write("sco")
        self.screen.press("Left", "Right")  # the first of them hides it
        self.expect("sco", "pe")
        self.screen.press("Enter")
        self.screen.wait_for_prompt(2)
        self.assertIn("no command 'sco'", self.screen.seen())
        self.assertIn(PROMPT + "sco", [row.rstrip() for row in self.screen.rows()])

    def test_right_and_end_still_move(self):
        self.open()
        self.screen.write("echo two")
        self.screen.press("Home", *["Right"] * 5)
        self.screen.write("x")
        self.screen.press("C-e")
        self.screen.write("y\n")
        self.screen.wait_for_prompt(2)
        self.assertIn("\nxtwoy\n", self.screen.seen())

    def test_the_newest_line_of_the_history_comes_first(self):
        self.open(history=["op -n 3", "op -n 7", "nonsense", "scope"])
        self.screen.write("op")
        self.expect("op", " -n 7")
        self.screen.write(" -n 3")
        self.expect("op -n 3", "")
        self.screen.press("C-u")
        self.screen.write("nons")  # a slip is not proposed
        self.expect("nons", "")

    def test_a_line_that_was_refused_is_not_proposed(self):
        self.open()
        for number, line in enumerate(("op -n 3", "op -nn 3"), 2):
            self.screen.type(line)
            self.screen.wait_for_prompt(number)
        self.screen.write("op -n")
        self.expect("op -n", " 3")

    def test_the_costliest_name_of_the_profile(self):
        self.open()
        self.screen.write("cd ")
        self.expect("cd ", "gradients/")
        self.screen.press("Right")
        self.expect("cd gradients/", "conv2/")
        self.screen.press("C-u")
        self.screen.write("peek Conv2DBackpropI")
        self.expect("peek Conv2DBackpropI", "nput")

    def test_it_is_cut_at_the_edge_and_taken_whole(self):
        self.open(columns=32, history=["echo a long line that does not fit"])
        self.screen.write("echo a")
        self.expect("echo a", " long line that d")
        self.screen.press("Right")
        self.screen.press("Enter")
        self.screen.wait_for_prompt(2)
        self.assertIn("\na long line that does not fit", self.screen.seen())

    def test_behind_a_line_that_goes_on_in_the_next_row(self):
        self.open(columns=32, history=["echo 0123456789 0123456789 0123456789 tail"])
        self.screen.write("echo 0123456789 0123456789 01")
        deadline = time.monotonic() + 10
        while GREY not in self.screen.rows()[-1] and time.monotonic() < deadline:
            time.sleep(0.05)
        black, _, grey = self.screen.rows()[-1].partition(GREY)
        self.assertEqual((black, plain(grey)), ("89 01", "23456789 tail"))
        self.assertEqual(self.screen.cursor()[0], len(black))

    def test_wide_letters(self):
        self.open(columns=40, history=["echo \u65e5\u672c\u8a9e\u306e\u6587"])
        self.screen.write("echo \u65e5")
        deadline = time.monotonic() + 10
        while GREY not in self.screen.rows()[-1] and time.monotonic() < deadline:
            time.sleep(0.05)
        black, _, grey = self.screen.rows()[-1].partition(GREY)
        self.assertEqual((black, plain(grey)),
                         (PROMPT + "echo \u65e5", "\u672c\u8a9e\u306e\u6587"))
        self.assertEqual(self.screen.cursor()[0], len(PROMPT) + 7)

    def test_no_grey_stays_after_enter_and_ctrl_c(self):
        self.open(history=["echo stays away"])
        self.screen.write("echo")
        self.expect("echo", " stays away")
        self.screen.press("C-c")
        self.screen.wait_for_prompt(2)
        self.screen.write("echo")
        self.expect("echo", " stays away")
        self.screen.press("Enter")
        self.screen.wait_for_prompt(3)
        self.assertNotIn("stays away", self.screen.seen())

    def test_the_mark_of_ctrl_c_stands_behind_all_that_was_typed(self):
        self.open(columns=40)
        self.screen.write("echo one two")
        self.expect("echo one two", "")
        self.go_home()
        self.screen.press("C-c")
        self.screen.wait_for_prompt(2)
        self.assertIn(PROMPT + "echo one two^C\n" + PROMPT.rstrip(), self.screen.seen())
        letters = "0123456789" * 9  # of three rows
        self.screen.write(letters)
        self.wait_until(lambda: letters in self.screen.seen().replace("\n", ""))
        self.go_home()
        self.screen.press("C-c")
        self.screen.wait_for_prompt(3)
        rows = self.screen.seen().rstrip("\n").split("\n")
        self.assertEqual("".join(rows[-4:]), PROMPT + letters + "^C" + PROMPT.rstrip())

    def go_home(self):
        """And waits: the terminal drops keys that nobody has read before Ctrl-C."""
        self.screen.press("C-a")
        self.wait_until(lambda: self.screen.cursor()[0] == len(PROMPT))

    def wait_until(self, holds, seconds=10):
        end = time.monotonic() + seconds
        while not holds() and time.monotonic() < end:
            time.sleep(0.05)

    def test_the_line_fits_a_window_that_changes(self):
        self.open(columns=60, history=["echo twenty letters and some more of them"])
        self.screen.write("echo tw")
        self.expect("echo tw", "enty letters and some more of them")
        self.screen.do("resize-window", "-x", "30")
        self.expect("echo tw", "enty letters a")
        self.screen.do("resize-window", "-x", "100")
        self.expect("echo tw", "enty letters and some more of them")
        self.screen.press("End")
        self.expect("echo twenty letters and some more of them", "")

    def test_answers_fit_the_window_as_it_is(self):
        self.open(columns=100)
        self.screen.do("resize-window", "-x", "50")
        self.screen.type("info")
        self.screen.wait_for_prompt(2)
        table = self.screen.seen().rsplit(PROMPT + "info", 1)[1]
        self.assertLessEqual(max(map(len, table.split("\n"))), 50)

    def test_where_there_is_none(self):
        self.open(history=["op -n 7"], NO_COLOR="1")
        self.screen.write("op -")
        time.sleep(0.5)
        self.expect("op -", "")

    def test_it_can_be_turned_off(self):
        config = self.folder / ".config/tfprof/config"
        config.parent.mkdir(parents=True)
        config.write_text("set_by_mistake\n")
        self.open_and_fail(config)
        config.write_text("# quiet\nhints off\n")
        self.open(history=["op -n 7"])
        self.screen.write("op -")
        time.sleep(0.5)
        self.expect("op -", "")
        self.screen.press("C-u")
        self.screen.type("set hints on")
        self.screen.wait_for_prompt(2)
        self.screen.write("op -")
        self.expect("op -", "n 7")

    def open_and_fail(self, config):
        terminal = Terminal(self.folder, args=[CONVNET])
        terminal.expect("config:1: set takes options")
        self.assertEqual(terminal.end(), 2)


class Paste(InFolder):
    def test_what_is_pasted_is_not_answered_letter_by_letter(self):
        terminal = Terminal(self.folder, args=[CONVNET], NO_COLOR="")
        terminal.expect(PROMPT)
        terminal.raw = ""
        terminal.type("scope -max_depth 3 -select micro")
        terminal.expect("-select micro")
        time.sleep(0.5)
        self.assertLessEqual(terminal.raw.count(GREY), 1)
        terminal.type("\x15\x04")
        self.assertEqual(terminal.end(), 0)

    def test_not_on_a_dumb_terminal(self):
        terminal = Terminal(self.folder, args=[CONVNET], NO_COLOR="", term="dumb")
        terminal.expect(PROMPT)
        terminal.raw = ""
        terminal.type("sco\n")
        terminal.expect("no command")
        self.assertNotIn("\x1b", terminal.raw)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        print("skipped: there is no tmux")
        sys.exit(77)
    unittest.main()
