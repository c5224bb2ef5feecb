#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tpu_offload.xplane.pb: a TPU that keeps weights in the memory of its host, takes input from
there and hands results back, made up. The same bytes each time."""

from tensorflow.tsl.profiler.protobuf import xplane_pb2

from gpu_train import Plane

ARRAY = "f32[1024,256]{1,0:T(8,128)}"  # 1 MiB
ON_HOST = "f32[1024,256]{1,0:T(8,128)S(5)}"
INSTRUCTIONS = [  # start and duration in us, name, category, text behind " = "
    (0, 10, "infeed.1", "infeed",
     f"(({ARRAY}), token[]{{:S(2)}}) infeed(token[] %after-all)"),
    (12, 0.01, "copy-start.2", "copy-start",
     f"({ARRAY}, {ON_HOST}, u32[]{{:S(2)}}) copy-start({ON_HOST} %weights)"),
    (13, 30, "fusion.3", "loop fusion", f"{ARRAY} fusion({ARRAY} %x), kind=kLoop"),
    (43, 20, "copy-done.4", "copy-done",
     f"{ARRAY} copy-done(({ARRAY}, {ON_HOST}, u32[]{{:S(2)}}) %copy-start.2)"),
    (64, 5, "copy.5", "data formatting", f"{ARRAY} copy({ARRAY} %copy-done.4)"),
    (70, 20, "dot.6", "convolution", f"{ARRAY} dot({ARRAY} %copy.5, {ARRAY} %fusion.3)"),
    (91, 0.01, "copy-start.7", "copy-start",
     f"({ON_HOST}, {ARRAY}, u32[]{{:S(2)}}) copy-start({ARRAY} %dot.6)"),
    (92, 8, "outfeed.8", "outfeed", f"token[] outfeed({ARRAY} %dot.6, token[] %infeed.1)"),
    (100, 15, "copy-done.9", "copy-done",
     f"{ON_HOST} copy-done(({ON_HOST}, {ARRAY}, u32[]{{:S(2)}}) %copy-start.7)"),
]


def main():
    space = xplane_pb2.XSpace()
    plane = Plane(space, "/device:TPU:0", 1)
    steps = plane.line("Steps", 1)
    ops = plane.line("XLA Ops", 3)
    for step in range(2):
        at = 1000 * step
        plane.add(steps, str(step), at, 120, step_num=step, group_id=step)
        for start, us, name, category, text in INSTRUCTIONS:
            plane.add(ops, f"%{name} = {text}", at + start, us, display=name, group_id=step,
                      hlo_category=category.encode())
    plane.add(ops, f"%copy-start.2 = {INSTRUCTIONS[1][4]}", 2000, 0.01)  # the trace ends here
    with open("tpu_offload.xplane.pb", "wb") as out:
        out.write(space.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
