#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shell_test.py PROGRAM: what a person at a terminal sees, through a pseudo terminal."""

import os
import time
import unittest

from program import PROFILE
from terminal import CONVNET, PROMPT, ShellTest, Terminal

CHANGED = "was (modified|replaced)"


class Shell(ShellTest):
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

    def test_a_person_sees_what_a_program_behind_an_answer_says(self):
        terminal = self.start()
        terminal.type("op | grep NoSuchType\n")
        self.assertNotIn("error", terminal.expect(PROMPT))
        terminal.type("op | no-such-program\n")
        terminal.expect("could not be run")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_quit_leaves_even_after_an_error(self):
        terminal = self.start()
        terminal.type("nonsense\nquit\n")
        self.assertEqual(terminal.end(), 0)

    def told(self, terminal, question):
        """What a question comes to, up to the next prompt."""
        terminal.type(f"{question}\n")
        return terminal.expect(PROMPT)

    def test_files_that_changed_while_they_were_open(self):
        profile = self.home / "open.pb"
        profile.write_bytes(PROFILE.read_bytes())
        terminal = self.start(args=[profile])
        self.assertNotRegex(self.told(terminal, "op -n 1"), CHANGED)
        profile.write_bytes(PROFILE.read_bytes() + bytes(2))
        self.assertIn("was modified after loading", self.told(terminal, "op -n 1"))
        self.assertNotRegex(self.told(terminal, "op -n 1"), CHANGED)
        save = f"save {self.home / 'saved.pb'}"
        self.assertIn("was modified after loading", self.told(terminal, save))
        other = self.home / "other.pb"
        other.write_bytes(PROFILE.read_bytes())
        other.rename(profile)
        self.assertIn("was replaced", self.told(terminal, "op -n 1"))
        profile.unlink()
        self.assertNotRegex(self.told(terminal, "op -n 1"), CHANGED)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_a_terminal_is_told_how_long_reading_took(self):
        slow = self.home / "slow.pb"
        os.mkfifo(slow)
        terminal = Terminal(self.home, args=[slow])
        with open(slow, "wb") as pipe:
            time.sleep(1.2)
            pipe.write(PROFILE.read_bytes())
        terminal.expect(", read in ")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_a_base_that_changed_while_it_was_open(self):
        base = self.home / "base.pb"
        base.write_bytes(PROFILE.read_bytes())
        terminal = self.start(args=["--base", base, PROFILE])
        self.assertNotRegex(self.told(terminal, "diff -n 1"), CHANGED)
        base.write_bytes(PROFILE.read_bytes() + bytes(2))
        self.assertIn("was modified after loading", self.told(terminal, "diff -n 1"))
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
        terminal.expect("time of .* rows: min")
        terminal.expect("> ")
        terminal.type("explain micros\n")
        terminal.expect("The row's own value. Time on accelerators")
        terminal.expect("> ")
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_what_hist_sums_up_breaks_between_facts(self):
        terminal = self.start(args=[CONVNET], rows=40, columns=50)
        terminal.type("op -n 2\n")
        terminal.expect(PROMPT)
        terminal.type("hist total time\n")
        lines = terminal.expect("max 127 us").split("\n")
        facts = lines[[line.startswith("total time of") for line in lines].index(True):]
        self.assertEqual(" ".join(facts), "total time of 32 rows: min 0, 10% 0, median 3.50 us, "
                                          "90% 42.5 us, 99% 110 us, max 127 us")
        self.assertGreater(len(facts), 1)
        for line in facts:
            self.assertLessEqual(len(line), 50)
            self.assertRegex(line, r"( 0,|us,|us)$")
        terminal.expect(PROMPT)
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
        terminal.expect("paged: *285 ")
        terminal.expect(PROMPT)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_a_dumb_terminal_has_no_pager(self):
        terminal = self.start(args=[CONVNET], pager="sed s/^/paged:/", rows=30, term="dumb")
        terminal.type("scope -n 200\n")
        self.assertNotIn("paged:", terminal.expect(PROMPT))
        terminal.type("q\n")
        self.assertEqual(terminal.end(), 0)

    def test_short_names_and_several_commands_in_a_line(self):
        terminal = self.start(args=[CONVNET])
        terminal.type("? quit\n")
        terminal.expect("exits")
        terminal.expect(PROMPT)
        terminal.type("clear; echo one; echo two\n")
        terminal.expect(r"one\r?\ntwo\r?\n")
        terminal.expect(PROMPT)
        self.assertIn("\x1b[2J", terminal.raw)
        terminal.type("q\n")
        self.assertEqual(terminal.end(), 0)

    def test_the_first_screen_is_a_summary(self):
        terminal = Terminal(self.home, args=[CONVNET])
        seen = terminal.expect(PROMPT)
        self.assertIn("wall time ", seen)
        self.assertIn("Conv2DBackpropFilter", seen)
        self.assertIn("next  why Conv2DBackpropFilter\n", seen)
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_the_first_screen_fits_80_columns(self):
        terminal = Terminal(self.home, args=[CONVNET], rows=40, columns=80)
        seen = terminal.expect(PROMPT)
        self.assertIn(f"{CONVNET} (profile, 120 KiB):\n  225 nodes, 172 events, 2 steps\n", seen)
        wide = [line for line in seen.split("\n") if len(line) > 80 and str(CONVNET) not in line]
        self.assertEqual(wide, [])
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_messages_are_broken_between_words(self):
        terminal = Terminal(self.home, args=[CONVNET], rows=40, columns=60)
        terminal.expect(PROMPT)
        terminal.type("op -order_by nosuch\n")
        lines = terminal.expect(PROMPT).split("\n")
        hint = next(i for i, line in enumerate(lines) if line.startswith("  hint: one of:"))
        self.assertTrue(lines[hint + 1].startswith("  "), lines)
        self.assertGreater(len(lines[hint]), 40)
        self.assertTrue(all(len(line) <= 60 for line in lines), lines)
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

    def test_quitting_what_an_answer_was_piped_to_keeps_the_shell(self):
        terminal = self.start()
        terminal.type("scope -max_depth 100 -format json | head -c 5\n")
        terminal.expect(PROMPT)
        terminal.type("echo still here\n")
        terminal.expect("\nstill here\n")
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
    unittest.main()
