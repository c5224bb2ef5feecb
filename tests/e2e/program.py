# SPDX-License-Identifier: Apache-2.0
"""The real program, as tests run it; a test's first argument says where it is."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "testdata/tensorflow/mnist_softmax"
PROFILE = DATA / "profile.pb"
PROGRAM = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/tfprof")


def run(*args, stdin="", cwd=None):
    """(exit status, stdout, stderr) as text; `stdin` None: closed."""
    command = [PROGRAM, *map(str, args)]
    if stdin is None:
        command = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    done = subprocess.run(command, input=stdin, cwd=cwd, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class InFolder(unittest.TestCase):
    """Tests with an empty folder of their own."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def enterContext(self, context):  # unittest has it from Python 3.11 on
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value
