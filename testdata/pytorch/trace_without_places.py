#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies a trace that tfprof-capture made on this machine, without names of the machine and its folders. Needs
TensorFlow, for its messages.

    trace_without_places.py IN.xplane.pb OUT.xplane.pb.gz
"""

import gzip
import pathlib
import re
import sys

from tensorflow.tsl.profiler.protobuf import xplane_pb2


def name_without_places(name):
    """Python says a file by its path: packages stay what they are, and others lose their folders."""
    name = re.sub(r"^\$/\S*/site-packages/", "$/venv/lib/python3/site-packages/", name)
    return re.sub(r"^\$/(?!venv/)\S*/", "$", name)


def without_places(data, host="trainer"):
    space = xplane_pb2.XSpace.FromString(data)
    for plane in space.planes:
        for event in plane.event_metadata.values():
            event.name = name_without_places(event.name)
    space.hostnames[:] = [host]
    return gzip.compress(space.SerializeToString(deterministic=True), mtime=0)


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_bytes(without_places(pathlib.Path(sys.argv[1]).read_bytes()))
