#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes copies.xplane.pb: copies of two GPUs beside and between kernels, from pageable and pinned
memory, and the calls in which a host waits for them, made up. The same bytes each time."""

from tensorflow.tsl.profiler.protobuf import xplane_pb2

from gpu_train import Plane

MIB = 1 << 20
KERNEL = b"regs:32 static_shared:0 dynamic_shared:0 grid:8,1,1 block:256,1,1"


def details(source, target, size):
    return f"kind_src:{source} kind_dst:{target} size:{size} dest:0 async:1"


def write_host(space):
    plane = Plane(space, "/host:CPU", 0)
    python = plane.line("python", 1)
    launcher = plane.line("tf_GPU_0", 2)
    for step in range(2):
        at = 200 * step
        plane.add(python, "train", at, 190, step_num=step, _r=1, group_id=step)
        plane.add(python, "$api.py:2743 block_until_ready", at + 100, 60, group_id=step)
        plane.add(python, "cuStreamSynchronize", at + 110, 45, group_id=step)
        plane.add(launcher, "GpuExecutable::Execute", at + 10, 150, group_id=step)
        plane.add(launcher, "cuEventSynchronize", at + 20, 5 + step, group_id=step)
        plane.add(launcher, "GpuStream::BlockHostUntilDone", at + 120, 30, group_id=step)
    plane.add(launcher, "KernelLaunch", 390, 2)


def write_gpu(space, number):
    plane = Plane(space, f"/device:GPU:{number}", number + 1)
    compute = plane.line("Stream #14(Compute)", 14)
    upload = plane.line("Stream #15(MemcpyH2D)", 15, late_ns=1_000)
    download = plane.line("Stream #16(MemcpyD2H)", 16)
    for step in range(2):
        at, group = 200 * step + number, {"group_id": step}
        source = "pageable" if number == 0 else "pinned"
        plane.add(upload, "MemcpyH2D", at + 20, 40 if number == 0 else 20,
                  memcpy_details=details(source, "device", MIB), **group)
        plane.add(compute, "gemm", at + 40, 30, kernel_details=KERNEL, **group)
        plane.add(compute, "relu", at + 75, 10, kernel_details=KERNEL, **group)
        plane.add(compute, "Memset", at + 90, 1, Memset_details="size:64", **group)
        plane.add(download, "MemcpyD2H", at + 80, 25,
                  memcpy_details=details("device", "pinned", 4096 + 4096 * step), **group)
        plane.add(download, "MemcpyP2P", at + 110, 8,
                  memcpy_details=details("device", "device", MIB), tf_op=b"send:Send", **group)
    plane.add(download, "Event Sync", 410, 12)


def main():
    space = xplane_pb2.XSpace()
    write_host(space)
    write_gpu(space, 0)
    write_gpu(space, 1)
    with open("copies.xplane.pb", "wb") as out:
        out.write(space.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
