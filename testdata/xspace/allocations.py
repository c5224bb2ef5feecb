#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes allocations.xplane.pb: what the allocators of two GPUs record of two steps on two threads
whose lines begin at different times, made up. The same bytes each time."""

from tensorflow.tsl.profiler.protobuf import xplane_pb2

from gpu_train import Plane

MIB = 1 << 20
CAPACITY = 1024 * MIB
FLOAT, INT64, HALF = 1, 9, 19


class Allocator:
    """Counts what it gave out, as the BFC allocator of TensorFlow does."""

    def __init__(self, plane, name, held, **stats):
        self.plane, self.name, self.held, self.most, self.stats = plane, name, held, held, stats
        self.live = {}

    def record(self, line, what, at_us, address, size, **stats):
        self.most = max(self.most, self.held)
        reserved = self.stats.get("bytes_reserved", 0)
        self.plane.add(line, what, at_us, 0, **self.name, bytes_reserved=reserved,
                       bytes_allocated=self.held, bytes_available=CAPACITY - self.held - reserved,
                       fragmentation=0.125 if self.held > 100 * MIB else 0,
                       peak_bytes_in_use=self.most, allocation_bytes=size,
                       requested_bytes=size - 100, addr=address, **stats)

    def give(self, line, at_us, address, size, op, region, dtype, shape, **stats):
        self.held += size
        self.live[address] = size
        self.record(line, "MemoryAllocation", at_us, address, size, tf_op=op, region_type=region,
                    data_type=dtype, shape=shape, **stats)

    def free(self, line, at_us, address, **stats):
        size = self.live.pop(address, 8 * MIB)
        self.held -= size
        self.record(line, "MemoryDeallocation", at_us, address, size, **stats)


def main():
    space = xplane_pb2.XSpace()
    plane = Plane(space, "/host:CPU", 0)
    main_line = plane.line("python", 1)
    launcher = plane.line("tf_GPU_0", 2, late_ns=40_000)
    first = Allocator(plane, {"allocator_name": b"GPU_0_bfc"}, 64 * MIB)
    for step in range(2):
        at = 100 * step
        group = {"group_id": step}
        first.give(main_line, at + 50, 0x1000, 8 * MIB, b"model/embed/Gather", b"output", INT64,
                   "[1024,1024]", **group)
        for i in range(2 + step):
            first.give(launcher, at + 60 + i, 0x20000 + 0x1000 * i, 16 * MIB,
                       b"model/dense/MatMul", b"temp", HALF, "[4096,2048]", **group)
        first.give(main_line, at + 70, 0x3000, 4 * MIB, b"model/loss/Sum", b"output", FLOAT,
                   "[1048576]", **group)
        for i in range(2 + step):
            first.free(launcher, at + 80 + i, 0x20000 + 0x1000 * i, **group)
        first.free(main_line, at + 90, 0x1000, **group)
    first.free(main_line, 195, 0x9000)  # was allocated before the profile
    second = Allocator(plane, {"index_on_host": 1}, 0, bytes_reserved=2 * MIB)
    second.give(main_line, 20, 0x7000, MIB, b"", b"", FLOAT, "[]")
    with open("allocations.xplane.pb", "wb") as out:
        out.write(space.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
