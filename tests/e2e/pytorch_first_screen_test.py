#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where the first screen of a recording of PyTorch does not name its planted problem.

    pytorch_first_screen_test.py TFPROF [NAME...] [--show]

As first_screen_test.py, on the recordings of testdata/pytorch, also those of tfprof-capture. One of the first two findings must have one of
the names.
"""
import sys

from first_screen_test import ROOT, judge


def names_problem(case, found):
    return any(name in row["finding"] for name in case["names"] for row in found[:2])


if __name__ == "__main__":
    sys.exit(judge(ROOT / "testdata" / "pytorch", ".pt.trace.json.gz", names_problem))
