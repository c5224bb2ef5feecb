#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures from real servers of TensorFlow and JAX: servers_test.py TFPROF TFPROF_CLIENT. They are those of the
interpreter that runs this, or of TFPROF_TF_PYTHON and TFPROF_JAX_PYTHON; exit status 77 without any of them."""

import csv
import io
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

TFPROF, CLIENT = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))

# Trains until it is killed. The line "ready" is printed when the server answers.
TRAIN = {
    "tensorflow": """
import sys, time
import tensorflow as tf
tf.profiler.experimental.server.start(int(sys.argv[1]))
step = tf.function(lambda a: tf.reduce_sum(tf.matmul(a, a)))
mark = lambda i: tf.profiler.experimental.Trace("train", step_num=i, _r=1)
a = tf.ones((200, 200))
wait = lambda value: value.numpy()
""",
    "jax": """
import sys, time
import jax, jax.numpy as jnp
jax.profiler.start_server(int(sys.argv[1]))
step = jax.jit(lambda a: (a @ a).sum())
mark = lambda i: jax.profiler.StepTraceAnnotation("train", step_num=i)
a = jnp.ones((200, 200))
wait = lambda value: value.block_until_ready()
""",
}
LOOP = """
wait(step(a))
print("ready", flush=True)
for i in range(1 << 30):
    with mark(i):
        wait(step(a))
    time.sleep(0.005)
"""

IDLE = """
print("ready", flush=True)
time.sleep(600)
"""


def python_with(module):
    """An interpreter that has the module; None: there is none."""
    variable = {"tensorflow": "TFPROF_TF_PYTHON", "jax": "TFPROF_JAX_PYTHON"}[module]
    python = os.environ.get(variable, sys.executable)
    found = subprocess.run([python, "-c", f"import importlib.util as u, sys; sys.exit(u.find_spec('{module}') is None)"],
                           capture_output=True)
    return python if found.returncode == 0 else None


PYTHONS = {module: python for module in TRAIN if (python := python_with(module))}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


class Servers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.workers = []
        modules = sorted(PYTHONS)
        for module in modules if len(modules) > 1 else modules * 2:
            cls.workers.append(cls.worker(module, LOOP))
        for worker, _ in cls.workers:
            assert worker.stdout.readline() == "ready\n", "a worker ended"
        cls.target = "grpc://" + ",".join(address for _, address in cls.workers)

    @classmethod
    def tearDownClass(cls):
        for worker, _ in cls.workers:
            worker.kill()
            worker.wait()
            worker.stdout.close()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.logs = pathlib.Path(folder.name)

    @classmethod
    def worker(cls, module, code):
        """(process, address) of a program that has begun its work."""
        port = free_port()
        worker = subprocess.Popen([PYTHONS[module], "-c", TRAIN[module] + code, str(port)], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, env={**os.environ, "JAX_PLATFORMS": "cpu"})
        return worker, f"127.0.0.1:{port}"

    def start(self, *words, program=CLIENT):
        return subprocess.Popen([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def done(self, process):
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def steps(self, folder):
        out = subprocess.run([TFPROF, folder, "-c", "steps -format csv"], capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(out.returncode, 0, out.stderr)
        table = out.stdout.split("\n\n")[0]
        return list(csv.DictReader(io.StringIO(table)))

    def test_1_two_workers(self):
        status, out, err = self.done(self.start("capture", self.target, "-o", str(self.logs), "-duration", "1s",
                                                "-c", "summary", program=TFPROF))
        self.assertEqual(status, 0, err)
        self.assertIn("hosts        2", out)
        self.assertNotIn("its clock", err)
        rows = self.steps(self.logs)
        hosts = {row["host"] for row in rows}
        self.assertEqual(hosts, {address.replace(":", "_") for _, address in self.workers})
        for host in hosts:
            # A step and its pause take 6 ms or more.
            self.assertIn(sum(row["host"] == host for row in rows), range(10, 201))

    def test_2_another_session(self):
        first = self.start("capture", self.target, "-o", str(self.logs / "a"), "-duration", "3s")
        time.sleep(1)
        status, _, err = self.done(self.start("capture", self.target, "-o", str(self.logs / "b"), "-duration", "200ms"))
        self.assertEqual(status, 3)
        self.assertEqual(err.count("another profiling session runs"), 2, err)
        status, _, err = self.done(self.start("capture", self.target, "-o", str(self.logs / "b"), "-duration", "200ms", "-wait"))
        self.assertEqual(status, 0, err)
        self.assertEqual(self.done(first)[0], 0)

    def test_3_ctrl_c(self):
        process = self.start("capture", self.target, "-o", str(self.logs), "-duration", "60s")
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        status, out, err = self.done(process)
        self.assertEqual(status, 130, err)
        self.assertEqual(err.count("ended early"), 2, err)
        self.assertGreater(len(self.steps(out.strip())), 20)
        # The servers are free again.
        status, _, err = self.done(self.start("capture", self.target, "-o", str(self.logs / "b"), "-duration", "100ms"))
        self.assertEqual(status, 0, err)

    def test_4_monitor_is_not_implemented(self):
        status, _, err = self.done(self.start("monitor", self.target))
        self.assertEqual(status, 3)
        self.assertEqual(err.count("no Monitor"), 2, err)

    def test_5_an_idle_program_is_asked_again(self):
        for module in PYTHONS:
            worker, address = self.worker(module, IDLE)
            self.addCleanup(worker.stdout.close)
            self.addCleanup(worker.wait)
            self.addCleanup(worker.kill)
            self.assertEqual(worker.stdout.readline(), "ready\n")
            status, _, err = self.done(self.start("capture", "grpc://" + address, "-o", str(self.logs), "-duration", "100ms",
                                                  "-retries", "1"))
            self.assertEqual(status, 3, err)
            self.assertIn("nothing was recorded; again in 250 ms", err)

    def test_6_a_worker_is_killed_in_the_middle(self):
        process = self.start("capture", self.target, "-o", str(self.logs), "-duration", "3s", "-retries", "1")
        time.sleep(1)
        killed, address = self.workers[0]
        killed.send_signal(signal.SIGKILL)
        status, out, err = self.done(process)
        self.assertEqual(status, 3, err)
        self.assertIn("1 of 2 hosts", err)
        self.assertRegex(err, address + ": (the server closed the connection|Connection reset by peer); again")
        self.assertEqual([path.name for path in pathlib.Path(out.strip()).iterdir()],
                         [self.workers[1][1].replace(":", "_") + ".xplane.pb"])
        self.assertGreater(len(self.steps(out.strip())), 20)


if __name__ == "__main__":
    if not PYTHONS:
        print("neither TensorFlow nor JAX is installed")
        sys.exit(77)
    unittest.main()
