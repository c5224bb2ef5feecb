#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""follow.py BUILD [LOOKS]: what a look at a recording costs that grows, of its last minute and of all of it.

A program on the fake GPU trains about 90 steps a second. Once in a second its traces are made anew and opened, as
`tfprof DIR --follow` does; some looks are also made of all that was recorded until then, as `--last all` does.
CPU time in ms, and memory in MB, of the recorder's program (convert) and of the explorer (open)."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
LOOKS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SHOWN = {10, 30, 60, 100, 200, LOOKS}
CAPTURE, TFPROF = BUILD / "tfprof-capture", BUILD / "tfprof"
ENV = {**os.environ, "TFPROF_CUPTI_LIB": str(BUILD / "capture/testing/fakes/libcupti.so.13")}


def run(*words):
    """CPU time and memory of a program."""
    child = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, words
    return 1000 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1000


def opened(folder):
    return run(TFPROF, "--no-config", folder, "-c", "summary", "-c", "steps -n 8")


class Converter:
    """The program that stays."""

    def __init__(self, folder):
        self.child = subprocess.Popen([CAPTURE, "convert", folder, "--follow", "--last", "60s"],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def cpu_ms(self):
        fields = pathlib.Path(f"/proc/{self.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self):
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1000

    def look(self):
        before = self.cpu_ms()
        self.child.stdin.write("\n")
        self.child.stdin.flush()
        assert self.child.stdout.readline() == "done\n"
        return self.cpu_ms() - before, self.memory_mb()


def main():
    with tempfile.TemporaryDirectory() as top:
        folder, copy = pathlib.Path(top) / "run", pathlib.Path(top) / "copy"
        job = subprocess.Popen([CAPTURE, "-o", folder, "--quiet", "--keep", "--", BUILD / "capture/testing/capture_train",
                                "100000000", "-1", "-1", "10000"], env=ENV, stdout=subprocess.DEVNULL)
        try:
            while not list(folder.glob("spool/*.tfs")):
                time.sleep(0.1)
            start = time.monotonic()
            converter = Converter(folder)
            print(f"{'look':>5} {'spool MB':>9} | {'convert':>8} {'open':>6} {'MB':>5} {'MB':>5} | "
                  f"{'convert':>8} {'open':>6} {'MB':>5} {'MB':>5}  (last minute | all)")
            for look in range(1, LOOKS + 1):
                time.sleep(max(0, start + look - time.monotonic()))
                part, part_opened = converter.look(), opened(folder)
                if look not in SHOWN:
                    continue
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(folder / "spool", copy / "spool")
                spool_mb = sum(file.stat().st_size for file in copy.glob("spool/*")) / 1e6
                whole, whole_opened = run(CAPTURE, "convert", copy, "--keep"), opened(copy)
                print(f"{look:>5} {spool_mb:>9.1f} | {part[0]:>8.0f} {part_opened[0]:>6.0f} {part[1]:>5.0f} "
                      f"{part_opened[1]:>5.0f} | {whole[0]:>8.0f} {whole_opened[0]:>6.0f} {whole[1]:>5.0f} "
                      f"{whole_opened[1]:>5.0f}", flush=True)
        finally:
            job.terminate()
            job.wait()


if __name__ == "__main__":
    main()
