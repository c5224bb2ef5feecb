#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what `timeline` writes as viewers of Chrome traces read it: timeline_test.py TFPROF

Every event belongs to a named process and thread; spans of a thread come by time and nest or follow
each other; arrows leave one span and arrive at the start of another; no execution is missing. Of
traces with planes, streams may overlap; their steps and memory are those of `steps` and `memory`.
"""
import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = TOP / "testdata" / "tensorflow"
INPUTS = [[DATA / name / "profile.pb"] for name in ("convnet", "mnist_softmax", "rnn_while",
                                                     "two_devices")]
INPUTS += [[DATA / name / "graph.pb", *sorted((DATA / name).glob("run_meta_*"))]
           for name in ("convnet", "rnn_while", "two_devices")]
XSPACE = TOP / "testdata" / "xspace"
TRACES = [XSPACE / name for name in ("gpu_train.xplane.pb", "allocations.xplane.pb",
                                     "jax_loop.xplane.pb", "keras_fit")]
EPSILON = 1e-6  # us


def write(program, inputs, out, *options):
    """The trace, and the number of executions that the program says it wrote."""
    done = subprocess.run([program, *inputs, "timeline", out, *options], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = gzip.open(out).read() if str(out).endswith(".gz") else out.read_bytes()
    told = int(re.search(r": (\d+) executions?,", done.stderr).group(1))
    return json.loads(text.decode("utf-8")), told


def check_names(events):
    processes = {e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    threads = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    for event in events:
        assert event["pid"] in processes, event
        if event["ph"] in "Xsf":
            assert (event["pid"], event["tid"]) in threads, event


def spans_by_thread(events):
    threads = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            assert event["ts"] >= 0 and event["dur"] >= 0, event
            threads[event["pid"], event["tid"]].append(event)
    return threads


def check_nesting(threads):
    for spans in threads.values():
        assert all(a["ts"] <= b["ts"] for a, b in zip(spans, spans[1:])), "not by time"
        ends = []
        for span in spans:
            while ends and ends[-1] <= span["ts"] + EPSILON:
                ends.pop()
            end = span["ts"] + span["dur"]
            assert not ends or end <= ends[-1] + EPSILON, f"overlaps without nesting: {span}"
            ends.append(end)


def check_arrows(events, threads):
    ends = collections.defaultdict(list)
    for event in events:
        if event["ph"] in "sf":
            ends[event["id"]].append(event)
    for pair in ends.values():
        assert [e["ph"] for e in pair] == ["s", "f"], pair
        start, finish = pair
        assert start["ts"] <= finish["ts"], pair
        assert any(span["ts"] <= start["ts"] <= span["ts"] + span["dur"]
                   for span in threads[start["pid"], start["tid"]]), start
        assert any(span["ts"] == finish["ts"] for span in threads[finish["pid"], finish["tid"]])
    return len(ends)


def check_counters(events):
    last = {}
    for event in events:
        if event["ph"] == "C":
            key = event["pid"], event["name"]
            assert event["ts"] >= last.get(key, 0), event
            assert isinstance(event["args"]["bytes"], int)
            last[key] = event["ts"]


def check(trace, told):
    events = trace["traceEvents"]
    check_names(events)
    threads = spans_by_thread(events)
    check_nesting(threads)
    check_counters(events)
    steps = {e["pid"] for e in events if e["ph"] == "M" and e["args"].get("name") == "steps"}
    executions = sum(len(spans) for (pid, _), spans in threads.items() if pid not in steps)
    assert executions == told
    return executions, check_arrows(events, threads)


def rows_of(program, trace, *question):
    done = subprocess.run([program, trace, *question, "-format", "json"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=True)
    return {name: table["rows"] for name, table in json.loads(done.stdout)["tables"].items()}


def check_trace(program, source, out, step=()):
    """The steps and memory values that a trace of planes has."""
    trace, told = write(program, [source], out, *step)
    events = trace["traceEvents"]
    check_names(events)
    check_counters(events)
    threads = spans_by_thread(events)
    check_arrows(events, threads)
    drawn = {e["pid"] for e in events if e["ph"] == "M" and e["args"].get("name") == "steps"}
    spans = [e for (pid, _), of in threads.items() if pid in drawn for e in of]
    steps = rows_of(program, source, "steps", *step)["steps"]
    assert sorted((e["name"], round(e["dur"] * 1e6)) for e in spans) == sorted(
        (f"step {row['step']}", round(row["duration_us"] * 1e6)) for row in steps), source
    memory = rows_of(program, source, "memory", *step)["timeline"]
    in_use = [e["args"]["bytes"] for e in events if e["ph"] == "C"]
    assert sorted(in_use) == sorted(
        row["in_use_bytes"] for row in memory if row["in_use_bytes"] is not None), source
    if not step:
        lines = rows_of(program, source, "planes")["lines"]
        assert told == sum(row["events"] - row["aggregated"] for row in lines), source
    return len(spans), len(in_use)


def all_events(program, inputs):
    """How many events the profile has, as `info` tells, and how many of them have no time."""
    done = subprocess.run([program, *inputs, "info", "-format", "json"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=True)
    devices = json.loads(done.stdout)["tables"]["devices"]["rows"]
    return sum(row["count"] for row in devices), sum(row["unplaced"] for row in devices)


def main(program):
    arrows_seen = 0
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "trace.json"
        for inputs in INPUTS:
            trace, told = write(program, inputs, out)
            executions, arrows = check(trace, told)
            records, unplaced = all_events(program, inputs)
            assert executions == records - unplaced, f"{inputs}: {executions} of {records}"
            arrows_seen += arrows
            packed, _ = write(program, inputs, pathlib.Path(folder) / "trace.json.gz")
            assert packed == trace
            some, told_some = write(program, inputs, out, "-step", "0", "-min_micros", "2")
            assert 0 < check(some, told_some)[0] < executions
        found = [check_trace(program, source, out) for source in TRACES]
        assert found[0][0] > 1 and found[1][1] > 1 and found[2][0] > 1
        assert check_trace(program, TRACES[0], out, ("-step", "1")) == (1, 1)
    assert arrows_seen > 100
    print("timelines are sound")


if __name__ == "__main__":
    main(sys.argv[1])
