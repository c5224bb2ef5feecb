#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes xla_train.xplane.pb: two GPUs that run a program of XLA three times, made up with the
schema of TensorFlow 2, since no GPU is needed for that. The program is programs/train_step.hlo.pb,
which programs/programs.py makes. The same bytes each time."""

from tensorflow.tsl.profiler.protobuf import xplane_pb2

from gpu_train import Plane

PROGRAM_ID = 17
DETAILS = b"regs:%d static_shared:%d dynamic_shared:0 grid:%d,1,1 block:%d,1,1 occ_pct:%d"
KERNELS = [  # name, instruction, us, launch parameters
    ("nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NNT", b"custom-call.1", 104.0, (168, 0, 132, 384, 18)),
    ("splitKreduce_kernel<32, 16, int, float>", b"custom-call.1", 6.5, (32, 0, 64, 512, 100)),
    ("loop_gelu_fusion", b"loop_gelu_fusion", 47.25, (30, 0, 16384, 128, 100)),
    ("gemm_fusion_dot_1", b"gemm_fusion_dot.1", 112.0, (255, 131072, 512, 128, 12)),
    ("input_reduce_fusion", b"input_reduce_fusion", 22.0, (26, 1024, 8192, 128, 100)),
    ("sm90_xmma_fprop_implicit_gemm_f32f32", b"cudnn-conv.1", 9.0, (128, 98304, 64, 128, 12)),
    ("loop_update_fusion", b"loop_update_fusion", 1.5, (16, 0, 1, 128, 100)),
]
LOOPS = {b"loop_update_fusion": 16}  # how often a run launches it


def write_gpu(space, number, runs):
    plane = Plane(space, f"/device:GPU:{number}", number + 1)
    for key, value in {"clock_rate": 1_755_000, "core_count": 132,
                       "memory_bandwidth": 3_352 * 10**9, "memory_size": 80 << 30,
                       "compute_cap_major": 9, "compute_cap_minor": 0,
                       "device_vendor": "Nvidia", "gpu_device_name": "Made-up H100"}.items():
        plane.set(plane.plane.stats, key, value)
    stream = plane.line("Stream #7(Compute)", 7)
    copies = plane.line("Stream #8(MemcpyD2D)", 8)
    at = 10.0
    for run in range(runs):
        plane.add(copies, "MemcpyD2D", at - 5, 4, correlation_id=9000 + run,
                  memcpy_details="size:16777216 dest:0 async:1")
        for name, instruction, us, (regs, shared, grid, block, occupancy) in KERNELS:
            details = DETAILS % (regs, shared, grid, block, occupancy)
            for _ in range(LOOPS.get(instruction, 1)):
                plane.add(stream, name, at, us, kernel_details=details, hlo_op=instruction,
                          hlo_module=b"jit_train_step", program_id=PROGRAM_ID,
                          correlation_id=100 * run, tf_op=b"XlaModule:")
                at += us + 0.5
        at += 40


def write_programs(space):
    plane = Plane(space, "/host:metadata", 9)
    metadata = plane.plane.event_metadata[1]  # its number is not that of the program
    metadata.id, metadata.name = 1, f"jit_train_step({PROGRAM_ID})"
    program = metadata.stats.add(metadata_id=plane.key("Hlo Proto"))
    program.bytes_value = open("programs/train_step.hlo.pb", "rb").read()


def main():
    space = xplane_pb2.XSpace()
    write_gpu(space, 0, 3)
    write_gpu(space, 1, 3)
    write_programs(space)
    with open("xla_train.xplane.pb", "wb") as out:
        out.write(space.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
