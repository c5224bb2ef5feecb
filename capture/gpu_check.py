#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On a machine with an NVIDIA GPU: captures real programs, compares what was recorded with what they did,
prints what recording costs, and keeps small spools as fixtures.

    gpu_check.py BUILD [--fixtures DIR] [--captures DIR]

BUILD is a build folder with tests (build/release). A program of the runtime API is built where nvcc is;
PyTorch and JAX are used where they are installed. --captures keeps every capture. Exit status 77: there is
no GPU here."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from spool_without_places import without_places

PROGRAMS = pathlib.Path(__file__).resolve().parent / "testing/gpu"


class Check:
    def __init__(self, arguments):
        self.build = arguments.build.resolve()
        self.fixtures = arguments.fixtures
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.captures = arguments.captures.resolve() if arguments.captures else self.scratch / "captures"
        self.captures.mkdir(parents=True, exist_ok=True)
        self.faults = []
        self.costs = []

    def fault(self, text):
        print(f"WRONG {text}", flush=True)
        self.faults.append(text)

    def expect(self, what, found, expected):
        if found == expected:
            print(f"ok    {what}: {found}", flush=True)
        else:
            self.fault(f"{what}: {found}, expected {expected}")

    def alone(self, *command, status=0):
        """The standard output of a command; None if it failed."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=240,
                              check=False)
        if done.returncode == 77:
            sys.exit(77)
        if "Profiler clears events" not in done.stderr:
            print(done.stderr[-2000:], end="")
        if done.returncode != status:
            self.fault(f"{command[-3:]}: status {done.returncode}: {done.stderr[-500:]}")
            return None
        return done.stdout

    def captured(self, name, *command, options=(), status=0):
        """(standard output, the manifest's process with the most calls) of a command that is recorded."""
        folder = self.captures / name.replace(", ", "_").replace(" ", "_")
        out = self.alone(self.build / "tfprof-capture", "-o", folder, "--overwrite", "--keep", *options, "--",
                         *command, status=status)
        if out is None:
            return None, None
        processes = json.loads((folder / "manifest.json").read_text())["processes"]
        process = max(processes, key=lambda p: p["recorded"]["calls"], default=None)
        if process is None:
            self.fault(f"{name}: nothing was recorded")
            return None, None
        self.expect(f"{name}: losses and errors", (process["losses"], process.get("cupti.error")), ([], None))
        return out, process

    def print_benchmarks(self):
        programs = self.build / "capture/testing"
        print(self.alone(programs / "capture_recorder_bench", self.scratch / "bench"), end="")
        print(self.alone("env", f"NVTX_INJECTION64_PATH={self.build / 'capture/libtfprof-capture.so'}",
                         f"TFPROF_CAPTURE_DIR={self.scratch / 'ranges'}", programs / "capture_ranges", "bench",
                         2_000_000), end="")

    def keep(self, name):
        for spool in (self.captures / name).glob("spool/*.tfs"):
            if self.fixtures and spool.stat().st_size < 1 << 20:
                self.fixtures.mkdir(parents=True, exist_ok=True)
                (self.fixtures / f"{name.removesuffix('_small')}.tfs").write_bytes(without_places(spool.read_bytes()))

    def compare(self, name, process, known, by_node):
        """What was recorded of a program that tells what it did."""
        recorded = process["recorded"]
        of_graphs = (lambda kind: known.get(f"graph_{kind}", 0)) if by_node else lambda kind: 0
        for kind in ("kernels", "copies", "fills"):
            self.expect(f"{name}: {kind}", recorded[kind], known[kind] + of_graphs(kind))
        self.expect(f"{name}: launches of graphs", recorded["graph_launches"],
                    0 if by_node else known["graph_launches"])
        self.expect(f"{name}: steps", process["steps"], known["steps"])

    def check_known(self, name, program, small, large, options=()):
        bare = self.alone(program, *large)
        out, process = self.captured(name, program, *large, options=options)
        if bare is None or process is None:
            return
        known = json.loads(out)
        self.compare(name, process, known, "--cuda-graph=node" in options)
        if "launch_ns" in known:
            self.costs.append((name, json.loads(bare)["launch_ns"], known["launch_ns"], "ns per launch"))
        self.captured(f"{name}_small", program, *small, options=options)
        self.keep(f"{name}_small")

    def check_steps(self, name, program, options=()):
        """Three of twenty steps are recorded, and nothing of what is launched before and after them."""
        three = self.alone(program, 3, 1)
        _, process = self.captured(name, program, 20, 20000, options=["--steps", "3:5", *options])
        if three is not None and process is not None:
            known = json.loads(three)
            known["kernels"] -= 1  # it is behind the steps
            self.compare(name, process, known, "--cuda-graph=node" in options)
            self.expect(f"{name}: windows", len(process["windows"]), 1)

    def check_cost(self, name, command, options=()):
        """The best of two turns: clocks and other machines on the host vary."""
        alone, recorded = [], []
        for _ in range(2):
            bare = self.alone(*command)
            out, process = self.captured(name, *command, options=options)
            if bare is None or process is None:
                return None
            alone.append(json.loads(bare)["us"])
            recorded.append(json.loads(out)["us"])
        print(f"      {name}: {process['recorded']}, alone {alone}, recorded {recorded}")
        if not process["recorded"]["kernels"] and not process["recorded"]["graph_launches"]:
            self.fault(f"{name}: no GPU work was recorded")
        self.costs.append((name, min(alone), min(recorded), "us per step"))
        return process

    def check_torch(self):
        program = [sys.executable, PROGRAMS / "torch_program.py"]
        for name, how, options in (("torch, eager", "eager", []), ("torch, CUDA graph", "graph", []),
                                   ("torch, CUDA graph by node", "graph", ["--cuda-graph=node"]),
                                   ("torch, tiny kernels", "tiny", []), ("torch, training", "train", []),
                                   ("torch, tiny kernels, --sync", "tiny", ["--sync"])):
            process = self.check_cost(name, [*program, how], options)
            if process is None or how == "graph" and not options or "--sync" in options:
                continue
            counts = self.scratch / "counts.json"
            profiled = json.loads(self.alone(*program, how, "--profiler", counts) or "{}")
            self.costs.append((f"{name}: PyTorch's profiler", self.costs[-1][1], profiled["us"], "us per step"))
            kinds = collections.Counter()
            for kernel, count in json.loads(counts.read_text()).items():
                kinds["copies" if kernel.startswith("Memcpy") else
                      "fills" if kernel.startswith("Memset") else "kernels"] += count
            for kind in ("kernels", "copies", "fills"):
                self.expect(f"{name}: {kind}, as PyTorch's profiler", process["recorded"][kind], kinds[kind])
        # Only one of two profilers gets the GPU; the program must not notice.
        self.captured("two_profilers", *program, "tiny", "--profiler", self.scratch / "counts.json")

    def check_python(self):
        """Launches have their Python lines, and ranges of operators on request."""
        program = [sys.executable, PROGRAMS / "torch_program.py"]
        for name, how, options in (("torch, tiny, Python stacks", "tiny", ["--python-stacks"]),
                                   ("torch, training, marked", "train", ["--torch-nvtx"]),
                                   ("torch, training, both", "train", ["--torch-nvtx", "--python-stacks"]),
                                   ("torch, tiny, Python samples", "tiny", ["--python-samples"]),
                                   ("torch, training, Python samples", "train", ["--python-samples"])):
            process = self.check_cost(name, [*program, how], options)
            if process is None:
                continue
            recorded = process["recorded"]
            if "--python-stacks" in options:
                self.expect(f"{name}: Python stacks", (process.get("python.stacks"), process.get("python.error")),
                            ("on", None))
                if not 0 < recorded["python_stacks"] < recorded["kernels"]:
                    self.fault(f"{name}: {recorded['python_stacks']} stacks")
            if "--python-samples" in options:
                self.expect(f"{name}: Python samples", (process.get("python.samples"), process.get("python.error")),
                            ("on", None))
                if not recorded["python_samples"]:
                    self.fault(f"{name}: no samples")
            if "--torch-nvtx" in options and recorded["ranges"] < recorded["kernels"]:
                self.fault(f"{name}: {recorded['ranges']} ranges of {recorded['kernels']} kernels")

    def check_window(self):
        """What a program of PyTorch launches between cudaProfilerStart and cudaProfilerStop."""
        _, process = self.captured("torch_window", sys.executable, PROGRAMS / "torch_program.py", "tiny", "--window",
                                   20, 22, options=["--capture-range=cuda"])
        if process is not None:
            self.expect("torch window: kernels, steps, windows",
                        (process["recorded"]["kernels"], process["steps"], len(process["windows"])), (3 * 200, 3, 1))

    def check_levels(self, program):
        """Ranges and calls alone; all calls as well."""
        for level, kernels in (("software", 0), ("full", 4 * 50)):
            _, process = self.captured(f"level_{level}", program, 50, options=["--level", level])
            if process is not None:
                self.expect(f"level {level}: kernels, steps", (process["recorded"]["kernels"], process["steps"]),
                            (kernels, 50))
                print(f"      level {level}: {process['recorded']}")

    def check_ring(self, program):
        """The last megabytes of a run, between one and two times of what was asked."""
        _, process = self.captured("ring", program, 20000, options=["--ring", "2M"])
        if process is not None:
            print(f"      ring: {process['recorded']}, {process['steps']} steps")
            if not 1000 < process["recorded"]["kernels"] < 4 * 20000 or process["steps"] < 100:
                self.fault("ring: not what the last megabytes have")

    def check_ranks(self, program):
        """Two processes that share the GPU, by their ranks."""
        script = f"RANK=0 {program} 200 & RANK=1 {program} 100; wait"
        out, _ = self.captured("ranks", "sh", "-c", script)
        if out is not None:
            processes = json.loads((self.captures / "ranks/manifest.json").read_text())["processes"]
            found = sorted((process.get("rank"), process["steps"], process["recorded"]["kernels"])
                           for process in processes if process["recorded"]["calls"])
            self.expect("ranks: steps and kernels", found, [("0", 200, 800), ("1", 100, 400)])

    def ctl(self, folder, action):
        """The state of the only process, as `ctl` prints it."""
        out = self.alone(self.build / "tfprof-capture", "ctl", folder, action)
        rows = [line.split(None, 6) for line in (out or "").splitlines()[1:]]
        return rows[0][6] if rows else None

    def check_control(self, program):
        """A program is recorded for a second, from outside, and a snapshot is made while it runs."""
        folder = self.captures / "controlled"
        with subprocess.Popen([str(self.build / "tfprof-capture"), "-o", str(folder), "--overwrite", "--keep",
                               "--paused", "--", str(program), "1000000"], stdout=subprocess.DEVNULL) as running:
            time.sleep(4)
            states = [self.ctl(folder, "status"), self.ctl(folder, "start")]
            time.sleep(1)
            states.append(self.ctl(folder, "stop"))
            self.ctl(folder, "snapshot")
            snapshot = json.loads((folder / "manifest.json").read_text())["processes"][0]
            running.send_signal(signal.SIGINT)
            for child in pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split():
                os.kill(int(child), signal.SIGINT)
            running.wait(60)
        self.expect("control: states", states, ["paused", "recording", "paused"])
        process = json.loads((folder / "manifest.json").read_text())["processes"][0]
        window, = process["windows"]
        seconds = (window["end_ns"] - window["start_ns"]) / 1e9
        print(f"      control: {seconds:.2f} s, {process['recorded']}, {process['steps']} steps")
        if not 0.8 < seconds < 2 or process["recorded"]["kernels"] < 1000:
            self.fault(f"control: {seconds:.2f} s were recorded")
        self.expect("control: the snapshot has all", (snapshot["recorded"]["kernels"], snapshot["running"]),
                    (process["recorded"]["kernels"], True))

    def check_kill(self, program):
        """What was launched a second before a kill is there."""
        folder = self.captures / "killed"
        with subprocess.Popen([str(self.build / "tfprof-capture"), "-o", str(folder), "--overwrite", "--keep", "--",
                               str(program), "1000000"], stdout=subprocess.DEVNULL) as running:
            time.sleep(6)
            for child in pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
            running.wait(60)
        self.expect("killed: status", running.returncode, -signal.SIGKILL)
        process = json.loads((folder / "manifest.json").read_text())["processes"][0]
        print(f"      killed: {process['recorded']}, {process['steps']} steps, {process['losses']}")
        if process["complete"] or process["recorded"]["kernels"] < 1000:
            self.fault("killed: what was recorded before is lost")


def has_module(name):
    return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True,
                          check=False).returncode == 0


def report(check):
    print(f"\n{'program':36}{'alone':>12}{'recorded':>12}{'cost':>9}")
    for name, bare, recorded, unit in check.costs:
        print(f"{name:36}{bare:12.1f}{recorded:12.1f}{(recorded / bare - 1) * 100:8.1f}%  {unit}")
    for fault in check.faults:
        print(f"fault: {fault}")
    return 1 if check.faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--fixtures", type=pathlib.Path)
    parser.add_argument("--captures", type=pathlib.Path)
    check = Check(parser.parse_args())
    driver = check.build / "capture/testing/capture_gpu"
    check.alone(driver, 1, 1)  # is there a GPU?
    subprocess.run([str(check.build / "tfprof-capture"), "doctor"], check=False)
    check.print_benchmarks()
    for name, options in (("driver", []), ("driver_nodes", ["--cuda-graph=node"]), ("driver_api", ["--api"])):
        check.check_known(name, driver, (3, 10), (20, 20000), options)
    check.check_steps("driver_steps", driver)
    check.check_steps("driver_steps_nodes", driver, ["--cuda-graph=node"])
    if shutil.which("nvcc"):
        runtime = check.scratch / "runtime"
        check.alone("nvcc", "-O2", "-o", runtime, PROGRAMS / "runtime_program.cu")
        for name, options in (("runtime", []), ("runtime_nodes", ["--cuda-graph=node"])):
            check.check_known(name, runtime, (3,), (200,), options)
        for part in (check.check_kill, check.check_levels, check.check_ring, check.check_ranks, check.check_control):
            part(runtime)
    if has_module("torch"):
        check.check_torch()
        check.check_python()
        check.check_window()
    if has_module("jax"):
        check.check_cost("jax", [sys.executable, PROGRAMS / "jax_program.py"])
    status = report(check)
    shutil.rmtree(check.scratch)
    return status


if __name__ == "__main__":
    os.environ.pop("TFPROF_CUPTI_LIB", None)
    sys.exit(main())
