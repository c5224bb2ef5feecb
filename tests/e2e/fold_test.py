#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fold_test.py PROGRAM: folded rows as a person at a terminal handles them."""

import unittest

from program import ROOT
from terminal import ShellTest

LAYERS = [ROOT / "testdata/models/layers" / name for name in ("graph.pb", "run_meta")]
FOLDED = r"\{0\.\.4,6\.\.11\}"


class Fold(ShellTest):
    def ask(self, terminal, line):
        terminal.type(line + "\n")
        terminal.expect("\n")  # the echo
        return terminal.expect("tfprof.*> ")

    def open(self):
        return self.start(args=LAYERS, rows=40, columns=100)

    def leave(self, terminal):
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_a_row_number_unfolds_and_undo_goes_back(self):
        terminal = self.open()
        folded = self.ask(terminal, "ls")
        self.assertRegex(folded, rf"\n2  layer_{FOLDED}/ +x11 ")
        self.assertIn("folded 11 rows into 1: unfold\n", folded)
        unfolded = self.ask(terminal, "unfold 2")
        self.assertRegex(unfolded, r"\n 1  layer_0/ .*\n 2  layer_9/ ")
        self.assertNotIn("layer_5", unfolded)
        self.assertRegex(self.ask(terminal, "peek 2"), r"^scope +layer_9\n")
        self.assertEqual(self.ask(terminal, "undo"), folded)
        self.assertRegex(self.ask(terminal, "unfold"), r"\n18  x ")
        self.assertEqual(self.ask(terminal, "fold"), folded)
        self.leave(terminal)

    def test_a_folded_row_is_no_single_thing_but_filters_take_it(self):
        terminal = self.open()
        self.ask(terminal, "ls")
        for question in ("peek", "why", "cd"):
            answer = self.ask(terminal, question + " 2")
            self.assertIn("error: '2' is 11 folded rows: layer_0/, ...\n", answer)
            self.assertIn("hint: unfold 2 shows them\n", answer)
        self.assertIn("row 1 is not folded", self.ask(terminal, "unfold 1"))
        self.assertIn("=layer_0,=layer_9,", self.ask(terminal, "focus 2"))
        self.assertRegex(self.ask(terminal, "op -n 1"), r"TOTAL +504 us")
        self.leave(terminal)

    def test_tab_knows_the_names_of_folded_rows(self):
        terminal = self.open()
        self.ask(terminal, "scope -max_depth 3")
        terminal.type("unfold layer_\t")
        terminal.expect(r"unfold layer_\{1\.\.4,6\.\.8,10,11\}")
        terminal.type("/m\t\n")
        terminal.expect(r"/mlp")
        self.assertRegex(terminal.expect("tfprof> "), r"layer_11/mlp +- +24\.3 us")
        self.leave(terminal)


if __name__ == "__main__":
    unittest.main()
