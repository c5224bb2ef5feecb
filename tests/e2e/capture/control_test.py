#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""control_test.py TFPROF TFPROF_CAPTURE PROGRAMS: what of a program's run is recorded, by options and while
it runs."""

import os
import signal
import subprocess
import time
import unittest

from case import CAPTURE, ENV, RANGES, RECORDER, TFPROF, TRAIN, Capture

# What a step of capture_train has, and ranges only: capture_ranges steps.
RANGES_OF_STEP = 5
STEP = {"kernels": 3, "copies": 2, "fills": 1, "graph_launches": 1}
INNER = 2  # the step and what is inside


class Windows(Capture):
    def record(self, *command, options):
        """The manifest of one process, without losses."""
        status, _, err = self.capture(*command, options=options)
        self.assertEqual(status, 0, err)
        process = self.only_process()
        self.assertEqual(process["losses"], [])
        return process

    def counts(self, process, like):
        return {key: process["recorded"][key] for key in like}

    def check_train(self, options, steps, windows, arguments=()):
        """Steps of training that are recorded; memory is always."""
        firsts = [step for step in steps if windows > 1 or step == steps[0]]
        process = self.record(TRAIN, 8, *arguments, options=options)
        self.assertEqual(self.counts(process, STEP),
                         {key: count * len(steps) for key, count in STEP.items()})
        loads = process["recorded"]["ranges"] - RANGES_OF_STEP * len(steps)  # of another thread
        self.assertIn(loads, range(8 + 1))
        self.assertEqual([window.get("first_step") for window in process["windows"]],
                         [None] * windows if arguments else firsts)
        self.assertEqual(process["recorded"]["memory_operations"], 1 + 2 * 8)
        self.assertEqual(len(self.ask("steps")), len(steps))
        device_us = {row["name"]: row["device_us"] for row in self.ask("scope", "-select", "accelerator_micros")}
        self.assertAlmostEqual(device_us["forward/dense/gemm"], 20 * len(steps))
        return process

    def test_steps(self):
        process = self.check_train(["--steps", "2:4"], [2, 3, 4], 1)
        self.assertEqual(process["windows"][0]["began_by"], "steps")
        self.assertEqual(process["recorded"]["calls"], 3 * 7 + 2 * 2)  # and memory between steps

    def test_one_step_in_three(self):
        self.check_train(["--every", "3"], [0, 3, 6], 3)
        self.check_train(["--every", "2", "--steps", "1:5"], [1, 3, 5], 3)

    def test_steps_of_a_pattern(self):
        process = self.record(TRAIN, 8, options=["--step-range", "^forward$", "--steps", "1:2"])
        self.assertEqual((len(self.ask("steps")), process["windows"][0]["first_step"]), (2, 1))
        # Two forward ranges, and between them the backward range.
        self.assertEqual(process["recorded"]["kernels"], 2 * 2 + 1)
        process = self.record(TRAIN, 8, options=["--step-range", "^(for|back)ward$"])
        self.assertNotIn("windows", process)
        self.assertEqual(process["steps"], 16)

    def test_the_program_says(self):
        process = self.check_train(["--capture-range=cuda"], [1, 2, 3], 1, arguments=[1, 3])
        self.assertEqual(process["windows"][0]["began_by"], "program")

    def test_ranges_of_a_name(self):
        process = self.record(TRAIN, 8, options=["--capture-range", "nvtx:backward"])
        self.assertEqual(self.counts(process, STEP),
                         {"kernels": 8, "copies": 0, "fills": 8, "graph_launches": 0})
        self.assertEqual(len(process["windows"]), 8)
        # The path and the step are those of the ranges around, which began before.
        self.assertEqual(len(self.ask("steps")), 8)

    def test_what_is_open_when_a_window_begins_or_ends(self):
        process = self.record(RANGES, "gates", 6, options=["--capture-range", "nvtx:gate"])
        self.assertEqual((process["recorded"]["ranges"], len(process["windows"])), (6 * 3, 6))
        self.assertEqual(process["steps"], 6)  # the windows
        process = self.record(RANGES, "started-gates", 6, options=["--capture-range", "nvtx:gate"])
        self.assertEqual((process["recorded"]["ranges"], len(process["windows"])), (6, 6))
        process = self.record(RANGES, "steps", 9, options=["--steps", "3:5"])
        self.assertEqual((process["recorded"]["ranges"], process["recorded"]["marks"]), (3 * INNER + 2, 3))
        self.assertEqual(process["steps"], 3)

    def test_paths_are_right_whenever_windows_begin_and_end(self):
        chains = {"/".join(f"d{i}" for i in range(depth + 1)) for depth in range(6)}
        for options in (["--capture-range=nvtx:gate"], ["--ring", "1M"], ["--capture-range=nvtx:gate", "--ring", "1M"]):
            process = self.record(RANGES, "nesting", 4, options=options)
            self.assertGreater(process["recorded"]["ranges"], 1000)
            if options[0].startswith("--cap"):
                self.assertGreater(len(process["windows"]), 3)
            rows = self.ask("scope", "-select", "occurrence,micros")
            paths = {row["name"] for row in rows if "d" in row["name"]}
            self.assertEqual(paths - chains - {"gate"}, set(), options)

    def test_children_have_windows_of_their_own(self):
        self.assertEqual(self.capture(RANGES, "forks", 3, options=["--capture-range=nvtx:child"])[0], 0)
        processes = sorted((len(process["windows"]), process["recorded"]["ranges"])
                           for process in self.manifest()["processes"])
        self.assertEqual(processes, [(0, 0), (1, 1), (1, 1), (1, 1)])

    def test_time(self):
        status, _, _ = self.capture("timeout", "-s", "INT", "2", RANGES, "forever",
                                    options=["--delay", "0.5", "--duration", "0.4"])
        self.assertEqual(status, 124)
        process = self.only_process()
        window, = process["windows"]
        self.assertEqual(window["began_by"], "time")
        self.assertAlmostEqual((window["end_ns"] - window["start_ns"]) / 1e9, 0.4, delta=0.15)
        began = window["start_ns"] - process["clocks"][0]["realtime_ns"]
        self.assertAlmostEqual(began / 1e9, 0.5, delta=0.15)
        self.assertGreater(process["recorded"]["ranges"], 100)
        self.assertLess(process["recorded"]["ranges"], 600)

    def test_nothing_was_in_a_window(self):
        self.assertEqual(self.capture(TRAIN, 3, options=["--paused"])[0], 0)
        self.assertIn("paused all the time", self.only_process()["losses"][0])

    def test_values_that_are_none(self):
        for option, value in (("steps", "4:2"), ("every", "0"), ("delay", "-1"), ("step-range", "("),
                              ("capture-range", "nvtx:"), ("capture-range", "step"), ("level", "some"),
                              ("only-rank", "1-"), ("ring", "5")):
            status, _, err = self.run_program(CAPTURE, f"--{option}={value}", "--", "true")
            self.assertEqual(status, 2, option)
            self.assertIn(option, err)

    def test_the_environment_has_them(self):
        _, out, _ = self.run_program(CAPTURE, "env", "--steps", "1:2", "--step-range", "a,'b'")
        self.assertIn("TFPROF_CAPTURE_OPTS='steps=1:2,step-range=a%2C%27b%27'", out)


class Ring(Capture):
    def test_the_last_megabytes(self):
        self.assertEqual(self.capture(RANGES, "steps", 60000, options=["--ring", "1M", "--keep"])[0], 0)
        process = self.only_process()
        recorded = process["recorded"]
        self.assertEqual(process["losses"], [])
        self.assertLess(abs(process["steps"] - recorded["marks"]), 2)
        # The first step may have begun before, and the last one not be over.
        self.assertLess(abs(recorded["ranges"] - (INNER + 1) * process["steps"]), 4)
        self.assertGreater(recorded["ranges"] * 40, 1 << 20)
        self.assertLess(recorded["ranges"], 60000 * 3)
        segments = [path.stat().st_size for path in (self.folder / "spool").glob("*.tfr")]
        self.assertEqual(len(segments), 2)
        # What was pushed long ago is around all that is kept.
        self.assertEqual([(row["name"], row["runs"]) for row in self.ask("scope", "-select", "occurrence,micros")
                          if row["name"] == "epoch"], [("epoch", 1)])
        self.assertEqual(self.run_program(CAPTURE, "convert", self.folder)[0], 0)
        self.assertEqual(self.only_process()["recorded"], recorded)
        self.assertFalse((self.folder / "spool").exists())

    def test_the_last_seconds(self):
        self.capture("timeout", "-s", "KILL", "4", RANGES, "forever", options=["--ring", "1s"])
        process = self.only_process()
        window, = process["windows"]
        self.assertGreater((window["end_ns"] - window["start_ns"]) / 1e9, 0.9)
        self.assertLess((window["end_ns"] - window["start_ns"]) / 1e9, 3)
        self.assertGreater(window["start_ns"] - process["clocks"][0]["realtime_ns"], 0.9e9)
        self.assertEqual(process["losses"], [])

    def test_gpu_work(self):
        self.assertEqual(self.capture(TRAIN, 30000, options=["--ring", "2M"])[0], 0)
        process = self.only_process()
        self.assertEqual(process["losses"], [])
        self.assertLess(process["recorded"]["kernels"], 30000 * 3)
        self.assertGreater(process["recorded"]["kernels"], 1000)
        self.assertEqual(process["recorded"]["memory_operations"], 1 + 2 * 30000)


class Processes(Capture):
    def test_programs_of_a_name(self):
        script = f"{RANGES} work 3; {TRAIN} 2"
        for glob, skipped_by in (("capture_tr*", "capture_ranges"), ("*/capture_ranges", "capture_train")):
            status, _, err = self.capture("sh", "-c", script, options=["--only-exe", glob])
            self.assertEqual(status, 0)
            self.assertIn("1 process skipped by --only-exe", err)
            for process in self.manifest()["processes"]:
                is_skipped = process["exe"].endswith(skipped_by)
                self.assertEqual(process.get("skipped_by"), "--only-exe" if is_skipped else None)
                self.assertEqual("source" in process, not is_skipped)
                self.assertEqual(process["losses"], [])

    def test_ranks(self):
        script = f"for rank in 1 2 3 4 5; do RANK=$rank {RANGES} work $rank; done; {RANGES} work 1"
        self.assertEqual(self.capture("sh", "-c", script, options=["--only-rank", "1,3-4"])[0], 0)
        ranges = {process.get("rank"): process["recorded"]["ranges"] for process in self.manifest()["processes"]
                  if "skipped_by" not in process}
        self.assertEqual(ranges, {"1": 2, "3": 6, "4": 8})
        self.assertEqual(len(self.manifest()["processes"]), 6)

    def test_levels(self):
        counts = {}
        for level in ("none", "software", "hardware", "full"):
            self.assertEqual(self.capture(TRAIN, 3, options=["--level", level])[0], 0)
            recorded = self.only_process()["recorded"]
            counts[level] = (recorded["ranges"], recorded["calls"], recorded["kernels"])
            self.assertEqual("runtime" in self.only_process()["kinds"], level == "full")
        all_calls = 3 * 9 + 3
        self.assertEqual(counts, {"none": (0, 0, 0), "software": (3 * 6, all_calls, 0),
                                  "hardware": (3 * 6, all_calls, 3 * 3 + 1),
                                  "full": (3 * 6, all_calls, 3 * 3 + 1)})

    def test_programs_that_end_by_exit(self):
        alone = self.capture(RANGES, "quick-exit", 5)
        self.assertEqual(alone[:2], (5, "done\n"))
        self.assertNotEqual(self.only_process()["recorded"]["ranges"], 40)
        self.assertEqual(self.capture(RANGES, "quick-exit", 5, options=["--preload-exit"])[:2], alone[:2])
        process = self.only_process()
        self.assertEqual((process["recorded"]["ranges"], process["complete"]), (40, True))
        self.assertEqual(self.capture(RANGES, "quick-forks", 5, options=["--preload-exit"])[:2], (0, "done\n"))
        self.assertEqual(sorted((process["recorded"]["ranges"], process["complete"])
                                for process in self.manifest()["processes"]), [(1, True)] * 5 + [(2, True)])
        _, out, _ = self.run_program(CAPTURE, "env", "--preload-exit", env={"LD_PRELOAD": "libm.so.6"})
        self.assertRegex(out, "LD_PRELOAD='.*/libtfprof-capture-exit.so:libm.so.6'")


class Commands(Capture):
    """Programs that run until they are killed, in one folder."""

    def begin(self, count=1, options="", **variables):
        self.folder.mkdir(exist_ok=True)
        for _ in range(count):
            running = subprocess.Popen(
                [RANGES, "forever"], stdout=subprocess.DEVNULL,
                env={**ENV, "NVTX_INJECTION64_PATH": str(RECORDER), "TFPROF_CAPTURE_DIR": str(self.folder),
                     "TFPROF_CAPTURE_OPTS": options, **variables})
            self.addCleanup(running.wait)
            self.addCleanup(running.kill)
            self.running.append(running)
        self.wait_for(lambda: len(self.status()) == len(self.running) and "-" not in self.status())

    def setUp(self):
        super().setUp()
        self.running = []

    def wait_for(self, condition):
        until = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def ctl(self, action, status=0):
        """What a command prints: {process: [state, windows, records]}."""
        done, out, err = self.run_program(CAPTURE, "ctl", self.folder, action)
        self.assertEqual(done, status, err)
        rows = [line.split(None, 6) for line in out.splitlines()[1:]]
        return {int(row[0]): (row[6], int(row[3]), int(row[4])) for row in rows}

    def status(self):
        done, out, _ = self.run_program(CAPTURE, "ctl", self.folder, "status")
        return {line.split()[0]: line for line in out.splitlines()[1:]} if done == 0 else {}

    def end(self):
        for running in self.running:
            running.kill()
            running.wait()
        self.assertEqual(self.run_program(CAPTURE, "convert", self.folder)[0], 0)
        return self.manifest()["processes"]

    def test_start_and_stop(self):
        self.begin(2)
        pids = {running.pid for running in self.running}
        stopped = self.ctl("stop")
        self.assertEqual({pid: row[:2] for pid, row in stopped.items()}, dict.fromkeys(pids, ("paused", 1)))
        time.sleep(0.5)
        started = self.ctl("start")
        self.assertEqual({pid: row[:2] for pid, row in started.items()}, dict.fromkeys(pids, ("recording", 2)))
        time.sleep(0.5)
        self.ctl("stop")
        processes = self.end()
        for boundary in ((0, "end_ns"), (1, "start_ns"), (1, "end_ns")):  # all processes obey at the same time
            times = [process["windows"][boundary[0]][boundary[1]] for process in processes]
            self.assertLess(max(times) - min(times), 200e6)
        for process in processes:
            first, second = process["windows"]
            self.assertEqual((first["began_by"], second["began_by"]), ("start", "control"))
            # The program makes a range per millisecond and some.
            recorded = first["end_ns"] - first["start_ns"] + second["end_ns"] - second["start_ns"]
            self.assertLess(process["recorded"]["ranges"], recorded / 1e6 + 10)
            self.assertGreater(process["recorded"]["ranges"], recorded / 1e6 / 4)

    def test_programs_that_begin_paused(self):
        self.begin(options="paused")
        self.assertEqual([row[0] for row in self.ctl("status").values()], ["paused"])
        self.assertEqual([row[:2] for row in self.ctl("start").values()], [("recording", 1)])
        self.begin()  # obeys what was said before
        self.assertEqual([row[0] for row in self.ctl("stop").values()], ["paused"] * 2)
        self.begin()
        self.assertEqual([row[0] for row in self.ctl("status").values()], ["paused"] * 3)
        self.assertEqual(sorted(len(process["windows"]) for process in self.end()), [0, 1, 1])

    def test_capture_of_a_process(self):
        self.begin(options="paused")
        local = ["capture", "local", self.running[0].pid, "-duration", "500ms"]
        status, out, err = self.run_program(TFPROF, *local)
        self.assertEqual((status, out), (0, f"{self.folder}\n"), err)
        process = self.only_process()
        self.assertEqual(len(process["windows"]), 1)
        # The program makes a range per millisecond and some.
        self.assertIn(process["recorded"]["ranges"], range(100, 2000))
        status, out, err = self.run_program(TFPROF, *local, "-c", "info -format json")
        self.assertEqual(status, 0, err)
        self.assertIn('"xspace"', out)
        self.assertEqual([row[:2] for row in self.ctl("status").values()], [("paused", 2)])
        status, _, err = self.run_program(TFPROF, "capture", "local", os.getpid())
        self.assertEqual(status, 3)
        self.assertIn("does not run under tfprof-capture", err)

    def test_a_signal_ends_the_window(self):
        self.begin(options="paused")
        for windows, number in enumerate((signal.SIGINT, signal.SIGTERM), 1):
            local = subprocess.Popen([TFPROF, "capture", "local", str(self.running[0].pid), "-duration", "600s"], env=ENV)
            self.wait_for(lambda: list(self.ctl("status").values())[0][0] == "recording")
            local.send_signal(number)
            self.assertEqual(local.wait(timeout=20), 128 + number)
            self.assertEqual([row[:2] for row in self.ctl("status").values()], [("paused", windows)])

    def test_a_snapshot_while_it_runs(self):
        self.begin()
        self.wait_for(lambda: list(self.ctl("status").values())[0][2] > 100)
        self.ctl("snapshot")
        process = self.only_process()
        self.assertTrue(process["running"])
        self.assertGreater(process["recorded"]["ranges"], 50)
        self.assertNotIn("windows", process)
        self.assertEqual(self.run_program(CAPTURE, "ctl", self.folder, "status")[0], 0)
        trace = self.folder / process["source"]
        self.assertTrue(trace.exists())
        before = list(self.ctl("status").values())[0][2]
        self.wait_for(lambda: list(self.ctl("status").values())[0][2] > before)
        self.assertGreater(self.end()[0]["recorded"]["ranges"], process["recorded"]["ranges"])
        self.assertFalse((self.folder / "control").exists())

    def test_after_the_end(self):
        self.assertEqual(self.capture(RANGES, "work", 3, options=["--keep"])[0], 0)
        self.assertEqual([row[0] for row in self.ctl("status").values()], ["ended"])
        self.assertEqual([row[0] for row in self.ctl("stop").values()], ["ended"])
        self.assertEqual(self.capture(RANGES, "work", 3)[0], 0)  # another run does not obey
        self.assertEqual(self.only_process()["recorded"]["ranges"], 6)

    def test_words_that_are_wrong(self):
        for words, status in ((["ctl"], 2), (["ctl", "x"], 2), (["ctl", "/absent", "halt"], 2),
                              (["ctl", "/absent", "stop", "--keep"], 2), (["ctl", "/absent", "stop"], 3)):
            self.assertEqual(self.run_program(CAPTURE, *words)[0], status, words)


if __name__ == "__main__":
    unittest.main()
