# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: keeping a recording, and their command line."""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile


def without_places(text, host):
    """The trace with another name of its host, and without the folders in which it was made."""
    text = re.sub(r'("host_name": )"[^"]*"', rf'\1"{host}"', text)
    text = re.sub(r'("traceName": )"[^"]*"', r'\1"trace.json"', text)
    text = re.sub(r'"(?:/[\w.+-]+)+/lib/python3\.\d+/(?:site-packages/)?', '"', text)
    return re.sub(r'"(?:/[\w.+-]+)+/([\w.+-]+\.py[(:])', r'"\1', text)


def keep(trace, out, host="trainer"):
    """Packs the file that export_chrome_trace() wrote as `out`: the same bytes for the same trace."""
    with open(trace, encoding="utf-8") as file:
        data = without_places(file.read(), host)
    with open(out, "wb") as file:
        file.write(gzip.compress(data.encode(), mtime=0))
    os.remove(trace)


def record(name, out):
    """Records one loop in a process and an empty folder of its own; returns the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, os.path.abspath(sys.argv[0]), name, os.path.abspath(out)]
        done = subprocess.run(command, cwd=folder, check=True, timeout=600, stdout=subprocess.PIPE, text=True)
    return float(done.stdout.split()[-1])


def main(loops):
    """`NAME OUT` records one loop; `all FOLDER TRIES [NAME...]` keeps the shortest of several
    recordings of each: other programs disturbed it least."""
    if len(sys.argv) == 3 and sys.argv[1] in loops:
        print(loops[sys.argv[1]](os.path.abspath(sys.argv[2])))
        return
    if len(sys.argv) < 4 or sys.argv[1] != "all":
        usage = f"usage: {sys.argv[0]} NAME OUT | all FOLDER TRIES [NAME...]"
        sys.exit(usage + "\nNAME: " + " ".join(loops))
    folder, tries, names = os.path.abspath(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] or loops
    for name in names:
        best = None
        for _ in range(tries):
            with tempfile.TemporaryDirectory() as scratch:
                seconds = record(name, f"{scratch}/{name}")
                if best is None or seconds < best:
                    best = seconds
                    shutil.copytree(scratch, folder, dirs_exist_ok=True)
        print(f"{name} {best:.3f} s", flush=True)
