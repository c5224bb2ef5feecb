#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""follow_test.py TFPROF TFPROF_CAPTURE PROGRAMS: answers that are refreshed while a job runs."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TFPROF, CAPTURE, PROGRAMS = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
PROGRAMS = pathlib.Path(PROGRAMS)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TRACE = ROOT / "testdata/xspace/gpu_train.xplane.pb"

ENV = {k: v for k, v in os.environ.items() if "TFPROF" not in k and "INJECTION" not in k}
ENV["TFPROF_CUPTI_LIB"] = str(PROGRAMS / "fakes/libcupti.so.13")
ENV["PATH"] = f"{pathlib.Path(CAPTURE).parent}:{ENV['PATH']}"  # where tfprof finds the recorder


class Following(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "out"

    def start(self, *command, **how):
        running = subprocess.Popen([str(word) for word in command], env=ENV, stdin=subprocess.DEVNULL, text=True,
                                   **how)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        return running

    def record(self, script, *options):
        return self.start(CAPTURE, "-o", self.folder, "--quiet", *options, "--", "sh", "-c", script,
                          stdout=subprocess.DEVNULL)

    def blocks_of_steps(self, recording, *words):
        """The numbers of the steps that each answer has, until the recording ends."""
        while not list(self.folder.glob("spool/*.tfs")):
            time.sleep(0.05)
        following = self.follow(self.folder, *words, "-c", "steps -n 1000 -format csv -columns step")
        self.assertEqual(recording.wait(timeout=60), 0)
        self.assertEqual(following.wait(timeout=60), 0)
        return [[int(step) for step in re.findall(r"^(\d+)$", block, re.M)]
                for block in self.out.read_text().split("step\n")[1:]]

    def follow(self, *words):
        self.out = pathlib.Path(self.folder.parent / "answers")
        with self.out.open("w") as out:
            return self.start(TFPROF, "--no-config", *words, "--follow", "--every", "200ms", stdout=out,
                              stderr=subprocess.STDOUT)

    def wait_for(self, text, seconds=30):
        """Until the answers contain a text as often as they should."""
        until = time.monotonic() + seconds
        while text not in self.out.read_text():
            self.assertLess(time.monotonic(), until, self.out.read_text())
            time.sleep(0.05)

    def test_a_recording_while_it_runs_and_until_it_ends(self):
        train = PROGRAMS / "capture_train"
        recording = self.record(f"{train} 3; sleep 2; {train} 7")
        while not list(self.folder.glob("spool/*.tfs")):
            time.sleep(0.05)
        following = self.follow(self.folder)
        self.assertEqual(following.wait(timeout=60), 0)
        self.assertEqual(recording.wait(timeout=60), 0)
        blocks = re.findall(r"out: \d\d:\d\d:\d\d, 0 of (\d) processes running\n", self.out.read_text())
        self.assertEqual(sorted(set(blocks)), ["1", "2"], self.out.read_text())
        self.assertEqual(blocks, sorted(blocks))
        self.assertLess(len(blocks), 8)  # nothing changes during the sleep
        last = self.out.read_text().split("processes running")[-1]
        self.assertIn("processes    2, summed here", last)
        self.assertRegex(last, r"\n\S+ +6 ")  # its last step
        manifest = json.loads((self.folder / "manifest.json").read_text())
        self.assertEqual(manifest["exit_status"], 0)
        self.assertTrue(all(process["complete"] for process in manifest["processes"]))

    def test_running_processes_are_shown_and_their_end(self):
        recording = self.record(f"exec {PROGRAMS / 'capture_ranges'} forever")
        while not list(self.folder.glob("spool/*.tfs")):
            time.sleep(0.05)
        following = self.follow("scope", self.folder, "-max_depth", "1")
        self.wait_for("1 of 1 processes running")
        recording.send_signal(signal.SIGTERM)
        self.assertEqual(following.wait(timeout=60), 0)
        self.wait_for("0 of 1 processes running")

    def test_the_end_of_a_recording_and_at_last_all_of_it(self):
        train = PROGRAMS / "capture_train"
        recording = self.record(f"{train} 400 -1 -1 10000; sleep 1")  # 100 steps a second
        blocks = self.blocks_of_steps(recording, "--last", "1s")
        self.assertGreater(len(blocks), 3, self.out.read_text())
        for steps in blocks:
            self.assertEqual(steps, sorted(steps))
            self.assertEqual(steps, list(range(steps[0], steps[0] + len(steps))))
        self.assertTrue(any(len(steps) < 250 and steps[0] > 50 for steps in blocks), blocks)
        self.assertEqual(blocks[-1], list(range(400)))  # the launcher made traces of all
        self.assertEqual(list(self.folder.glob("spool/*")), [])

    def test_the_end_of_a_ring_is_the_ring(self):
        recording = self.record(f"exec {PROGRAMS / 'capture_train'} 500 -1 -1 10000", "--ring", "1s")
        blocks = self.blocks_of_steps(recording, "--last", "60s")
        for steps in blocks:
            self.assertEqual(steps, list(range(steps[0], steps[0] + len(steps))))
            self.assertLess(len(steps), 350)
        self.assertEqual(blocks[-1][-1], 499)
        self.assertNotIn("last_ns", json.loads((self.folder / "manifest.json").read_text()))

    def test_the_end_of_windows(self):
        recording = self.record(f"exec {PROGRAMS / 'capture_train'} 500 -1 -1 10000", "--every", "10")
        blocks = self.blocks_of_steps(recording, "--last", "1s")
        for steps in blocks:
            self.assertEqual(steps, list(range(steps[0], steps[0] + 10 * len(steps), 10)))
        self.assertTrue(any(steps[0] > 50 for steps in blocks), blocks)
        self.assertEqual(blocks[-1], list(range(0, 500, 10)))

    def test_processes_that_fork(self):
        recording = self.record(f"for i in 1 2 3; do {PROGRAMS / 'capture_ranges'} forks 20; sleep 0.7; done")
        while not list(self.folder.glob("spool/*.tfs")):
            time.sleep(0.05)
        following = self.follow("scope", self.folder, "--last", "1s", "-max_depth", "1")
        self.assertEqual(recording.wait(timeout=60), 0)
        self.assertEqual(following.wait(timeout=60), 0)
        self.wait_for("0 of 63 processes running")
        self.assertNotIn("tfprof: ", self.out.read_text())

    @unittest.skipIf(os.geteuid() == 0 and shutil.which("setpriv") is None, "root writes everywhere")
    def test_a_folder_that_cannot_be_written(self):
        self.folder.parent.chmod(0o755)
        recording = self.record(f"exec {PROGRAMS / 'capture_train'} 300 -1 -1 10000")
        while not list(self.folder.glob("spool/*.tfs")):
            time.sleep(0.05)
        self.assertEqual(subprocess.run([CAPTURE, "ctl", self.folder, "snapshot"], env=ENV, capture_output=True,
                                        check=False).returncode, 0)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        other = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        self.out = self.folder.parent / "answers"
        with self.out.open("w") as out:
            following = self.start(*other, TFPROF, "--no-config", "steps", self.folder, "--follow", stdout=out,
                                   stderr=subprocess.STDOUT)
        self.wait_for("shown is what was converted")
        self.wait_for("1 of 1 processes running")
        self.folder.chmod(0o755)
        self.assertEqual(recording.wait(timeout=60), 0)
        self.assertEqual(following.wait(timeout=60), 0)
        self.assertEqual(self.out.read_text().count("cannot make traces"), 1)

    def test_a_recording_without_its_launcher(self):
        env = dict(ENV)
        for line in subprocess.run([CAPTURE, "env", "-o", self.folder], capture_output=True, text=True, env=ENV,
                                   check=True).stdout.splitlines():
            name, value = line.removeprefix("export ").split("=", 1)
            env[name] = value.strip("'")
        job = subprocess.Popen([PROGRAMS / "capture_train", "300", "-1", "-1", "10000"], env=env,
                               stdout=subprocess.DEVNULL)
        while not list(self.folder.glob("spool/*.tfs")):
            time.sleep(0.05)
        following = self.follow(self.folder, "--last", "1s", "-c", "steps -n 1000 -format csv -columns step")
        self.assertEqual(job.wait(timeout=60), 0)
        self.assertEqual(following.wait(timeout=60), 0)
        last = self.out.read_text().split("step\n")[-1]
        self.assertEqual(len(re.findall(r"^\d+$", last, re.M)), 300)
        self.assertTrue(list(self.folder.glob("spool/*.tfs")))
        self.assertNotIn("last_ns", json.loads((self.folder / "manifest.json").read_text()))

    def test_processes_that_come_and_go_are_not_in_the_end(self):
        train = PROGRAMS / "capture_train"
        recording = self.record(f"{train} 3; sleep 3; exec {train} 200 -1 -1 10000")
        while not list(self.folder.glob("spool/*.tfs")):
            time.sleep(0.05)
        following = self.follow(self.folder, "--last", "1s")
        self.wait_for("1 of 2 processes running")
        until = time.monotonic() + 20
        while len(list(self.folder.glob("*.xplane.pb"))) != 1 and time.monotonic() < until:
            time.sleep(0.05)
        manifest = json.loads((self.folder / "manifest.json").read_text())
        self.assertEqual(["source" in process for process in manifest["processes"]], [False, True])
        self.assertEqual(following.wait(timeout=60), 0)
        self.assertEqual(recording.wait(timeout=60), 0)
        self.assertIn("last 1.00 s", self.out.read_text())
        manifest = json.loads((self.folder / "manifest.json").read_text())
        self.assertEqual(["source" in process for process in manifest["processes"]], [True, True])

    def test_a_log_directory_with_new_runs_and_torn_files(self):
        self.folder.mkdir()
        following = self.follow(self.folder)
        self.wait_for("waiting: ")
        run = self.folder / "plugins/profile/2025_01_01"
        run.mkdir(parents=True)
        shutil.copy(TRACE, run / "one.xplane.pb")
        self.wait_for("finding 1")
        self.wait_for("2025_01_01/one.xplane.pb")
        later = self.folder / "plugins/profile/2025_01_02"
        later.mkdir()
        (later / "two.xplane.pb").write_bytes(TRACE.read_bytes()[:3000])  # still being written
        time.sleep(0.6)
        self.assertIsNone(following.poll(), self.out.read_text())
        blocks = self.out.read_text().count("wall time  ")
        shutil.copy(TRACE, later / "two.xplane.pb")
        self.wait_for("2025_01_02/two.xplane.pb")
        while self.out.read_text().count("wall time  ") <= blocks:
            time.sleep(0.05)
        self.assertIsNone(following.poll(), self.out.read_text())
        following.send_signal(signal.SIGINT)
        self.assertIn(following.wait(timeout=10), (0, 130))

    def test_ctrl_c_while_nothing_changes(self):
        following = self.follow(TRACE)
        self.wait_for("finding 1")
        time.sleep(0.5)
        following.send_signal(signal.SIGINT)
        self.assertEqual(following.wait(timeout=10), 0)
        self.assertEqual(self.out.read_text().count("finding 1"), 1)


if __name__ == "__main__":
    unittest.main()
