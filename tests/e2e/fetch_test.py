#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies of files elsewhere: fetch_test.py TFPROF. Tools of clouds are scripts here; curl is real, if it is there."""

import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

TFPROF = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
TRACE = ROOT / "testdata/xspace/gpu_train.xplane.pb"

# Copies CLOUD/BUCKET/PATH; the last two words are the URL and where to.
TOOL = """#!/bin/sh
echo progress
echo "$0 $*" >> "$CALLS"
for word; do from=$to; to=$word; done
[ "$FAILS" = always ] && { mkdir -p "$to"; echo half > "$to/half"; exit 7; }
from=$CLOUD/${from#*://}
case "$*" in *--recursive*) [ -d "$from" ] || exit 1;; esac
case "$0 $*" in *aws*--recursive*) cp -r "$from" "$to"; exit;; *aws*) [ -f "$from" ] || exit 1;; esac
cp -r "$from" "$to"
"""


class Fetch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cloud = self.folder / "cloud"
        self.calls = self.folder / "calls"
        run = self.cloud / "bucket/logs/plugins/profile/run"
        run.mkdir(parents=True)
        shutil.copy(TRACE, run / "host.xplane.pb")
        tools = self.folder / "tools"
        tools.mkdir()
        for name in "gsutil", "aws":
            (tools / name).write_text(TOOL)
            (tools / name).chmod(0o755)
        for name in "sh", "cp", "mkdir", "curl":
            if shutil.which(name):
                (tools / name).symlink_to(shutil.which(name))
        self.env = {"PATH": str(tools), "CLOUD": str(self.cloud), "CALLS": str(self.calls), "HOME": str(self.folder)}

    def fetch(self, *words, **env):
        done = subprocess.run([TFPROF, *words], env={**self.env, **env}, capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def count(self):
        return len(self.calls.read_text().splitlines()) if self.calls.exists() else 0

    def test_a_folder_is_copied_once(self):
        for expected in 1, 1:
            status, out, err = self.fetch("fetch", "gs://bucket/logs")
            self.assertEqual(status, 0, err)
            self.assertRegex(out, f"^{re.escape(str(self.folder))}/.cache/tfprof/gs/bucket/[0-9a-f]{{16}}/logs\n$")
            self.assertTrue((pathlib.Path(out.strip()) / "plugins").is_dir())
            self.assertIn("1 file", err)
            self.assertEqual(self.count(), expected)
        self.assertIn("copied before", err)
        status, _, _ = self.fetch("fetch", "gs://bucket/logs", "-again")
        self.assertEqual((status, self.count()), (0, 2))

    def test_the_answer_of_a_command(self):
        status, out, err = self.fetch("fetch", "s3://bucket/logs", "-c", "steps -format csv", "-o", str(self.folder / "mine"))
        self.assertEqual(status, 0, err)
        self.assertTrue(out.startswith("host,step"), out)
        self.assertEqual(self.count(), 2)  # an object of that name, then the prefix
        self.assertEqual([path.is_dir() for path in (self.folder / "mine").glob("s3/bucket/*/logs")], [True])

    def test_a_copy_that_fails_leaves_nothing(self):
        status, out, err = self.fetch("fetch", "gs://bucket/logs", FAILS="always")
        self.assertEqual((status, out), (3, ""))
        self.assertIn("gsutil ended with 7", err)
        self.assertEqual([path for path in (self.folder / ".cache").rglob("*") if path.is_file()], [])

    def test_only_the_command(self):
        status, out, _ = self.fetch("fetch", "gs://bucket/logs", "-n")
        self.assertEqual(status, 0)
        folder, command = out.splitlines()
        self.assertTrue(folder.startswith("mkdir -p "))
        self.assertTrue(command.startswith("gsutil -m cp -r gs://bucket/logs "))
        self.assertEqual(self.count(), 0)

    def test_the_second_command_is_for_a_first_one_that_fails(self):
        _, out, _ = self.fetch("fetch", "s3://bucket/logs", "-n", "-o", str(self.folder / "mine"))
        self.assertRegex(out.splitlines()[1], r"^aws s3 cp s3://bucket/logs \S+ \|\| aws s3 cp --recursive s3://bucket/logs \S+$")
        done = subprocess.run(["sh", "-e"], input=out, env=self.env, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_commands_can_be_pasted_into_a_shell(self):
        name = "a b & c$(touch x)"
        (self.cloud / "bucket/logs").rename(self.cloud / "bucket" / name)
        _, out, _ = self.fetch("fetch", "gs://bucket/" + name, "-n", "-o", str(self.folder / "it's mine"))
        done = subprocess.run(["sh", "-e"], input=out, env=self.env, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.folder / "x").exists())
        # What was pasted is where the command would have put it.
        status, out, err = self.fetch("fetch", "gs://bucket/" + name, "-o", str(self.folder / "it's mine"))
        self.assertEqual((status, self.count()), (0, 1))
        self.assertIn("copied before", err)
        self.assertTrue((pathlib.Path(out.strip()) / "plugins").is_dir())

    def test_help(self):
        for command in "fetch", "watch", "capture", "monitor", "serve":
            for words in (command, "x", "--help"), (command, "-h"), ("help", command):
                status, out, err = self.fetch(*words)
                self.assertEqual((status, err), (0, ""), words)
                self.assertEqual(out, self.fetch("help", command)[1])
        self.assertEqual(self.fetch("capture", "local", "--help")[1], self.fetch("help", "capture")[1])

    def test_without_a_tool(self):
        status, _, err = self.fetch("fetch", "ssh://host:logs")
        self.assertEqual(status, 3)
        self.assertIn("install scp", err)

    def test_https(self):
        if not shutil.which("curl"):
            self.skipTest("no curl")

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), lambda *args: Quiet(*args, directory=str(TRACE.parent)))
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        status, out, err = self.fetch("fetch", url + TRACE.name + "?a=1", "-c", "steps -format csv")
        self.assertEqual(status, 0, err)
        self.assertTrue(out.startswith("host,step"), out)
        self.assertEqual(self.fetch("fetch", url + "absent")[0], 3)
        paths = {self.fetch("fetch", f"{url}{TRACE.name}?a={value}")[1] for value in "12"}
        self.assertEqual(len(paths), 2)
        self.assertTrue(all(path.endswith(f"/{TRACE.name}\n") for path in paths))

    def test_a_file_that_is_a_url(self):
        for file, words in ("gs://bucket/logs", "tfprof fetch gs://bucket/logs"), ("grpc://h:1", "tfprof capture grpc://h:1"):
            status, _, err = self.fetch(file, "-c", "summary")
            self.assertEqual(status, 2)
            self.assertIn(words, err)
        self.assertEqual(self.count(), 0)


if __name__ == "__main__":
    unittest.main()
