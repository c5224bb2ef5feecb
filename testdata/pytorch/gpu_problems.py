#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records PyTorch trainings on an NVIDIA GPU, each with one planted problem, and healthy ones.

    python3 gpu_problems.py NAME OUT
    python3 gpu_problems.py all FOLDER TRIES [NAME...]
    python3 gpu_problems.py each FOLDER                 # one try of all, in one process
    tfprof-capture ... -- python3 gpu_problems.py bare NAME

OUT.pt.trace.json.gz is written. `bare` runs a loop without PyTorch's profiler, each step in an NVTX range.
"""

import os
import sys
import time

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")
import torch

import pytorch_problems
import recording
from pytorch_problems import Examples, problem, two_ranks

PROBLEMS = pytorch_problems.PROBLEMS
PROBLEMS.clear()
pytorch_problems.ACTIVITIES.append(torch.profiler.ProfilerActivity.CUDA)
BARE = {}


def gpu_problem(**options):
    """Registers a loop, also for `bare`."""

    def register(loop):
        BARE[loop.__name__] = loop
        return problem(**options)(loop)

    return register


class Training:
    """Linear layers in bfloat16 that keep a large GPU busy for 10 ms a step, with their optimizer."""

    def __init__(self, size=4096, layers=4, rows=8192, dtype=torch.bfloat16, **options):
        sizes = [torch.nn.Linear(size, size, device="cuda", dtype=dtype) for _ in range(layers)]
        self.model = torch.nn.Sequential(*sizes)
        options = {"fused": True, **options}
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 1e-4, **options)
        self.x = torch.full((rows, size), 0.5, device="cuda", dtype=dtype)

    def step(self, x=None):
        self.optimizer.zero_grad()
        loss = self.model(self.x if x is None else x).square().mean()
        loss.backward()
        self.optimizer.step()
        return loss


# --- healthy


@gpu_problem(both=True, without_stack=True)
def gpu_healthy(run):
    training = Training()
    for _ in run.steps(3):
        training.step()


@gpu_problem()
def gpu_loss_read(run):
    """The loss is read once a step, as most trainings do."""
    training = Training()
    for _ in run.steps(3):
        training.step().item()


# --- the host makes the GPU wait


def with_loader(run, seconds, workers):
    loader = iter(torch.utils.data.DataLoader(Examples(seconds), batch_size=16, num_workers=workers))
    training = Training(512, 2, 16, torch.float32)
    for _ in run.steps(3):
        x, _ = next(loader)
        training.step(x.cuda())


@gpu_problem(both=True, without_stack=True)
def gpu_slow_dataset(run):
    """__getitem__() sleeps 2 ms for each of the 16 examples of a batch."""
    with_loader(run, 0.002, 0)


@gpu_problem()
def gpu_slow_worker(run):
    """The same in a worker process."""
    with_loader(run, 0.002, 1)


@gpu_problem(without_stack=True)
def gpu_item_per_parameter(run):
    """The norm of each gradient is read by item(): the host waits for the GPU, then the GPU for the host."""
    training = Training(1024, 24, 512)

    def gradient_norm(parameters):
        return sum(parameter.grad.norm().item() ** 2 for parameter in parameters) ** 0.5

    for _ in run.steps(3):
        training.step()
        gradient_norm(training.model.parameters())


@gpu_problem()
def gpu_norm_on_device(run):
    """The healthy twin of gpu_item_per_parameter: the norms are one tensor, which nobody reads."""
    training = Training()
    for _ in run.steps(3):
        training.step()
        torch.nn.utils.clip_grad_norm_(training.model.parameters(), 1.0)


@gpu_problem(without_stack=True)
def gpu_mask_sync(run):
    """Indexing by a mask needs the number of true values on the host, forty times a step."""
    x = torch.rand(1 << 16, device="cuda")

    def drop_outliers(x):
        for n in range(40):
            x = x[x < 2.0 - n * 0.01]
        return x

    for _ in run.steps(3):
        drop_outliers(x)


@gpu_problem()
def gpu_timed_layers(run):
    """Each layer is timed with torch.cuda.synchronize() around it."""
    training = Training(1024, 24, 512)
    times = []

    def timed(layer, x):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        x = layer(x)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
        return x

    for _ in run.steps(3):
        x = training.x
        for layer in training.model:
            x = timed(layer, x)


@gpu_problem()
def gpu_slow_logging(run):
    """Each step writes 40,000 numbers as text."""

    def log_metrics(weights):
        text = "".join([f"{value:.6f} " for value in weights.flatten()[:40_000].tolist()])
        with open("metrics.txt", "a", encoding="utf-8") as file:
            file.write(text)

    training = Training(1024, 4, 1024)
    for _ in run.steps(3):
        training.step()
        log_metrics(training.model[0].weight)


@gpu_problem()
def gpu_checkpoint_in_loop(run):
    training = Training(2048, 2, 1024)

    def save_checkpoint(model):
        with open("checkpoint.pt", "wb") as file:
            torch.save(model.state_dict(), file)
            file.flush()
            os.fsync(file.fileno())

    for _ in run.steps(3):
        training.step()
        save_checkpoint(training.model)


@gpu_problem(with_stack=False)
def gpu_recompiles(run):
    """Each batch has another size, and dynamic shapes are off: each step compiles."""
    torch._dynamo.config.automatic_dynamic_shapes = False
    torch.compiler.reset()
    model = torch.compile(torch.nn.Linear(64, 64, device="cuda").requires_grad_(False), dynamic=False,
                          backend="eager")
    for n in run.steps(3):
        model(torch.full((32 + n, 64), 0.5, device="cuda"))


# --- launches


@gpu_problem(without_stack=True)
def gpu_tiny_kernels(run):
    """A recurrence in Python: kernels on eight numbers, hundreds a step."""
    x, state = torch.full((120, 8), 0.5, device="cuda"), torch.zeros(8, device="cuda")

    def recurrence(x, state):
        for row in x:
            state = torch.tanh(state * 0.9 + row)
        return state

    for _ in run.steps(2):
        recurrence(x, state)


@gpu_problem()
def gpu_graph(run):
    """The healthy twin of gpu_tiny_kernels: larger ones, launched as one CUDA graph."""
    training = Training()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        y = training.model(training.x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = training.model(training.x)
        for _ in range(20):
            y = torch.tanh(y * 0.9 + training.x)
    for _ in run.steps(3):
        graph.replay()


@gpu_problem(without_stack=True)
def gpu_optimizer_loop(run):
    """The optimizer updates each of 48 small tensors by kernels of its own."""
    training = Training(64, 24, 64, foreach=False, fused=False)
    for _ in run.steps(2):
        training.step()


@gpu_problem()
def gpu_small_batch(run):
    """Four rows through 48 layers: each kernel ends before the next one is launched."""
    training = Training(256, 48, 4)
    for _ in run.steps(2):
        training.step()


# --- copies and memory


@gpu_problem(without_stack=True)
def gpu_pageable_copies(run):
    """A batch of 128 MB is copied from pageable memory: the host waits for the copy, the GPU for both."""
    training = Training(4096, 1, 8192)
    x = torch.full((16384, 4096), 0.5, dtype=torch.bfloat16)

    def to_device(x):
        return x.cuda()

    for _ in run.steps(3):
        training.step(to_device(x))


@gpu_problem()
def gpu_pinned_copies(run):
    """The healthy twin of gpu_pageable_copies: pinned memory, copied while the step before computes."""
    training = Training()
    x = torch.full((8192, 4096), 0.5, dtype=torch.bfloat16).pin_memory()
    stream = torch.cuda.Stream()

    def prefetch():
        with torch.cuda.stream(stream):
            return x.to("cuda", non_blocking=True)

    following = prefetch()
    for _ in run.steps(3):
        torch.cuda.current_stream().wait_stream(stream)
        current, following = following, prefetch()
        training.step(current)
        current.record_stream(torch.cuda.current_stream())


@gpu_problem()
def gpu_host_embedding(run):
    """The embedding table stays on the host: looked up there and copied in each step."""
    table = torch.nn.Embedding(100_000, 1024)
    tokens = torch.arange(16384) % 100_000
    training = Training(1024, 2, 16384, torch.float32)
    for _ in run.steps(3):
        with torch.no_grad():
            rows = table(tokens)
        training.step(rows.cuda())


@gpu_problem(profile_memory=True)
def gpu_empty_cache(run):
    """empty_cache() in each step: memory is freed and allocated by the driver, which waits for the GPU."""
    training = Training(2048, 8, 4096)
    for _ in run.steps(3):
        training.step()
        torch.cuda.empty_cache()


def losses_of_loop(run, kept):
    training = Training(2048, 4, 8192)
    losses = []
    for _ in run.steps(4):
        losses.append(kept(training.model(training.x).square().mean()))


@gpu_problem(profile_memory=True)
def gpu_growing_list(run):
    """Losses are kept with the graphs that computed them: memory grows in each step."""
    losses_of_loop(run, lambda loss: loss)


@gpu_problem(profile_memory=True)
def gpu_detached_list(run):
    """The healthy twin of gpu_growing_list."""
    losses_of_loop(run, lambda loss: loss.detach())


# --- kernels


@gpu_problem(record_shapes=True)
def gpu_float32_matmul(run):
    """Products in float32, without tensor cores."""
    torch.set_float32_matmul_precision("highest")
    training = Training(dtype=torch.float32)
    for _ in run.steps(3):
        training.step()


@gpu_problem(record_shapes=True)
def gpu_tf32_matmul(run):
    """The healthy twin of gpu_float32_matmul: tensor cores round to TF32."""
    torch.set_float32_matmul_precision("high")
    training = Training(dtype=torch.float32)
    for _ in run.steps(3):
        training.step()
    torch.set_float32_matmul_precision("highest")


@gpu_problem()
def gpu_layout_copies(run):
    """Each block changes the layout of its images, and changes it back."""
    layer = torch.nn.Conv2d(64, 64, 1, device="cuda", dtype=torch.bfloat16).requires_grad_(False)
    images = torch.full((256, 64, 128, 128), 0.5, device="cuda", dtype=torch.bfloat16)

    def block(x):
        x = x.permute(0, 2, 3, 1).contiguous()
        x = x * 0.5
        return layer(x.permute(0, 3, 1, 2).contiguous())

    for _ in run.steps(3):
        x = images
        for _ in range(4):
            x = block(x)


@gpu_problem()
def gpu_dtype_conversion(run):
    """A table of float64 that never changes is converted in each step."""
    table = torch.full((65536, 4096), 0.5, dtype=torch.float64, device="cuda")
    w = torch.full((4096, 64), 0.01, device="cuda")
    for _ in run.steps(3):
        table.to(torch.float32) @ w


# --- two ranks on one GPU


def data_parallel(run, before):
    torch.cuda.set_device(0)
    training = Training(1024, 4, 2048, torch.float32)
    training.model = torch.nn.parallel.DistributedDataParallel(training.model)
    for _ in run.steps(3):
        before()
        training.step()


@two_ranks
def gpu_two_ranks_alike(run, rank):
    data_parallel(run, lambda: None)


@two_ranks
def gpu_straggler(run, rank):
    """Rank 1 sleeps 50 ms before each step: rank 0 waits for it in the all-reduce."""

    def load_batch():
        if rank == 1:
            time.sleep(0.05)

    data_parallel(run, load_batch)


class Bare:
    """Steps as NVTX ranges, for a recorder outside of the program."""

    def steps(self, count, warmup=2):
        for n in range(warmup + count):
            with torch.cuda.nvtx.range(f"step {n}"):
                yield n
        torch.cuda.synchronize()


def each(folder):
    """One try of each loop in this process, whose imports take longer than the loops."""
    os.makedirs(folder, exist_ok=True)
    for name, loop in PROBLEMS.items():
        if name in BARE or any(name.removesuffix(end) in BARE for end in ("_unmarked", "_no_stack")):
            torch.cuda.empty_cache()
            try:
                print(f"{name} {loop(f'{folder}/{name}'):.3f} s", flush=True)
            except Exception as error:  # the next ones may work
                print(f"{name}: {error!r}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        BARE[sys.argv[2]](Bare())
    elif sys.argv[1:2] == ["each"]:
        each(os.path.abspath(sys.argv[2]))
    else:
        recording.main(PROBLEMS)
