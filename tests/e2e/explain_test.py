#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""explain_test.py PROGRAM: explain knows every fact above a table by what stands before it."""

import re
import unittest

from program import PROFILE, ROOT, run

FILES = sorted((ROOT / "testdata/xspace").glob("*.pb")) + [PROFILE]
VIEWS = ("summary", "overview", "input", "op_stats", "kernels", "planes", "steps")


def ask(path, *commands):
    """(stdout, stderr) of the commands."""
    return run(path, *[word for command in commands for word in ("-c", command)])[1:]


def heads(answer):
    """The first words of the lines above the first empty one."""
    above = answer.split("\n\n", 1)[0].split("\n")
    found = [re.match(r"([a-z]+(?: [a-z]+)*)  +\S", line) for line in above]
    return [match.group(1) for match in found if match]


class Explain(unittest.TestCase):
    def test_every_fact_is_known(self):
        known = set()
        for path in FILES:
            for view in VIEWS:
                for head in heads(ask(path, view + " -n 0")[0]):
                    with self.subTest(path=path.name, view=view, head=head):
                        told = ask(path, view + " -n 0", "explain " + head)[1]
                        self.assertNotIn("nothing is known", told)
                    known.add(head)
        self.assertGreater(len(known), 15)


if __name__ == "__main__":
    unittest.main(argv=["explain_test.py"])
