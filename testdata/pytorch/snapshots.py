#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small snapshots of an allocator in the forms that versions of PyTorch have: seeds of the fuzz target.

    python3 snapshots.py FOLDER
"""

import pathlib
import pickle
import sys

FRAMES = [{"filename": "/home/user/train.py", "line": 12, "name": "step"},
          {"filename": "/home/user/train.py", "line": 20, "name": "<module>"}]


def block(address, size, state, **more):
    return {"address": address, "size": size, "state": state, **more}


def entry(action, address, size, time_us, **more):
    return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": time_us, "frames": FRAMES, **more}


def segment(blocks, **more):
    return {"device": 0, "address": 4096, "total_size": sum(b["size"] for b in blocks), "stream": 0,
            "segment_type": "large", "blocks": blocks, **more}


NEW = {
    "segments": [segment([block(4096, 512, "active_allocated", requested_size=500, frames=FRAMES),
                          block(4608, 1024, "inactive", requested_size=0, frames=[])],
                         segment_pool_id=(0, 0), is_expandable=False)],
    "device_traces": [[entry("alloc", 4096, 500, 1000), entry("segment_alloc", 4096, 1536, 1001),
                       entry("free_completed", 8192, 100, 1002), entry("oom", None, 1 << 40, 1003, device_free=7)]],
    "external_annotations": [{"stage": "START", "name": "ProfilerStep#1", "device": 0, "time_us": 999},
                             {"stage": "END", "name": "ProfilerStep#1", "device": 0, "time_us": 1005}],
    "allocator_settings": {"garbage_collection_threshold": 0.0},
}
OLD = [segment([{"size": 512, "state": "active_allocated",
                 "history": [{"addr": 4096, "real_size": 500, "frames": FRAMES}]},
                {"size": 1024, "state": "inactive"}])]


def main(folder):
    for name, value, protocol in (("new", NEW, 4), ("framed", NEW, 5), ("old", OLD, 2), ("middle", NEW, 3)):
        (folder / f"{name}.pickle").write_bytes(pickle.dumps(value, protocol))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
