#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make.py PROGRAM: takes the pictures of docs/commands/report.md again, with Chromium."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/e2e"))
from browser import Browser  # noqa: E402

# (picture, profile, page, light or dark)
PICTURES = [
    ("overview", "xspace/gpu_train.xplane.pb", "#/", "light"),
    ("trace", "pytorch/gpu_training.pt.trace.json.gz", "#/trace?from=20200&to=25400&begin=22000&end=23600", "dark"),
    ("kernels", "pytorch/gpu_small_batch.pt.trace.json.gz", "#/kernels?sort=-time_us", "light"),
    ("memory", "pytorch/gpu_training.snapshot.pickle.gz", "#/memory?show=memory+-at+677077us", "dark"),
    ("flame", "tensorflow/convnet/profile.pb", "#/flame?view=scope", "light"),
    ("graph", "xspace/jax_loop.xplane.pb", "#/hlo", "light"),
    ("input", "xspace/input_pipeline.xplane.pb", "#/tfdata", "dark"),
    ("pod", "problems/jax_two_hosts", "#/pod", "light"),
]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        browser.resize(1280, 760, 0.75)
        for name, profile, page, theme in PICTURES:
            out = pathlib.Path(folder) / (name + ".html")
            subprocess.run([program, "report", out, ROOT / "testdata" / profile], check=True, stderr=subprocess.DEVNULL)
            browser.theme(theme)
            browser.open(out.as_uri() + page)
            browser.wait("document.getElementById('main').dataset.at !== undefined")
            browser.run("new Promise((done) => setTimeout(done, 700))")
            browser.picture(HERE / (name + ".png"))


if __name__ == "__main__":
    main()
