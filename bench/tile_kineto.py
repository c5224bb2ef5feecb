#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a long trace from a short one of PyTorch: tile_kineto.py IN.pt.trace.json[.gz] OUT.json TIMES

Repeats all events but those of metadata, shifted each time by the length of the trace. Numbers that link events
(correlation, External id, flows, sequence numbers) and those of steps continue.
"""
import decimal
import gzip
import json
import re
import sys

COUNTED = ("correlation", "External id", "Ev Idx", "Python id", "Python parent id", "Sequence number",
           "Fwd thread id and seq")
STEP = re.compile(r"^(ProfilerStep#)(\d+)$")
Exact = decimal.Decimal  # of times: a double has too few digits


def length(events):
    times = [(event["ts"], event["ts"] + event.get("dur", 0)) for event in events if "ts" in event]
    return max(end for _, end in times) - min(start for start, _ in times) + 100


def span(events, value_of):
    """How much a number of events grows from one copy to the next."""
    numbers = [number for number in map(value_of, events) if isinstance(number, int) and number >= 0]
    return max(numbers, default=0) + 1


def number_of(key):
    return lambda event: event.get("args", {}).get(key)


def step_of(event):
    found = STEP.match(event.get("name", ""))
    return int(found[2]) if found else None


def shifted(event, times, by):
    copy = dict(event, ts=event["ts"] + times * by["ts"])
    if "id" in copy and isinstance(copy["id"], int):
        copy["id"] += times * by["id"]
    step = step_of(event)
    if step is not None:
        copy["name"] = f"ProfilerStep#{step + times * by['step']}"
    if "args" in copy:
        copy["args"] = {key: value + times * by[key] if key in by and isinstance(value, int) and value >= 0 else value
                        for key, value in copy["args"].items()}
    return copy


def text(event):
    """As JSON; times keep their digits."""
    numbers = {key: str(event[key]) for key in ("ts", "dur") if isinstance(event.get(key), Exact)}
    marked = json.dumps(dict(event, **{key: f"@{value}@" for key, value in numbers.items()}), default=float)
    return re.sub(r'"@([-0-9.E+]+)@"', r"\1", marked)


def main(source, target, count):
    opened = gzip.open if source.endswith(".gz") else open
    with opened(source, "rt") as file:
        trace = json.load(file, parse_float=Exact)
    events = trace.pop("traceEvents")
    meta = [event for event in events if event.get("ph") == "M" or "ts" not in event]
    timed = [event for event in events if event.get("ph") != "M" and "ts" in event]
    by = {key: span(timed, number_of(key)) for key in COUNTED}
    by.update(ts=length(timed), id=span(timed, lambda event: event.get("id")), step=span(timed, step_of))
    with open(target, "w") as out:
        head = json.dumps(trace, default=float, indent=2)
        out.write(head[:-2] + ',\n  "traceEvents": [\n')
        out.write(",\n".join(map(text, meta)))
        for times in range(int(count)):
            for event in timed:
                out.write(",\n" + text(shifted(event, times, by)))
        out.write("\n]}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
