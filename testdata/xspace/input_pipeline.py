#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes input_pipeline.xplane.pb: what tf.data records of a pipeline whose Map is slow, one that
only brings its elements onto a device, and a fast one, made up. The same bytes each time."""

from tensorflow.tsl.profiler.protobuf import xplane_pb2

from gpu_train import Plane

BIG = (1 << 63) + 77  # numbers of iterators use all 64 bits


def slow_pipeline(plane, program, worker):
    """Root <- Prefetch, which takes what a thread of its own has made: Map <- TFRecord."""
    for i, (wait_us, map_us) in enumerate([(40, 30), (400, 390), (90, 60)]):
        at = 200 + 1000 * i
        plane.add(program, "Iterator::Root", at, wait_us, id=BIG)
        plane.add(program, "Iterator::Root::Prefetch", at + 1, wait_us - 2, id=2, parent_id=BIG)
        plane.add(program, "PrefetchConsume", at + wait_us - 3, 1, element_id=i)
        made = at + wait_us - 4 - map_us
        if i == 0:
            made -= 100  # was ready before it was asked for
        plane.add(worker, "PrefetchProduce", made - 1, map_us + 2, element_id=i)
        plane.add(worker, "Iterator::Root::Prefetch::Map", made, map_us, id=3, parent_id=2)
        plane.add(worker, "Iterator::Root::Prefetch::Map::TFRecord", made + 1, map_us / 4, id=4,
                  parent_id=3)
        plane.add(worker, "ParseExample", made + map_us / 2, map_us / 4)


def device_pipeline(plane, program):
    for i in range(2):
        at = 500 + 1000 * i
        plane.add(program, "Iterator::Prefetch", at, 80, id=10)
        plane.add(program, "Iterator::Prefetch::Generator", at + 5, 70, id=11, parent_id=10)


def fast_pipeline(plane, program):
    plane.add(program, "Iterator::BatchV2", 700, 20, id=20)
    for i in range(4):
        plane.add(program, "Iterator::BatchV2::Range", 701 + 3 * i, 1, id=21, parent_id=20)


def main():
    space = xplane_pb2.XSpace()
    space.hostnames.append("trainer-0")
    plane = Plane(space, "/host:CPU", 0)
    program = plane.line("python", 1)
    worker = plane.line("tf_data_private_threadpool", 2, late_ns=-3_000)
    slow_pipeline(plane, program, worker)
    device_pipeline(plane, program)
    fast_pipeline(plane, program)
    with open("input_pipeline.xplane.pb", "wb") as out:
        out.write(space.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
