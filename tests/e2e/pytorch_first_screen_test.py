#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where the first screen of a recording of PyTorch does not name its planted problem.

    pytorch_first_screen_test.py TFPROF [NAME...] [--show]

As first_screen_test.py, on the recordings of testdata/pytorch.
"""
import argparse
import json
import os
import pathlib
import sys

import first_screen_test as screens

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "testdata" / "pytorch"


def faults(program, case, show):
    file = FOLDER / case["file"]
    lines = screens.screen(program, file)
    found = screens.findings(program, file)
    if show:
        print("\n".join(f"    {line}" for line in lines))
    if len(lines) > screens.LINES:
        yield f"{len(lines)} lines"
    yield from (f"wide line: {line}" for line in lines if len(line) > screens.COLUMNS)
    text = screens.flat(lines)
    yield from (f"{name} is not on the screen" for name in case["names"] if name not in text)
    if case["problem"] is None:
        yield from (f"not healthy: {row['finding']}" for row in found
                    if row["severity"] in ("high", "medium") and row["checker"] in screens.JUDGED)
    elif not any(name in row["finding"] for name in case["names"] for row in found[:2]):
        yield f"first finding: {found[0]['finding'] if found else 'none'}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    program = os.path.abspath(args.program)
    cases = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    cases = [case for case in cases
             if not args.names or case["file"].removesuffix(".pt.trace.json.gz") in args.names]
    bad = 0
    for case in cases:
        if args.show:
            print(f"=== {case['file']}: {case['finding']} {case['share']}")
        found = list(faults(program, case, args.show))
        bad += bool(found)
        for fault in found:
            print(f"{case['file']}: {fault}")
    print(f"{len(cases)} recordings, {bad} with faults")
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
