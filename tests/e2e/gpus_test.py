#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GPUs of this machine beside jobs: gpus_test.py TFPROF FAKE_NVML."""

import datetime
import json
import os
import pathlib
import pwd
import subprocess
import sys
import time
import unittest

TFPROF, NVML = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
ROOT = pathlib.Path(__file__).resolve().parents[2]


def began_of(pid):
    """When a process began, by the clock that the system counts from its boot."""
    booted = next(int(line.split()[1]) for line in open("/proc/stat") if line.startswith("btime "))
    ticks = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19])
    return booted + ticks / os.sysconf("SC_CLK_TCK")


class Gpus(unittest.TestCase):
    def tables(self, library, pid=os.getpid()):
        done = subprocess.run([TFPROF, ROOT / "testdata/capture", "jobs", "-format", "json"], capture_output=True,
                              text=True, env={**os.environ, "TFPROF_NVML_LIB": library, "TFPROF_FAKE_PID": str(pid)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["tables"]

    def test_processes(self):
        mine, ended, idle = self.tables(NVML)["gpus"]["rows"]
        self.assertEqual((mine["gpu"], mine["gpu_name"], mine["utilization_pct"]), (0, "Fake GPU", 75))
        self.assertEqual((mine["gpu_used_bytes"], mine["gpu_total_bytes"]), (3 << 30, 80 << 30))
        self.assertEqual((mine["gpu_process"], mine["process_bytes"]), (os.getpid(), 2 << 30))
        self.assertEqual(mine["user"], pwd.getpwuid(os.getuid()).pw_name)
        self.assertTrue(mine["process_program"].startswith("python"))
        self.assertRegex(mine["process_began"], r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d")
        self.assertEqual((ended["process_bytes"], ended["user"]), (None, None))
        self.assertEqual((idle["gpu"], idle["utilization_pct"], idle["gpu_process"]), (1, None, None))

    def test_a_process_began_when_it_was_started(self):
        process = subprocess.Popen(["sleep", "60"])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)  # before it is waited for
        begin = began_of(process.pid)
        time.sleep(3)  # until somebody looks at it
        mine = self.tables(NVML, process.pid)["gpus"]["rows"][0]
        began = datetime.datetime.fromisoformat(mine["process_began"] + "+00:00").timestamp()
        self.assertLess(abs(began - begin), 3)

    def test_without_a_driver(self):
        self.assertNotIn("gpus", self.tables("/nowhere/libnvidia-ml.so.1"))


if __name__ == "__main__":
    unittest.main()
