#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stacks_test.py PROGRAM: files of stacks (flame, pprof) add up, end somewhere, tell what they lack."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONVNET = ROOT / "testdata/tensorflow/convnet/profile.pb"
PROGRAM = "build/release/tfprof"


class Stacks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out.folded"

    def flame(self, profile, *options):
        """What was said, and (stack, value) of every line."""
        done = subprocess.run([PROGRAM, str(profile), "flame", str(self.out), *options],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line.rsplit(" ", 1) for line in self.out.read_text().splitlines()]
        return done.stderr, [(stack, int(value)) for stack, value in lines]

    def graph(self, nodes):
        path = self.folder / "graph.pbtxt"
        path.write_text("\n".join(nodes) + "\n")
        return path

    def test_all_views_add_up_whatever_they_hide(self):
        filters = ([], ["-min_micros", "50us"], ["-hide_name_regexes", ".*(conv|Conv).*"],
                   ["-start_name_regexes", ".*conv2.*"], ["-trim_name_regexes", ".*conv.*"],
                   ["-show_name_regexes", "Nothing"], ["-max_depth", "2"])
        sums = {(view, *chosen): sum(value for _, value in self.flame(
            CONVNET, "-view", view, "-select", "micros", *chosen)[1])
            for view in ("scope", "graph", "op", "code") for chosen in filters}
        self.assertEqual(len(set(sums.values())), 1, sums)

    def test_there_is_no_end_of_operation_types(self):
        graph = self.graph(f'node {{ name: "n{i}" op: "Op{i}" }}' for i in range(400))
        _, lines = self.flame(graph, "-view", "op")
        self.assertEqual(sorted(lines), sorted((f"Op{i}", 1) for i in range(400)))

    def test_deep_stacks_end_somewhere(self):
        first = 'node { name: "n0" op: "Op" }'
        graph = self.graph([first] + [f'node {{ name: "n{i}" op: "Op" input: "n{i - 1}" }}'
                                      for i in range(1, 5000)])
        told, lines = self.flame(graph, "-view", "graph", "-max_depth", "100000000")
        self.assertIn("note: rows below depth 2000 count in the row above them (3000 times)", told)
        self.assertEqual(max(stack.count(";") for stack, _ in lines), 1999)
        self.assertEqual(lines[-1][1], 3001)
        self.assertEqual(sum(value for _, value in lines), 5000)

    def test_a_profile_without_the_measure_says_so(self):
        told, lines = self.flame(self.graph(['node { name: "n" op: "Op" }']), "-select", "micros")
        self.assertIn("note: nothing to show for time: none was recorded", told)
        self.assertEqual(lines, [])

    def test_code_has_runs_and_nodes(self):
        told, lines = self.flame(CONVNET, "-select", "occurrence")
        self.assertNotIn("no values", told)
        of_scope = self.flame(CONVNET, "-view", "scope", "-select", "occurrence")[1]
        self.assertEqual(sum(value for _, value in lines), sum(value for _, value in of_scope))

    def test_a_reader_of_standard_output_may_leave(self):
        link = self.folder / "stdout.folded"
        link.symlink_to("/dev/stdout")
        big = self.graph(f'node {{ name: "layer_{i}/weights" op: "NoOp" }}' for i in range(20000))
        command = f'"$0" "$1" flame "$2" | head -1; exit ${{PIPESTATUS[0]}}'
        done = subprocess.run(["bash", "-c", command, PROGRAM, str(big), str(link)],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.count("\n")), (0, 1), done.stderr)
        self.assertNotIn("error", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PROGRAM = sys.argv.pop(1)
    unittest.main()
