#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes traces of many ranks from one of PyTorch: ranks_kineto.py IN.pt.trace.json[.gz] FOLDER RANKS [AHEAD_US]

Writes FOLDER/rankN.pt.trace.json, which differ in their rank, and in their clocks: that of rank N is N times AHEAD_US
(default 100) ahead, so that all collectives seem to end later there.
"""
import gzip
import pathlib
import re
import sys

INFO = re.compile(r'"distributedInfo": *\{')
BASE = re.compile(r'"baseTimeNanoseconds": *(\d+)')


def of_rank(head, rank, ranks, ahead_ns):
    """The members before the events, as another rank writes them."""
    if not INFO.search(head):
        sys.exit("the trace has no distributedInfo")
    head = re.sub(r'"rank": *\d+', f'"rank": {rank}', head, count=1)
    head = re.sub(r'"world_size": *\d+', f'"world_size": {ranks}', head, count=1)
    base = BASE.search(head)
    if base is None:
        return head.replace("{", f'{{"baseTimeNanoseconds": {ahead_ns},', 1)
    return head.replace(base[0], f'"baseTimeNanoseconds": {int(base[1]) + ahead_ns}')


def main(source, folder, ranks, ahead_us="100"):
    opened = gzip.open if source.endswith(".gz") else open
    with opened(source, "rt", errors="surrogateescape") as file:
        text = file.read()
    at = text.index('"traceEvents"')
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for rank in range(int(ranks)):
        with open(folder / f"rank{rank}.pt.trace.json", "w", errors="surrogateescape") as out:
            out.write(of_rank(text[:at], rank, int(ranks), rank * int(ahead_us) * 1000) + text[at:])


if __name__ == "__main__":
    main(*sys.argv[1:])
