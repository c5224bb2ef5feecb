#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python_calls.xplane.pb: what the tracer of Python records around operations, launches and
work that is handed to a thread pool, made up. The same bytes each time."""

from tensorflow.tsl.profiler.protobuf import xplane_pb2

from gpu_train import Plane

KERNEL = b"regs:32 static_shared:0 dynamic_shared:0 grid:8,1,1 block:256,1,1"
POOL = 15  # what is handed over
TRAIN, EVALUATE = 0, 500  # us


def write_python(plane):
    line = plane.line("python", 4711)
    plane.add(line, "$train.py:40 main", 0, 900)
    for at, function in (TRAIN, "$train.py:20 train_step"), (EVALUATE, "$train.py:30 evaluate"):
        plane.add(line, function, at + 10, 380)
        plane.add(line, "$<frozen importlib._bootstrap>:1053 _handle_fromlist", at + 12, 5)
        plane.add(line, "$layers.py:7 __call__", at + 20, 100)
        plane.add(line, "dense/MatMul:MatMul", at + 30, 60)
        plane.add(line, "cuLaunchKernel", at + 40, 8, correlation_id=at + 1)
        plane.add(line, "$builtins len", at + 92, 2)
        plane.add(line, "dense/BiasAdd:BiasAdd", at + 95, 20)
        plane.add(line, "cuLaunchKernel", at + 100, 6, correlation_id=at + 2)
        plane.add(line, "ThreadpoolListener::Record", at + 130, 0, _pt=POOL, _p=at)
        plane.add(line, "$pjit.py:300 call", at + 150, 200)
        plane.add(line, "loop_add_fusion", at + 160, 60)
    plane.add(line, "no_python/Identity:Identity", 950, 10)


def write_pool(plane):
    pool = plane.line("tf_pool", 4712)
    for at in TRAIN, EVALUATE:
        plane.add(pool, "ThreadpoolListener::StartRegion", at + 200, 0, _ct=POOL, _c=at)
        plane.add(pool, "input/Cast:Cast", at + 210, 30)
        plane.add(pool, "ThreadpoolListener::StopRegion", at + 250, 0)


def write_driver(plane):
    driver = plane.line("Driver", 4713)
    for at in TRAIN, EVALUATE:
        plane.add(driver, "cuLaunchKernel", at + 170, 5, correlation_id=at + 3)


def write_gpu(space):
    plane = Plane(space, "/device:GPU:0", 1)
    stream = plane.line("Stream #14(Compute)", 14)
    for at in TRAIN, EVALUATE:
        plane.add(stream, "gemm", at + 60, 80, kernel_details=KERNEL, correlation_id=at + 1,
                  tf_op=b"dense/MatMul:MatMul")
        plane.add(stream, "bias", at + 145, 12, kernel_details=KERNEL, correlation_id=at + 2,
                  tf_op=b"dense/BiasAdd:BiasAdd")
        plane.add(stream, "loop_add_fusion", at + 180, 25, kernel_details=KERNEL,
                  correlation_id=at + 3, hlo_op=b"loop_add_fusion", hlo_module=b"jit_add",
                  program_id=7)
    plane.add(stream, "launched by nobody", 990, 3, kernel_details=KERNEL)


def main():
    space = xplane_pb2.XSpace()
    host = Plane(space, "/host:CPU", 0)
    write_python(host)
    write_pool(host)
    write_driver(host)
    write_gpu(space)
    with open("python_calls.xplane.pb", "wb") as out:
        out.write(space.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
