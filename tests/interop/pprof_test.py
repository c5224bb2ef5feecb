#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pprof_test.py PROGRAM: what the real pprof says of the files of the command pprof.

Its -top, -tree and -peek have to show the numbers that the JSON of the same rows leads to. Needs
`go tool pprof` (section interop of the file deps); exit status 77, a skipped test, without it.
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "testdata/tensorflow"
SKIPPED = 77

# sample type, column, what a number of the column is of the type's unit, -unit
TYPES = [("time", "inclusive_us", 1000, "ns"), ("requested_bytes", "total_requested_bytes", 1, "B"),
         ("params", "total_params", 1, "count"), ("runs", "total_runs", 1, "count")]
ATTRIBUTE = {"time": "micros", "requested_bytes": "bytes", "params": "params", "runs": "occurrence"}
HEAD = re.compile(r"^-+\+-+$")
EDGE = re.compile(r"^ +(-?[\d.]+)\w* +[\d.]+% \|   (.*)$")
NODE = re.compile(r"^ *(-?[\d.]+)\w* +\S+% +\S+% +(-?[\d.]+)\w* +\S+%(?: +\| |  )(.*)$")


def output(command, **options):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True,
                          timeout=120, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def rows_of(program, files, view, kind, column, depth=256):
    columns = ["name", column] + (["source_file", "source_line", "function"] if view == "code" else [])
    if view == "code" and kind == "runs":
        columns.remove(column)  # the original has none in this view
    answer = output([program, *files, view, "-max_depth", depth, "-select", ATTRIBUTE[kind], "-format",
                     "json", "-columns", ",".join(columns)])
    return json.loads(answer)["tables"][view]["rows"]


def untraced(program, files, kind, column, rows):
    """What all operation types have and code has not: nodes without a trace."""
    whole = rows_of(program, files, "op", kind, column, 1000000)
    return sum(row[column] or 0 for row in whole) - (rows[0][column] or 0)


def frame_name(row):
    """As pprof prints a line of a function."""
    if row.get("parent", -1) is None:
        return "[not shown]"
    return f"{row['function']} {row['source_file']}:{row['source_line']}" if "function" in row else row["name"]


def expected(rows, column, factor):
    """(flat by name, cum by name, weight by (caller, callee)) of rows that add up."""
    own = [row[column] or 0 for row in rows]
    for row in rows:
        if row.get("parent") is not None:
            own[row["parent"]] -= row[column] or 0
    flat, cum, edges = (collections.Counter() for _ in range(3))
    for row, value in zip(rows, own):
        if value == 0:
            continue
        path = [row]  # the innermost first; the root is no frame
        while path[-1].get("parent"):
            path.append(rows[path[-1]["parent"]])
        names = [frame_name(one) for one in path]
        flat[names[0]] += value * factor
        for name in set(names):
            cum[name] += value * factor
        for pair in set(zip(names[1:], names)):
            edges[pair] += value * factor
    return flat, cum, edges


def pprof(file, kind, unit, *options):
    return output(["go", "tool", "pprof", "-symbolize=none", "-nodecount=0", "-nodefraction=0",
                   "-edgefraction=0", "-lines", f"-sample_index={kind}", f"-unit={unit}", *options,
                   file])


def in_top(text):
    flat, cum = {}, {}
    for line in text.split("\n"):
        match = NODE.match(line)
        if match:
            flat[match[3]], cum[match[3]] = int(match[1]), int(match[2])
    return flat, cum


def in_tree(text):
    """Blocks between rules: callers, the node, callees."""
    flat, cum, edges = {}, {}, {}
    for block in re.split(r"^-+\+-+$", text, flags=re.M):
        name, above = None, []
        for line in block.split("\n"):
            edge, node = EDGE.match(line), NODE.match(line)
            if edge and name is None:
                above.append((edge[2], int(edge[1])))
            elif edge:
                edges[name, edge[2]] = int(edge[1])
            elif node:
                name = node[3]
                flat[name], cum[name] = int(node[1]), int(node[2])
        for caller, weight in above:
            edges[caller, name] = weight
    return flat, cum, edges


def compare(what, wanted, got, slack=0):
    for key in sorted(set(wanted) | set(got), key=str):
        if abs(wanted.get(key, 0) - (got.get(key) or 0)) > slack:
            raise AssertionError(f"{what}: {key}: {wanted.get(key)} in JSON, {got.get(key)} in pprof")


def check(program, folder, files, view):
    file = folder / "out.pb.gz"
    output([program, *files, "pprof", file, "-view", view])
    checked = 0
    for kind, column, factor, unit in TYPES:
        rows = rows_of(program, files, view, kind, column)
        if not any(row.get(column) for row in rows):
            continue  # not recorded: no such sample type
        what = f"{files[0]} {view} {kind}"
        flat, cum, edges = expected(rows, column, factor)
        if view == "code":
            left = untraced(program, files, kind, column, rows) * factor
            flat["[untraced]"] += left
            cum["[untraced]"] += left
        # A mean over steps need not be whole; the file rounds each sample.
        slack = len(rows) / 2 if any((row[column] or 0) * factor % 1 for row in rows) else 0
        tree = in_tree(pprof(file, kind, unit, "-tree"))
        for part, wanted, got in zip(("flat", "cum", "edges"), (flat, cum, edges), tree):
            compare(f"{what}, {part} of -tree", wanted, got, slack)
        if kind == "time":
            top = in_top(pprof(file, kind, unit, "-top"))
            compare(f"{what}, flat of -top", flat, top[0], slack)
            compare(f"{what}, cum of -top", cum, top[1], slack)
            name = max(cum, key=lambda one: (cum[one], one))
            peek = in_tree(pprof(file, kind, unit, "-peek", "^" + re.escape(name.split(" ")[0])))
            compare(f"{what}, cum of -peek", {name: cum[name]}, {name: peek[1].get(name)}, slack)
        checked += 1
    return checked


def check_labels(program, folder):
    """Labels say what nodes cost: their values of one type add up to op's."""
    file, profile = folder / "labels.pb.gz", DATA / "two_devices/profile.pb"
    output([program, profile, "pprof", file, "-view", "scope"])
    answer = output([program, profile, "op", "-select", "micros", "-format", "json"])
    wanted = {row["name"]: row["time_us"] * 1000 for row in json.loads(answer)["tables"]["op"]["rows"] if row["time_us"]}
    tags = output(["go", "tool", "pprof", "-symbolize=none", "-sample_index=time", "-unit=ns", "-tags", file])
    got, key = {}, None
    for line in tags.split("\n"):
        head, tag = re.match(r"^ *(\w+): Total", line), re.match(r"^ *(\d+)(?:\.0)?ns +\([^)]*\): (.*)$", line)
        key = head[1] if head else key
        if tag and key == "op_type":
            got[tag[2]] = int(tag[1])
    compare("op_type of -tags", wanted, got, len(wanted) / 2)


def main():
    if shutil.which("go") is None or subprocess.run(["go", "tool", "pprof", "-h"],
                                                    capture_output=True).returncode not in (0, 2):
        print("skipped: `go tool pprof` is not installed (./dev deps interop)")
        return SKIPPED
    program = pathlib.Path(sys.argv[1]).resolve()
    checked = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in sorted(path for path in DATA.iterdir() if path.is_dir()):
            for view in ("code", "scope", "graph", "op"):
                checked += check(program, folder, [case / "profile.pb"], view)
        check_labels(program, folder)
    print(f"{checked} sample types agree with pprof")
    return 0 if checked else 1


if __name__ == "__main__":
    sys.exit(main())
