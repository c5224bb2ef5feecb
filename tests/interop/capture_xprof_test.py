#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""capture_xprof_test.py TFPROF_CAPTURE PROGRAMS: XProf opens what tfprof-capture writes, with its numbers.

Skipped unless the package `xprof` is installed."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

STEPS = 20


def capture(program, programs, folder):
    env = {**os.environ, "TFPROF_CUPTI_LIB": str(programs / "fakes/libcupti.so.13")}
    subprocess.run([program, "-o", folder / "out", "--", programs / "capture_train", str(STEPS)], env=env,
                   check=True, stdout=subprocess.DEVNULL)
    run = folder / "plugins/profile/run"
    run.mkdir(parents=True)
    return shutil.copy(next((folder / "out").glob("*.xplane.pb")), run / "host.xplane.pb")


def tables(path, tool):
    from xprof.convert import raw_to_tool_data
    made, _ = raw_to_tool_data.xspace_to_tool_data([str(path)], tool, {"host": "host"})
    made = json.loads(made)
    return made if isinstance(made, list) else [made]


def rows(table):
    names = [column["id"] for column in table["cols"]]
    return [dict(zip(names, [cell["v"] for cell in row["c"]])) for row in table["rows"]]


def main():
    program, programs = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    try:
        import xprof.convert.raw_to_tool_data  # noqa: F401
    except ImportError:
        print("xprof is not installed")
        return 77
    with tempfile.TemporaryDirectory() as name:
        path = capture(program, programs, pathlib.Path(name))
        kernels = {(row["op_name"], row["kernel_name"].split("<")[0]): row
                   for row in rows(tables(path, "kernel_stats")[0])}
        dense = kernels["forward/dense/gemm", "void gpu::gemm"]
        assert (dense["occurrences"], dense["total_duration_us"]) == (STEPS, 20 * STEPS), dense
        backward = kernels["backward/gemm", "void gpu::gemm"]
        assert (backward["occurrences"], backward["total_duration_us"]) == (STEPS, 30 * STEPS), backward
        assert backward["registers_per_thread"] == 32 and backward["grid_dim"] == "64,1,1", backward
        # XProf drops the first and the last step if they look incomplete.
        times = next(t for t in tables(path, "input_pipeline_analyzer") if "steptime_ms_average" in t.get("p", {}))
        assert STEPS - 2 <= len(times["rows"]) <= STEPS, len(times["rows"])
        memory = tables(path, "memory_profile")[0]["memoryProfilePerAllocator"]["GPU_0_cuda"]
        assert memory["profileSummary"]["peakBytesUsageLifetime"] == str(80 << 20), memory["profileSummary"]
    return 0


if __name__ == "__main__":
    sys.exit(main())
