#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A job over time: watch_test.py TFPROF TFPROF_CLIENT. Traces and servers are fakes with steps of known duration."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TFPROF, CLIENT = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "remote/testing"))
import fake_server as fake  # noqa: E402

MS = 1_000_000_000  # ps


class Watch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.logs = self.folder / "logs"
        self.logs.mkdir()

    def write(self, path, *step_ms):
        """20 steps of each time."""
        self.write_bytes(path, fake.trace(1, 2, step_ps=[ms * MS for ms in step_ms for _ in range(20)]))

    def write_bytes(self, path, data):
        path.parent.mkdir(parents=True, exist_ok=True)
        hidden = path.parent / ".new"
        hidden.write_bytes(data)
        hidden.rename(path)

    def write_run(self, number, step_ms):
        self.write(self.logs / f"plugins/profile/2026_01_01_00_00_0{number}/h.xplane.pb", step_ms)

    def start(self, target, *options):
        return subprocess.Popen([TFPROF, "watch", str(target), "-every", "100ms", *map(str, options)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def watch(self, target, *options):
        process = self.start(target, *options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def next_look(self, process):
        while True:
            line = process.stdout.readline()
            self.assertTrue(line)
            found = re.search(r"step time (\S+ ms) \((\S+)%\)", line)
            if found:
                return found.groups()

    def test_runs_of_a_log_directory(self):
        self.write_run(0, 10)
        process = self.start(self.logs, "-fail-if", "step>+10%", "-times", 1000)
        self.assertEqual(self.next_look(process), ("10.0 ms", "+0.0"))
        self.write_run(1, 11)
        self.assertEqual(self.next_look(process), ("11.0 ms", "+10.0"))
        self.write_run(2, 14)
        self.assertEqual(self.next_look(process), ("14.0 ms", "+40.0"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 6)
        self.assertIn("| step time | 10.0 ms | 14.0 ms | +40.0% |", out)
        self.assertIn("14.0 ms**. Exceeded in", out)
        self.assertIn("1 of 3 looks.", out)

    def test_limits_are_those_of_the_last_look(self):
        self.write_run(0, 20)
        process = self.start(self.logs, "-fail-if", "step>+10%", "-baseline", self.folder / "base.xplane.pb")
        self.assertEqual(process.wait(timeout=20), 3)  # no baseline
        process.communicate()
        self.write(self.folder / "base.xplane.pb", 10)
        process = self.start(self.logs, "-fail-if", "step>+10%", "-baseline", self.folder / "base.xplane.pb")
        self.assertEqual(self.next_look(process), ("20.0 ms", "+100.0"))
        self.write_run(1, 10)
        self.assertEqual(self.next_look(process), ("10.0 ms", "+0.0"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, out)
        self.assertIn("All limits are kept. Exceeded in 1 of 2 looks.", out)

    def test_of_a_recording_that_grows_the_new_steps_are_judged(self):
        path = self.folder / "job.xplane.pb"
        self.write(path, 10, 10, 10)
        # The mean of all steps grows by less than 10%.
        process = self.start(path, "-fail-if", "step>+10%,op:MatMul.cpu_micros>+10%")
        self.assertEqual(self.next_look(process), ("10.0 ms", "+0.0"))
        self.write(path, 10, 10, 10, 12)
        self.assertEqual(self.next_look(process), ("12.0 ms", "+20.0"))
        exceeded = process.stdout.readline()
        self.assertIn("step>+10%", exceeded)
        self.assertIn("op:MatMul.cpu_micros>+10%", exceeded)
        self.write_bytes(path, path.read_bytes() + b"\x22\x04also")  # another host name: no step is new
        self.assertEqual(self.next_look(process), ("12.0 ms", "+20.0"))
        self.assertIn("exceeded", process.stdout.readline())
        self.write(path, 10, 10, 10, 12, 9)
        self.assertEqual(self.next_look(process), ("9.00 ms", "-10.0"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, out)
        self.assertIn("All limits are kept. Exceeded in 1 of 3 looks.", out)
        self.assertIn("Steps took 9.00 ms to 12.0 ms.", out)

    def test_the_first_look_with_steps_is_the_baseline(self):
        path = self.folder / "job.xplane.pb"
        path.write_bytes(fake.trace(1, 2, step_ps=[]))
        process = self.start(path, "-fail-if", "step>+10%")
        self.assertIn("0 steps", process.stdout.readline())
        self.write(path, 10)
        self.assertEqual(self.next_look(process), ("10.0 ms", "+0.0"))
        self.write(path, 10, 12)
        self.assertEqual(self.next_look(process), ("12.0 ms", "+20.0"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 6, out)

    def test_the_extremes_are_those_of_single_steps(self):
        path = self.folder / "job.xplane.pb"
        path.write_bytes(fake.trace(1, 2, step_ps=[(5 if i == 7 else 40 if i == 9 else 10) * MS for i in range(200)]))
        status, out, err = self.watch(path, "-times", 1)
        self.assertEqual(status, 0, err)
        self.assertIn("Steps took 5.00 ms to 40.0 ms.", out)

    def test_names_are_text_in_markdown(self):
        path = self.folder / "a|b*_<i>[x]`.xplane.pb"
        self.write(path, 10)
        _, out, _ = self.watch(path, "-times", 1)
        self.assertIn(r"a\|b\*\_\<i>\[x]\`.xplane.pb", out)

    def test_findings_are_those_of_the_summary(self):
        path = pathlib.Path(__file__).resolve().parents[2] / "testdata/xspace/gpu_train.xplane.pb"
        _, out, _ = self.watch(path, "-times", 1, "-summary", "/dev/stdout")
        answer = subprocess.run([TFPROF, path, "summary", "-format", "json"], capture_output=True, text=True, check=True).stdout
        properties = json.loads(answer)["properties"]
        shown = [entry["value"] for name, entry in sorted(properties.items()) if re.fullmatch(r"finding_\d", name)]
        self.assertTrue(shown)
        listed = re.sub(r"\\(.)", r"\1", out.split("Findings:\n")[1])
        self.assertEqual(re.findall(r"^- (.*)$", listed, re.M), shown)

    def test_options_of_capture(self):
        server = fake.Server()
        self.addCleanup(server.close)
        status, _, err = self.watch("-wait", "grpc://" + server.address, "-duration", "50ms", "-quiet", "-times", 1)
        self.assertEqual(status, 0, err)
        for words, what in (["-run", "x"], "no option -run"), (["-keep", "2"], "no option -keep"), (["-every", "500us"], "1ms"):
            status, _, err = self.watch("grpc://" + server.address, *words)
            self.assertEqual(status, 2)
            self.assertIn(what, err)

    def test_a_view_and_a_summary_in_a_file(self):
        self.write_run(0, 10)
        summary = self.folder / "summary.md"
        summary.write_text("before\n")
        views = ["-view", "op -format csv", "-c", "steps -format csv", "-c", "diff -view op -format csv"]
        status, out, err = self.watch(self.logs, "-times", 1, *views, "-summary", summary)
        self.assertEqual(status, 0, err)
        self.assertIn("MatMul", out)
        self.assertIn("train 19,190000", out)
        self.assertIn("base_time_us", out)
        self.assertNotIn("baseline", out)
        self.assertTrue(summary.read_text().startswith("before\n### "))

    def test_quiet(self):
        self.write_run(0, 10)
        options = ["-quiet", "-times", 1, "-fail-if", "step<-1%"]
        base = self.folder / "base.xplane.pb"
        self.write(base, 20)
        status, out, err = self.watch(self.logs, *options, "-baseline", base)
        self.assertEqual((status, err), (6, ""))
        self.assertTrue(out.startswith("### "), out)
        self.assertIn(r"exceeded: step\<-1%", out)
        status, out, err = self.watch(self.logs, *options, "-baseline", base, "-summary", self.folder / "summary.md")
        self.assertEqual((status, out), (6, ""))
        self.assertEqual(err, "-fail-if: exceeded: step<-1%: 20.0 ms -> 10.0 ms\n")
        status, out, err = self.watch(self.logs, *options, "-summary", self.folder / "summary.md")  # is its own baseline
        self.assertEqual((status, out, err), (0, "", ""))

    def test_a_view_does_not_change_the_baseline(self):
        self.write_run(0, 10)
        self.write(self.folder / "slow.xplane.pb", 40)
        process = self.start(self.logs, "-view", f"diff {self.folder}/slow.xplane.pb -format csv", "-fail-if", "step>+10%", "-times", 1000)
        self.assertEqual(self.next_look(process), ("10.0 ms", "+0.0"))
        self.write_run(1, 20)
        self.assertEqual(self.next_look(process), ("20.0 ms", "+100.0"))
        self.assertIn("exceeded: step>+10%: 10.0 ms -> 20.0 ms", process.stdout.readline())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 6)

    def test_a_server(self):
        step_ms = [10, 10, 13]

        def record(stream, request, number):
            begin, end = server.session(request)
            if number == len(step_ms):
                return stream.connection.end()  # the program has ended
            stream.answer(fake.response(fake.trace(begin, end, steps=20, step_ps=step_ms[number] * MS)))
        server = fake.Server(record)
        self.addCleanup(server.close)
        status, out, err = self.watch("grpc://" + server.address, "-duration", "50ms", "-retries", 0, "-fail-if",
                                      "step>+20%")
        self.assertEqual(status, 6, err)
        self.assertEqual(re.findall(r"step time (\S+ ms)", out.split("###")[0]), ["10.0 ms", "10.0 ms", "13.0 ms"])
        self.assertIn("| step time | 10.0 ms | 13.0 ms | +30.0% |", out)
        self.assertIn("no server sent a trace", err)
        self.assertEqual(server.requests[0].duration_s, 0.05)

    def test_looks_begin_as_often_as_one_says(self):
        """The time of a recording is part of the time between two looks, and not our work."""
        server = fake.Server()
        self.addCleanup(server.close)
        status, _, err = self.watch("grpc://" + server.address, "-duration", "1s", "-every", "1500ms", "-times", 2)
        self.assertEqual(status, 0, err)
        (first, _), (second, _) = server.spans
        self.assertGreater(second - first, 1.4e9)
        self.assertLess(second - first, 3.5e9)

    def test_a_server_that_is_idle_for_a_while(self):
        def record(stream, request, number):
            stream.answer(fake.response(fake.trace(1, 2, step_ps=[] if number == 1 else [10 * MS] * 20)))
        server = fake.Server(record)
        self.addCleanup(server.close)
        status, out, err = self.watch("grpc://" + server.address, "-duration", "10ms", "-retries", 0, "-times", 3)
        self.assertEqual(status, 0, err)
        self.assertEqual(re.findall(r"(\d+) steps", out), ["20", "0", "20"])

    def test_the_step_time_is_that_of_the_slowest_host(self):
        run = self.logs / "plugins/profile/2026_01_01_00_00_00"
        self.write_bytes(run / "a.xplane.pb", fake.trace(1, 2, host="a", step_ps=[10 * MS] * 50))
        self.write_bytes(run / "b.xplane.pb", fake.trace(1, 2, host="b", step_ps=[30 * MS] * 20))
        _, out, _ = self.watch(self.logs, "-times", 1)
        self.assertIn("step time 30.0 ms", out)

    def test_the_end_of_a_ci_job_is_like_ctrl_c(self):
        server = fake.Server()
        self.addCleanup(server.close)
        for number in (signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([TFPROF, "watch", "grpc://" + server.address, "-duration", "50ms", "-every", "100ms"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env=dict(os.environ, TMPDIR=str(self.folder)))
            self.next_look(process)
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 0, err)
            self.assertIn("### grpc://", out)
            self.assertEqual(list(self.folder.glob("tfprof-watch-*")), [])

    def test_traces_of_a_server_are_kept_where_one_says(self):
        server = fake.Server()
        self.addCleanup(server.close)
        status, _, err = self.watch("grpc://" + server.address, "-duration", "50ms", "-times", 2, "-o", self.logs)
        self.assertEqual(status, 0, err)
        self.assertEqual(len(list(self.logs.glob("plugins/profile/*/*.xplane.pb"))), 2)

    def test_errors(self):
        for options, words in (([], "watch needs a job"), ([self.logs, "-fail-if", "step"], "error: -fail-if: 'step': a limit needs > or <"),
                               ([self.logs, "-fail-if", ""], "-fail-if: no limit"),
                               ([self.logs, "-view", "kernals"], "did you mean kernels?"),
                               ([self.logs, "-c", "op -n x"], "-n: 'x' is not a number"),
                               ([self.logs, "-c", ""], "-c: no command"),
                               ([self.logs, "-o", "x"], "-o is for servers"),
                               (["gs://b/logs"], "tfprof fetch gs://b/logs"),
                               ([self.logs, "-baseline", "s3://b/x"], "tfprof fetch s3://b/x"),
                               ([self.logs, "-summary", self.folder / "absent/summary.md"], "cannot be written"),
                               ([self.logs, "-quiet", "-view", "op"], "-quiet shows no answers"),
                               ([self.logs, "-duration", "1s"], "-duration=1s is for servers"),
                               ([self.logs, self.logs], "one job"), ([self.folder / "absent", "-times", 1], "absent")):
            with self.subTest(options):
                process = subprocess.run([TFPROF, "watch", *map(str, options)], capture_output=True, text=True, timeout=20)
                self.assertIn(process.returncode, (2, 3, 5))
                self.assertIn(words, process.stderr)


if __name__ == "__main__":
    unittest.main()
