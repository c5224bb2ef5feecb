#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes gpu_train.xplane.pb: what the profiler of TensorFlow 2 records of four training steps on
two GPUs, made up with its own schema, since no GPU is needed for that. The same bytes each time."""

from tensorflow.tsl.profiler.protobuf import xplane_pb2

START_NS = 1_700_000_000_000_000_000
US = 1_000_000  # ps
STEPS = 4
STEP_US = 1000
DERIVED = 0xDEADBEEF - (1 << 32)


class Plane:
    """A plane whose names and attributes get their numbers when they are first used."""

    def __init__(self, space, name, number):
        self.plane = space.planes.add(name=name, id=number)
        self.events, self.keys = {}, {}

    def event_id(self, name, display=""):
        if name not in self.events:
            number = self.events[name] = len(self.events) + 1
            metadata = self.plane.event_metadata[number]
            metadata.id, metadata.name, metadata.display_name = number, name, display
        return self.events[name]

    def key(self, name):
        if name not in self.keys:
            number = self.keys[name] = len(self.keys) + 1
            self.plane.stat_metadata[number].id = number
            self.plane.stat_metadata[number].name = name
        return self.keys[name]

    def set(self, stats, key, value):
        stat = stats.add(metadata_id=self.key(key))
        if isinstance(value, bytes):
            stat.ref_value = self.key(value.decode())  # texts that repeat are kept once
        elif isinstance(value, str):
            stat.str_value = value
        elif isinstance(value, float):
            stat.double_value = value
        elif value >= 1 << 63:
            stat.uint64_value = value
        else:
            stat.int64_value = value

    def line(self, name, number, late_ns=0, display=""):
        return self.plane.lines.add(
            name=name, id=number, timestamp_ns=START_NS + late_ns, display_name=display)

    def add(self, line, name, start_us, us, display="", **stats):
        offset = round(start_us * US) - (line.timestamp_ns - START_NS) * 1000
        event = line.events.add(
            metadata_id=self.event_id(name, display), offset_ps=offset, duration_ps=round(us * US))
        for key, value in stats.items():
            self.set(event.stats, key, value)
        return event


KERNELS = [  # name, operation, us, launch parameters
    ("volta_sgemm_128x64_nn", b"model/dense/MatMul:MatMul", 180.0,
     b"regs:122 static_shared:24576 dynamic_shared:0 grid:16,4,1 block:128,1,1 occ_pct:25"),
    ("volta_fp16_s884gemm_fp16_128x128", b"model/dense_1/MatMul:MatMul", 90.5,
     b"regs:96 static_shared:16384 dynamic_shared:4096 grid:8,8,1 block:256,1,1 occ_pct:31.25"),
    ("void BiasNHWCKernel<float>", b"model/dense/BiasAdd:BiasAdd", 12.25,
     b"regs:16 static_shared:0 dynamic_shared:0 grid:40,1,1 block:1024,1,1 occ_pct:100"),
    ("ncclAllReduceRingLLKernel_sum_f32", b"CollectiveReduce:CollectiveReduceV2", 60.0,
     b"regs:96 static_shared:0 dynamic_shared:0 grid:2,1,1 block:512,1,1 occ_pct:50"),
    ("void ApplyAdam<float>", b"Adam/ApplyAdam:ResourceApplyAdam", 25.0,
     b"regs:32 static_shared:0 dynamic_shared:0 grid:80,1,1 block:256,1,1 occ_pct:100"),
]


def write_host(space):
    plane = Plane(space, "/host:CPU", 0)
    main = plane.line("python", 4711)
    worker = plane.line("tf_data_private_threadpool", 4712, late_ns=5_000)
    launcher = plane.line("tf_GPU_0", -17, late_ns=1_000, display="GPU launcher")
    for step in range(STEPS):
        at = step * STEP_US
        plane.add(main, "train", at + 5, STEP_US - 10, step_num=step, _r=1, group_id=step)
        plane.add(main, "IteratorGetNextOp::DoCompute", at + 10, 200 if step == 2 else 40,
                  group_id=step, iter_num=step, id=(1 << 63) + 9)
        plane.add(worker, "Iterator::Prefetch::Generator", at + 20, 30, group_id=step)
        plane.add(launcher, "FunctionRun", at + 240, 400, group_id=step)
        for i in range(len(KERNELS)):
            plane.add(launcher, "KernelLaunch", at + 250 + 20 * i, 8,
                      correlation_id=100 * step + i, group_id=step, kernel_details="regs:1 grid:x")
        plane.add(launcher, "MemoryAllocation", at + 245, 0, allocator_name=b"GPU_0_bfc",
                  bytes_reserved=1 << 20, bytes_allocated=(step + 1) << 22, bytes_available=1 << 30,
                  fragmentation=0.25 if step % 2 else 0, peak_bytes_in_use=(step + 1) << 22,
                  allocation_bytes=1 << 22, requested_bytes=(1 << 22) - 100, addr=1 << 40,
                  tf_op=b"model/dense/MatMul:MatMul", group_id=step)
    summed = worker.events.add(metadata_id=plane.event_id("ThreadpoolWait"), num_occurrences=37,
                               duration_ps=1_234 * US)
    plane.set(summed.stats, "group_id", 0)


def write_gpu(space, number, steps):
    plane = Plane(space, f"/device:GPU:{number}", number + 1)
    for key, value in {"clock_rate": 1_530_000, "core_count": 80, "memory_bandwidth": 900 * 10**9,
                       "memory_size": 16 << 30, "compute_cap_major": 7, "compute_cap_minor": 0,
                       "device_vendor": "Nvidia", "gpu_device_name": "Made-up V100"}.items():
        plane.set(plane.plane.stats, key, value)
    compute = plane.line("Stream #14(Compute)", 14)
    copies = plane.line("Stream #15(MemcpyH2D)", 15, late_ns=2_000)
    derived = plane.line("Steps", DERIVED)
    for step in range(steps):
        at = step * STEP_US + 300 + 3 * number
        begin = at - 40
        plane.add(copies, "MemcpyH2D", begin, 20, group_id=step, correlation_id=1000 + step,
                  memcpy_details="kind_src:pageable kind_dst:device size:1048576 dest:0 async:1")
        for i, (name, op, us, details) in enumerate(KERNELS):
            stats = {"correlation_id": 100 * step + i, "group_id": step, "kernel_details": details,
                     "tf_op": op, "context_id": b"$$1", "shape": b"half" if "fp16" in name else b""}
            plane.add(compute, name, at, us, **stats)
            at += us + 2
        plane.add(copies, "MemcpyD2H", at, 4.5, group_id=step, correlation_id=2000 + step,
                  memcpy_details="size:4 dest:0 async:0")
        plane.add(derived, str(step), begin, at + 4.5 - begin, group_id=step)


def main():
    space = xplane_pb2.XSpace()
    write_host(space)
    write_gpu(space, 0, STEPS)
    write_gpu(space, 1, STEPS)
    Plane(space, "/device:GPU:2", 3)  # saw no work
    environment = Plane(space, "Task Environment", 4)
    environment.set(environment.plane.stats, "profile_start_time", START_NS)
    space.warnings.append("Made up: no GPU was used.")
    with open("gpu_train.xplane.pb", "wb") as out:
        out.write(space.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
