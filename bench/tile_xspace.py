#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a long trace from a short one: tile_xspace.py IN.xplane.pb OUT.xplane.pb TIMES

Repeats the events of every line, shifted each time by the length of the trace. Numbers that link
events or count steps continue as well. Planes, lines and names stay unchanged.
"""
import sys

COUNTED = {b'correlation_id', b'group_id', b'step_num', b'iter_num', b'_p', b'_c', b'run_id'}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def written(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    """(number, type, value, bytes of the whole field) for each field of a message."""
    at = 0
    while at < len(data):
        begin = at
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        yield tag >> 3, kind, value, data[begin:at]


def message(number, parts):
    body = b''.join(parts)
    return written(number << 3 | 2) + written(len(body)) + body


def number(field, value):
    return written(field << 3) + written(value)


def first(data, wanted, default):
    return next((value for field, _, value, _ in fields(data) if field == wanted), default)


class Event:
    """An event in pieces: constant bytes, and (field, value, increment per repetition)."""

    def __init__(self, data, counted, most):
        self.offset = self.duration = 0
        self.head, self.tail, self.stats = [], [], []
        for field, kind, value, raw in fields(data):
            if field == 2 and kind == 0:
                self.offset = value
            elif field == 4 and kind == 2 and first(value, 1, 0) in counted:
                self.add_stat(value, counted, most)
            else:
                self.duration = value if field == 3 else self.duration
                (self.tail if field > 2 else self.head).append(raw)

    def add_stat(self, data, counted, most):
        key = first(data, 1, 0)
        for field, kind, value, _ in fields(data):
            if field in (3, 4) and kind == 0:
                self.stats.append((counted[key], key, field, value))
                most[counted[key]] = max(most.get(counted[key], 0), value)

    def bytes_at(self, time, span_ps, most):
        parts = self.head + [number(2, self.offset + time * span_ps)] + self.tail
        for name, key, field, value in self.stats:
            shifted = value + time * (most[name] + 1)
            parts.append(message(4, [number(1, key), number(field, shifted)]))
        return message(4, parts)


def read_line(data, counted, most):
    rest, events, start_ns = [], [], 0
    for field, kind, value, raw in fields(data):
        if field == 4 and kind == 2:
            events.append(Event(value, counted, most))
            continue
        start_ns = value if field == 3 else start_ns
        rest.append(raw)
    return rest, events, start_ns


def read_plane(data, most):
    parts = list(fields(data))
    counted = {}
    for field, _, value, _ in parts:
        if field == 5:
            name = first(first(value, 2, b''), 2, b'')
            if name in COUNTED:
                counted[first(value, 1, 0)] = name
    lines = [read_line(value, counted, most) for field, _, value, _ in parts if field == 3]
    return [raw for field, _, _, raw in parts if field != 3], lines


def main():
    source, target, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
    most, planes, rest = {}, [], []
    with open(source, 'rb') as file:
        for field, _, value, raw in fields(file.read()):
            if field == 1:
                planes.append(read_plane(value, most))
            else:
                rest.append(raw)
    starts = [start for _, lines in planes for _, events, start in lines if events]
    ends = [start * 1000 + event.offset + event.duration
            for _, lines in planes for _, events, start in lines for event in events]
    span_ps = max(ends) - min(starts) * 1000
    with open(target, 'wb') as file:
        for others, lines in planes:
            tiled = [message(3, head + [event.bytes_at(time, span_ps, most)
                                        for time in range(times) for event in events])
                     for head, events, _ in lines]
            file.write(message(1, others + tiled))
        file.write(b''.join(rest))


main()
