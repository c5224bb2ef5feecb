#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where the first screen of a recording with a planted problem does not name the problem.

    first_screen_test.py TFPROF [NAME...] [--show]

Runs `summary` on a terminal of 24 lines and 80 columns on every recording of testdata/problems.
expected.json has the names that the screen must contain. A healthy recording must have no finding of
high or medium severity about host time, programs, input or growth.
"""
import argparse
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINES, COLUMNS = 24, 80

# What a recording cannot contain, by its name in expected.json: words for the reader of that page.
NOT_RECORDED = {("tf_slow_callback_unmarked.xplane.pb.gz", "Profiled batch")}  # it has no markers
# Findings about what the planted problems are about; others may be true of a healthy loop.
JUDGED = {"ProgramCallChecker", "HostTimeChecker", "LayoutChecker", "GrowthChecker",
          "InputBoundChecker", "StragglerChecker", "DeviceIdleChecker", "OtherTimeChecker",
          "StepGapChecker"}


def screen(program, file):
    """The lines that the program prints on a terminal.

    This process holds the program's end of the terminal open, too, and writes the last byte to it:
    a terminal that the last process closes may lose what was not read yet.
    """
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    env = {"HOME": "/nonexistent", "TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1",
           "PAGER": "cat", "PATH": os.environ["PATH"]}
    end = b"\0"
    with subprocess.Popen([program, file.name, "summary"], stdin=inside, stdout=inside,
                          stderr=inside, cwd=file.parent, env=env, start_new_session=True) as run:
        waiter = threading.Thread(target=lambda: (run.wait(), os.write(inside, end)))
        waiter.start()
        out = b""
        while not out.endswith(end):
            out += os.read(terminal, 65536)
        waiter.join()
    os.close(terminal)
    os.close(inside)
    if run.returncode != 0:
        raise RuntimeError(f"{file.name}: exit status {run.returncode}: {out}")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.rstrip(end).decode("utf-8", "replace"))
    return [line.split("\r")[-1] for line in text.replace("\r\n", "\n").rstrip("\n").split("\n")]


def findings(program, file):
    done = subprocess.run([program, str(file), "advise", "-format", "json"], capture_output=True,
                          text=True, check=True, timeout=120)
    return json.loads(done.stdout)["tables"]["findings"]["rows"]


def flat(lines):
    return re.sub(r"\s+", " ", " ".join(lines))


def names_cause(case, found):
    """The first finding has the first name of the cause; the name of the marker is beside the wall time."""
    cause = next(name for name in case["names"] if name != "Profiled batch")
    return bool(found) and cause in found[0]["finding"]


def faults(program, file, case, names_problem, show):
    lines = screen(program, file)
    found = findings(program, file)
    if show:
        print("\n".join(f"    {line}" for line in lines))
    if len(lines) > LINES:
        yield f"{len(lines)} lines"
    yield from (f"wide line: {line}" for line in lines if len(line) > COLUMNS)
    text = flat(lines)
    for name in case["names"]:
        if name not in text and (case["file"], name) not in NOT_RECORDED:
            yield f"{name} is not on the screen"
    if case["problem"] is None:
        for row in found:
            if row["severity"] in ("high", "medium") and row["checker"] in JUDGED:
                yield f"not healthy: {row['finding']}"
    elif not names_problem(case, found):
        yield f"first finding: {found[0]['finding'] if found else 'none'}"


def judge(folder, suffix, names_problem):
    """Judges the first screens of a folder's recordings; names_problem(case, findings) is its rule."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    program = os.path.abspath(args.program)
    cases = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    cases = [case for case in cases
             if not args.names or case["file"].removesuffix(suffix) in args.names]
    bad = 0
    for case in cases:
        if args.show:
            print(f"=== {case['file']}: {case['finding']} {case['share']}")
        found = list(faults(program, folder / case["file"], case, names_problem, args.show))
        bad += bool(found)
        for fault in found:
            print(f"{case['file']}: {fault}")
    print(f"{len(cases)} recordings, {bad} with faults")
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    sys.exit(judge(ROOT / "testdata" / "problems", ".xplane.pb.gz", names_cause))
