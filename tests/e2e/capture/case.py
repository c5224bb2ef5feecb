# SPDX-License-Identifier: Apache-2.0
"""What tests of the recorder share. Their arguments: TFPROF TFPROF_CAPTURE PROGRAMS."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

TFPROF, CAPTURE, PROGRAMS = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
PROGRAMS = pathlib.Path(PROGRAMS)
RECORDER = PROGRAMS.parent / "libtfprof-capture.so"
RANGES = PROGRAMS / "capture_ranges"
TRAIN = PROGRAMS / "capture_train"

ENV = {k: v for k, v in os.environ.items() if "TFPROF" not in k and "INJECTION" not in k}
ENV["ASAN_OPTIONS"] = "handle_segv=0:detect_leaks=0:verify_asan_link_order=0"  # programs must die by their own signals
ENV["TFPROF_CUPTI_LIB"] = str(PROGRAMS / "fakes/libcupti.so.13")


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Capture(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "out"

    def run_program(self, *command, env=None, **how):
        """Runs a command; (status, stdout, stderr)."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                              env={**ENV, **(env or {})}, preexec_fn=how.pop("limits", no_core), **how)
        return done.returncode, done.stdout, done.stderr

    def capture(self, *command, options=(), env=None, **how):
        return self.run_program(CAPTURE, "-o", self.folder, "--overwrite", *options, "--", *command, env=env, **how)

    def bare(self, *command, env=None, **how):
        """Runs a command with the recorder, but without the launcher."""
        return self.run_program(*command, env={"NVTX_INJECTION64_PATH": str(RECORDER),
                                               "CUDA_INJECTION64_PATH": str(RECORDER),
                                               "TFPROF_CAPTURE_DIR": str(self.folder), **(env or {})}, **how)

    def manifest(self):
        return json.loads((self.folder / "manifest.json").read_text())

    def only_process(self):
        processes = self.manifest()["processes"]
        self.assertEqual(len(processes), 1)
        return processes[0]

    def ask(self, *words):
        """The main table of a view of the capture: its rows."""
        status, out, err = self.run_program(TFPROF, *words, self.folder, "-format", "json", "-n", "100000")
        self.assertEqual(status, 0, err)
        return next(iter(json.loads(out)["tables"].values()))["rows"]
