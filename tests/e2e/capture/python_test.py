#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_test.py TFPROF TFPROF_CAPTURE PROGRAMS SCRIPTS: the Python stacks of launches, with each interpreter
that is here: those of CAPTURE_PYTHONS (paths, separated by colons), else of PATH and of pyenv.

SCRIPTS has python_launches.py."""

import collections
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SCRIPTS = pathlib.Path(sys.argv.pop(4)).resolve()

from program_test import PROGRAMS, Capture  # noqa: E402  it takes the other words

SCRIPT = SCRIPTS / "python_launches.py"
DRIVER = PROGRAMS / "fakes/libcuda.so.1"
KNOWN = range(9, 15)  # minor versions


def version_of(path):
    """(3, 11), or None if it does not run."""
    try:
        done = subprocess.run([path, "-c", "import ctypes, sys; print(*sys.version_info[:2])"], capture_output=True,
                              text=True, timeout=60)
    except OSError:
        return None
    return tuple(int(word) for word in done.stdout.split()) if done.returncode == 0 else None


def interpreters():
    """One per version."""
    given = os.environ.get("CAPTURE_PYTHONS", "").split(":")
    paths = [path for path in given if path]
    if not paths:
        paths = [sys.executable, "/usr/bin/python3"]
        paths += [path for path in (shutil.which(f"python3.{minor}") for minor in range(6, 20)) if path]
        paths += sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")))
    found = {}
    for path in paths:
        version = version_of(path)
        if version and (version not in found or given != [""]):
            found[version] = path
    return found


def line_of(mark):
    """The line that ends with "# MARK ..."."""
    lines = SCRIPT.read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith("# MARK " + mark))


def at(mark, function):
    """What `code` calls a frame."""
    return f"{SCRIPT.name}:{line_of(mark)}:{function}"


class PythonStacks(Capture):
    def each(self, check, what, *words, options=()):
        """Runs the script with each known interpreter, as without the recorder, and checks what was recorded."""
        for version, path in sorted(PYTHONS.items()):
            if version[1] not in KNOWN:
                continue
            with self.subTest(version=version, what=what):
                script = (path, "-W", "ignore", SCRIPT, DRIVER, what, *words)
                alone = self.unharmed(lambda: self.run_program(*script))
                done = self.unharmed(lambda: self.capture(*script, options=["--python-stacks", "--quiet", *options]))
                self.assertEqual(done, alone)
                self.assertEqual(done[0], 0)
                self.process = self.only_process() if what != "fork" else self.manifest()["processes"][0]
                self.assertEqual(self.process.get("python.stacks"), "on", self.process)
                if what != "daemons":  # they end within a call
                    self.assertEqual(self.process["losses"], [])
                check()

    def unharmed(self, run):
        """A second try: interpreters crash at their end, once in 300 times without the recorder, if threads still run then."""
        done = run()
        return done if done[0] >= 0 else run()

    def code(self):
        """Device time in ns by (file, line, function) of the innermost call, and by the path to it."""
        rows = self.ask("code", "-max_depth", "1000")
        by_line, by_path = collections.Counter(), collections.Counter()
        paths = {}
        for i, row in enumerate(rows):
            path = (*paths.get(row.get("parent"), ()), row["name"])
            paths[i] = path
            own = round((row["device_us"] or 0) * 1000)
            if own and row.get("source_file"):
                by_line[row["source_file"], row["source_line"], row["function"]] += own
                by_path[path] += own
        return by_line, by_path

    def test_device_time_is_that_of_lines(self):
        def check():
            by_line, by_path = self.code()
            self.assertEqual(by_line, {(str(SCRIPT), line_of("launch"), "launch"): 3 * (2000 + 1000 + 2 * 3000)})
            callers = collections.Counter()
            for path, ns in by_path.items():
                callers[path[-3:-1]] += ns
            self.assertEqual(callers, {(at("train " + outer, "train"), at(inner, inner.split()[0])): ns
                                       for outer, inner, ns in (("forward", "forward gemm", 6000),
                                                                ("forward", "forward relu", 3000),
                                                                ("backward", "backward", 18000))})
        self.each(check, "train", 3)

    def test_calls_with_the_lock(self):
        self.each(lambda: self.assertEqual(self.code()[0], {(str(SCRIPT), line_of("locked"), "main"): 1000}), "locked")

    def test_generators(self):
        self.each(lambda: self.assertEqual({path[-2] for path in self.code()[1]}, {at("generator", "generated")}),
                  "generator", 5)

    def test_finalizers(self):
        def check():
            (path, ns), = self.code()[1].items()
            self.assertEqual(ns, 300)
            self.assertRegex(path[-2], rf"{SCRIPT.name}:{line_of('drop')}:(Owner.)?__del__")
            self.assertIn(at("drop caller", "main"), path)
        self.each(check, "drop", 3)

    def test_deep_stacks_are_cut(self):
        def check(kept):
            (path, _), = self.code()[1].items()
            self.assertEqual(sum(":" in name for name in path), kept)
            self.assertIn("<module>" if kept < 128 else ":deep", path[1])
        self.each(lambda: check(50 + 4), "deep", 50)  # the module, main, a lambda and launch
        self.each(lambda: check(128), "deep", 300)

    def test_functions_that_are_made_at_the_place_of_others(self):
        expected = collections.Counter()
        for i in range(1000):
            expected[f"made{i % 5}.py:{i % 50 + 2}:made_{i % 7}"] += 100

        def check():
            made = collections.Counter()
            for path, ns in self.code()[1].items():
                made[path[-2]] += ns
            self.assertEqual(made, expected)
        self.each(check, "made", 1000)

    def test_names_that_are_not_ascii(self):
        def check():
            (path, _), = self.code()[1].items()
            self.assertEqual(path[-2], "\U0001F600.py:2:größe_π")
        self.each(check, "wide")

    def test_threads(self):
        def check():
            self.assertEqual(sum(self.code()[0].values()), 4 * 100 * 9000)
            self.assertEqual(self.process["recorded"]["python_stacks"], 3)
        self.each(check, "threads", 4)

    def test_the_interpreter_ends_while_threads_launch(self):
        for _ in range(5):
            self.each(lambda: self.assertGreater(self.process["recorded"]["kernels"], 100), "daemons", 4)

    def test_gradients_have_the_lines_of_their_operators(self):
        def check():
            by_path = {path[-2:]: ns for path, ns in self.code()[1].items()}
            self.assertEqual(by_path, {(at("operator", "operators"), at("launch", "launch")): 3000,
                                       (at("operator", "operators(gradient)"), at("launch", "launch(gradient)")): 6000})
            self.assertEqual(self.process["recorded"]["ranges"], 9)
            self.assertEqual({row["name"] for row in self.ask("op")}, {"aten::linear", "LinearBackward0", "AccumulateGrad",
                                                                "gemm_t", "add"})
        self.each(check, "operators", 3)

    def test_forks(self):
        self.each(lambda: self.assertEqual(self.process["recorded"]["python_stacks"], 3), "fork")

    def test_export_has_a_node_per_place(self):
        def check():
            base = str(next(self.folder.glob("*.graph")))[:-len(".graph")]
            status, out, err = self.run_program(
                TFPROF, f"--graph_path={base}.graph", f"--run_meta_path={base}.run_meta_step0",
                f"--op_log_path={base}.op_log", "code", "-select", "accelerator_micros", "-max_depth", "20")
            self.assertEqual(status, 0, err)
            for mark, us in (("forward gemm", 4), ("forward relu", 2), ("backward", 12)):
                self.assertIn(f"{at(mark, mark.split()[0])} (0us/{us}us)", out)
        self.each(check, "train", 2, options=["--export-steps", "1"])

    def samples(self, what, *words, options=()):
        """Runs the script with samples, and the same without the recorder."""
        script = (self.python, "-W", "ignore", SCRIPT, DRIVER, what, *words)
        alone = self.run_program(*script)
        done = self.capture(*script, options=["--python-samples", "--quiet", *options])
        self.assertEqual(done, alone)
        self.assertEqual(done[0], 0)

    def each_python(self, check):
        for version, path in sorted(PYTHONS.items()):
            if version[1] in KNOWN:
                with self.subTest(version=version):
                    self.python = path
                    check()

    def findings(self):
        status, out, err = self.run_program(TFPROF, "advise", self.folder, "-format", "json")
        self.assertEqual(status, 0, err)
        return out

    def function_ms(self, name):
        """How long the events of a function are, in ms."""
        rows = self.ask("events", "-where", f"name ~ ' {name}$'")
        return sum(row["duration_us"] for row in rows) / 1000

    def test_samples_say_what_python_does_between_launches(self):
        def check():
            for what, function in (("batches", "load_batch"), ("tokens", "tokenize")):
                self.samples(what, 20)
                process = self.only_process()
                self.assertEqual(process["python.samples"], "on")
                self.assertNotIn("python.stacks", process)
                self.assertEqual(process["losses"], [])
                self.assertGreater(process["recorded"]["python_samples"], 20)
                self.assertGreater(self.function_ms(function), 0.6 * 20 * 20)
                found = self.findings()
                self.assertIn('"finding_id":"python_function","severity":"high"', found)
                self.assertIn(f"Python function {function}", found)
        self.each_python(check)

    def test_samples_of_a_device_that_is_busy_meanwhile(self):
        def check():
            self.samples("busy_batches", 20)
            # A loaded machine starts the next work late: a little time is idle.
            for finding in json.loads(self.findings())["tables"]["findings"]["rows"]:
                if finding["finding_id"] == "python_function":
                    self.assertNotEqual(finding["severity"], "high", finding["finding"])
        self.each_python(check)

    def test_samples_and_stacks(self):
        def check():
            self.samples("batches", 20, options=["--python-stacks"])
            self.assertEqual(self.only_process()["python.stacks"], "on")
            self.assertGreater(self.function_ms("load_batch"), 0.6 * 20 * 20)
            self.assertEqual(sum(self.code()[0].values()), 20 * 1_000_000)
        self.each_python(check)

    def test_samples_and_forks_signals_and_the_end(self):
        def check():
            self.samples("fork_batches")
            self.samples("alarms", 5)
            self.samples("threads", 4)
            for _ in range(10):
                self.samples("batches", 0)
                self.assertEqual(self.only_process()["complete"], True)
        self.each_python(check)

    def test_without_the_option_there_are_none(self):
        self.assertEqual(self.capture(sys.executable, SCRIPT, DRIVER, "train")[0], 0)
        process = self.only_process()
        self.assertNotIn("python.version", process)
        self.assertEqual(process["recorded"]["python_stacks"], 0)
        self.assertEqual(process["recorded"]["python_samples"], 0)

    def test_programs_without_python(self):
        status, _, err = self.capture(PROGRAMS / "capture_train", 3, options=["--python-stacks"])
        self.assertEqual(status, 0)
        self.assertNotIn("Python", err)
        self.assertIn("had no Python", self.only_process()["python.error"])

    def test_versions_that_are_not_known(self):
        others = [path for (_, minor), path in PYTHONS.items() if minor not in KNOWN]
        for path in others:
            with self.subTest(path=path):
                status, _, err = self.capture(path, SCRIPT, DRIVER, "train", options=["--python-stacks"])
                self.assertEqual(status, 0)
                self.assertIn("Python calls are not recorded: ", err)
                self.assertIn("python.error", self.only_process())
                self.assertEqual(self.only_process()["recorded"]["kernels"], 12)
        if not others:
            self.skipTest("only known ones are here")


TFPROF = sys.modules["program_test"].TFPROF
PYTHONS = interpreters()

if __name__ == "__main__":
    if any(word in DRIVER.read_bytes() for word in (b"__asan_init", b"__tsan_init", b"__ubsan_handle")):
        print("skipped: interpreters cannot load what is built with a sanitizer")
        sys.exit(77)
    print("interpreters:", PYTHONS)
    unittest.main()
