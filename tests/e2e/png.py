# SPDX-License-Identifier: Apache-2.0
"""Pictures of 8 bits a channel, read with the standard library."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def unfiltered(lines, width, step):
    """The bytes of the lines, whose first bytes name their filters (PNG, chapter 9)."""
    above, size = bytearray(width * step), width * step + 1
    for start in range(0, len(lines), size):
        kind, line = lines[start], bytearray(lines[start + 1:start + size])
        if kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, above))
        elif kind:
            for i, byte in enumerate(line):
                left, corner = (line[i - step], above[i - step]) if i >= step else (0, 0)
                if kind == 1:
                    near = left
                elif kind == 3:
                    near = (left + above[i]) // 2
                else:
                    by = [abs(above[i] - corner), abs(left - corner), abs(left + above[i] - 2 * corner)]
                    near = (left, above[i], corner)[by.index(min(by))]
                line[i] = (byte + near) & 255
        yield line
        above = line


def read(data):
    """(width, height, rows): each row a list of (red, green, blue)."""
    assert data.startswith(SIGNATURE)
    body = b""
    for kind, content in chunks(data):
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", content[:10])
            assert depth == 8 and color in (2, 6), (depth, color)
        if kind == b"IDAT":
            body += content
    step = 3 if color == 2 else 4
    rows = [[tuple(line[i:i + 3]) for i in range(0, len(line), step)] for line in unfiltered(zlib.decompress(body), width, step)]
    return width, height, rows
