# SPDX-License-Identifier: Apache-2.0
"""What the two scripts of this folder share: keeping a recording, and their command line."""

import glob
import gzip
import os
import shutil
import subprocess
import sys
import tempfile


def pack(data, host):
    """Returns a trace with another name of its host, gzipped: the same bytes for the same trace."""

    def hostnames(name):  # the last field of XSpace
        return b"\x22" + bytes([len(name)]) + name.encode()

    own = hostnames(os.uname().nodename)
    assert data.endswith(own), "the trace names no host"
    return gzip.compress(data.removesuffix(own) + hostnames(host), mtime=0)


def keep(logs, out, host="trainer"):
    """Packs the only recording under `logs` as the file `out`."""
    (recorded,) = glob.glob(logs + "/**/*.xplane.pb", recursive=True)
    with open(recorded, "rb") as file:
        data = pack(file.read(), host)
    with open(out, "wb") as file:
        file.write(data)


def scratch():
    """Enters an empty folder: what is recorded names folders and files as they are given."""
    os.chdir(tempfile.mkdtemp())


def leave():
    folder = os.getcwd()
    os.chdir("/")
    shutil.rmtree(folder)


def record(name, out):
    """Records one problem in a process of its own; returns how many seconds the recording took."""
    command = [sys.executable, sys.argv[0], name, out]
    done = subprocess.run(command, check=True, timeout=200, stdout=subprocess.PIPE, text=True)
    return float(done.stdout.split()[-1])


def main(problems):
    """`NAME OUT` records one problem; `all FOLDER TRIES [NAME...]` keeps the shortest of several
    recordings of each: other programs disturbed it least."""
    if len(sys.argv) == 3 and sys.argv[1] in problems:
        print(problems[sys.argv[1]](os.path.abspath(sys.argv[2])))
        return
    if len(sys.argv) < 4 or sys.argv[1] != "all":
        usage = f"usage: {sys.argv[0]} NAME OUT.xplane.pb.gz | all FOLDER TRIES [NAME...]"
        sys.exit(usage + "\nNAME: " + " ".join(problems))
    folder, tries, names = os.path.abspath(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] or problems
    for name in names:
        best = None
        for _ in range(tries):
            with tempfile.TemporaryDirectory() as scratch:
                os.mkdir(scratch + "/kept")
                seconds = record(name, f"{scratch}/kept/{name}.xplane.pb.gz")
                if best is None or seconds < best:
                    best = seconds
                    shutil.copytree(scratch + "/kept", folder, dirs_exist_ok=True)
        print(f"{name} {best:.3f} s", flush=True)
