#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On a machine with an NVIDIA GPU: captures real programs, compares what was recorded with what they did,
prints what recording costs, and keeps small spools as fixtures.

    gpu_check.py BUILD [--fixtures DIR]

BUILD is a build folder with tests (build/release). PyTorch and JAX are used if they are installed. Exit
status 77: there is no GPU here."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

TORCH = """
import sys, time, torch
use_graph = sys.argv[1] == 'graph'
x = torch.randn(1024, 1024, device='cuda')
w = torch.randn(1024, 1024, device='cuda')
def step():
    y = x
    for _ in range(20):
        y = torch.relu(y @ w)
    return y
step(); torch.cuda.synchronize()
if use_graph:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
start = time.perf_counter()
for i in range(50):
    torch.cuda.nvtx.range_push(f'step {i}')
    graph.replay() if use_graph else step()
    torch.cuda.nvtx.range_pop()
torch.cuda.synchronize()
print((time.perf_counter() - start) / 50 * 1e6)
"""

JAX = """
import time, jax, jax.numpy as jnp
f = jax.jit(lambda x, w: jax.nn.relu(x @ w))
x = jnp.ones((1024, 1024)); w = jnp.ones((1024, 1024))
f(x, w).block_until_ready()
start = time.perf_counter()
for _ in range(200):
    x = f(x, w)
x.block_until_ready()
print((time.perf_counter() - start) / 200 * 1e6)
"""


class Check:
    def __init__(self, build, fixtures):
        self.build = build
        self.fixtures = fixtures
        self.faults = []
        self.costs = []

    def run(self, command, folder=None, options=()):
        """(stdout, manifest's first process with GPU work) of a command, under the recorder if there is a folder."""
        if folder:
            command = [self.build / "tfprof-capture", "-o", folder, "--keep", *options, "--", *command]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
        if done.returncode == 77:
            sys.exit(77)
        if done.returncode != 0:
            self.faults.append(f"{command[-2:]}: status {done.returncode}: {done.stderr[-500:]}")
            return None, None
        if not folder:
            return done.stdout, None
        print(done.stderr, end="")
        processes = json.loads((folder / "manifest.json").read_text())["processes"]
        return done.stdout, max(processes, key=lambda p: p["recorded"]["calls"], default=None)

    def expect(self, what, found, expected):
        print(f"{'ok' if found == expected else 'WRONG':6}{what}: {found}, expected {expected}")
        if found != expected:
            self.faults.append(f"{what}: {found}, expected {expected}")

    def keep(self, folder, name):
        for spool in folder.glob("spool/*.tfs"):
            if self.fixtures and spool.stat().st_size < 1 << 20:
                self.fixtures.mkdir(parents=True, exist_ok=True)
                shutil.copy(spool, self.fixtures / f"{name}.tfs")

    def check_driver(self, options, name):
        program = self.build / "capture/testing/capture_gpu"
        bare, _ = self.run([program, 20, 20000])
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            out, process = self.run([program, 20, 20000], folder, options)
            if process is None:
                return
            known, recorded = json.loads(out), process["recorded"]
            by_node = "--cuda-graph=node" in options
            kernels = known["kernels"] + (known["graph_kernels"] if by_node else 0)
            self.expect(f"{name}: kernels", recorded["kernels"], kernels)
            self.expect(f"{name}: launches of graphs", recorded["graph_launches"],
                        0 if by_node else known["graph_launches"])
            self.expect(f"{name}: copies", recorded["copies"], known["copies"])
            self.expect(f"{name}: fills", recorded["fills"], known["fills"])
            self.expect(f"{name}: steps", process["steps"], known["steps"])
            self.expect(f"{name}: losses", process["losses"], [])
            self.costs.append((f"driver API, {name}", json.loads(bare)["launch_ns"], known["launch_ns"],
                               "ns per launch"))
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            self.run([program, 3, 10], folder, options)
            self.keep(folder, f"gpu_{name}")

    def check_python(self, name, source, arguments, options):
        command = [sys.executable, "-c", source, *arguments]
        bare, _ = self.run(command)
        if bare is None:
            return
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            start = time.perf_counter()
            out, process = self.run(command, folder, options)
            if process is None:
                return
            print(f"      {name}: {process['recorded']} in {time.perf_counter() - start:.1f} s")
            if not process["recorded"]["kernels"] and not process["recorded"]["graph_launches"]:
                self.faults.append(f"{name}: no GPU work was recorded: {process.get('cupti.error')}")
            self.costs.append((name, float(bare), float(out), "us per step"))


def has_module(name):
    return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True,
                          check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--fixtures", type=pathlib.Path)
    arguments = parser.parse_args()
    check = Check(arguments.build.resolve(), arguments.fixtures)
    check.run([check.build / "capture/testing/capture_gpu", 1, 1])  # is there a GPU?
    subprocess.run([str(check.build / "tfprof-capture"), "doctor"], check=False)
    check.check_driver([], "graphs")
    check.check_driver(["--cuda-graph=node"], "nodes")
    check.check_driver(["--api"], "api")
    if has_module("torch"):
        check.check_python("torch, eager", TORCH, ["eager"], [])
        check.check_python("torch, CUDA graph", TORCH, ["graph"], [])
        check.check_python("torch, CUDA graph by node", TORCH, ["graph"], ["--cuda-graph=node"])
    if has_module("jax"):
        check.check_python("jax", JAX, [], [])
    print(f"\n{'program':36}{'alone':>12}{'recorded':>12}{'cost':>9}")
    for name, bare, recorded, unit in check.costs:
        print(f"{name:36}{bare:12.1f}{recorded:12.1f}{(recorded / bare - 1) * 100:8.1f}%  {unit}")
    for fault in check.faults:
        print(f"fault: {fault}", file=sys.stderr)
    return 1 if check.faults else 0


if __name__ == "__main__":
    os.environ.pop("TFPROF_CUPTI_LIB", None)
    sys.exit(main())
