#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes test data of a spool: without names of the machine and its folders, in gzip if OUT ends with .gz.

    spool_without_places.py SPOOL OUT"""

import gzip
import pathlib
import struct
import sys

NAME, INFO = 1, 2  # RecordKind::name, info


def checksum(head, records):
    """BlockChecksum of capture/spool/format.h."""
    magic, size, thread, sequence = head
    multiplier, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    total = ((size << 32 | magic) * multiplier) & mask
    total = ((total ^ (thread << 32 | sequence)) * multiplier) & mask
    for (word,) in struct.iter_unpack("<Q", records):
        total = ((total ^ word ^ total >> 29) * multiplier) & mask
    return total ^ total >> 32


def name_without_places(name):
    """Python says a file by its path: packages stay what they are, and others lose their folders."""
    if not name.startswith(b"/"):
        return name
    _, packages, rest = name.partition(b"/site-packages/")
    return b"/venv/lib/python3/site-packages/" + rest if packages else name.rpartition(b"/")[2]


def info_without_places(info):
    key, _, value = info.partition(b"=")
    if key in (b"exe", b"args", b"cupti.path"):
        value = value.rpartition(b"/")[2]
    return key + b"=" + (b"gpu-host" if key == b"host" else value)


def without_places(spool):
    """The bytes of a spool, without names of the machine and its folders."""
    out = b""
    while spool:
        magic, size, thread, sequence, _ = struct.unpack_from("<IIIIQ", spool)
        records, spool = spool[24:24 + size], spool[24 + size:]
        kept = b""
        while records:
            kind, length, number = struct.unpack_from("<HHI", records)
            record, records = records[:length], records[length:]
            if kind in (NAME, INFO):
                change = info_without_places if kind == INFO else name_without_places
                text = change(record[8:].rstrip(b"\0"))
                length = (8 + len(text) + 8) // 8 * 8
                record = struct.pack("<HHI", kind, length, number) + text.ljust(length - 8, b"\0")
            kept += record
        head = (magic, len(kept), thread, sequence)
        out += struct.pack("<IIIIQ", *head, checksum(head, kept)) + kept
    return out


if __name__ == "__main__":
    data = without_places(pathlib.Path(sys.argv[1]).read_bytes())
    packed = gzip.compress(data, mtime=0) if sys.argv[2].endswith(".gz") else data
    pathlib.Path(sys.argv[2]).write_bytes(packed)
