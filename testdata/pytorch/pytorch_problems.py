#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records PyTorch trainings on the CPU, each with one planted problem, and healthy ones.

    python3 pytorch_problems.py NAME OUT
    python3 pytorch_problems.py all FOLDER TRIES [NAME...]

OUT.pt.trace.json.gz is written; of two ranks OUT/rank0.pt.trace.json.gz and OUT/rank1.pt.trace.json.gz.
"""

import os
import subprocess
import sys
import time
import warnings

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.abspath("inductor")
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
warnings.simplefilter("ignore")
import torch
from torch.nn import functional
from torch.profiler import ProfilerActivity, profile, schedule

import recording

torch.set_num_threads(1)
PROBLEMS = {}
ACTIVITIES = [ProfilerActivity.CPU]  # gpu_problems.py adds the GPU


class Run:
    """`with run:` records `steps` calls of run.step(), after `warmup` that are not recorded."""

    def __init__(self, marked, options):
        self.marked, self.options = marked, options
        self.trace = os.path.abspath(f"trace{os.getpid()}.json")

    def steps(self, count, warmup=2):
        """Numbers of the steps; those after the first `warmup` are recorded, each as a ProfilerStep."""
        if not self.marked:
            yield from range(warmup)
            with profile(activities=ACTIVITIES, **self.options) as run:
                self.begin = time.perf_counter()
                yield from range(warmup, warmup + count)
                self.seconds = time.perf_counter() - self.begin
            run.export_chrome_trace(self.trace)
            return
        when = schedule(wait=warmup - 1, warmup=1, active=count, repeat=1)
        with profile(activities=ACTIVITIES, schedule=when, **self.options) as run:
            for n in range(warmup + count):
                if n == warmup:
                    self.begin = time.perf_counter()
                yield n
                if n == warmup + count - 1:
                    self.seconds = time.perf_counter() - self.begin
                run.step()
            run.export_chrome_trace(self.trace)


def problem(marked=True, both=False, without_stack=False, **options):
    """Registers a loop; `both` also registers it without steps, `without_stack` also without Python."""

    def register(loop):
        def recorder(marked, options):
            def record(out):
                run = Run(marked, options)
                loop(run)
                recording.keep(run.trace, out + ".pt.trace.json.gz")
                return run.seconds

            return record

        with_stack = {"with_stack": True, **options}
        PROBLEMS[loop.__name__] = recorder(marked, with_stack)
        if both:
            PROBLEMS[loop.__name__ + "_unmarked"] = recorder(False, with_stack)
        if without_stack:
            PROBLEMS[loop.__name__ + "_no_stack"] = recorder(marked, {**options, "with_stack": False})
        return loop

    return register


class Training:
    """A small model with its loss and its optimizer."""

    def __init__(self, size=512, inputs=512, layers=1, **options):
        hidden = [layer for _ in range(layers) for layer in (torch.nn.Linear(size, size), torch.nn.ReLU())]
        self.model = torch.nn.Sequential(torch.nn.Linear(inputs, size), torch.nn.ReLU(), *hidden,
                                         torch.nn.Linear(size, 4))
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.01, **options)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss


def batch(rows=256, inputs=512):
    return torch.full((rows, inputs), 0.5), torch.ones(rows, dtype=torch.long)


# --- healthy


@problem(both=True, without_stack=True)
def healthy(run):
    training, (x, y) = Training(), batch()
    for _ in run.steps(4):
        training.step(x, y)


class Small(torch.nn.Module):
    """Convolution, attention and linear layers, as an author would write them."""

    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 16, 4, stride=4)
        self.attention = torch.nn.MultiheadAttention(16, 2, batch_first=True)
        self.head = torch.nn.Sequential(torch.nn.LayerNorm(16), torch.nn.Linear(16, 4))

    def forward(self, images):
        patches = self.stem(images).flatten(2).transpose(1, 2)
        with torch.profiler.record_function("attend"):
            mixed, _ = self.attention(patches, patches, patches)
        return self.head(mixed.mean(1))


@problem(record_shapes=True, profile_memory=True, with_flops=True, with_modules=True)
def everything(run):
    """All that the profiler can record: shapes, stacks, modules, FLOPs, memory."""
    model = Small()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    images, y = torch.full((8, 3, 32, 32), 0.5), torch.ones(8, dtype=torch.long)
    for _ in run.steps(2):
        optimizer.zero_grad()
        functional.cross_entropy(model(images), y).backward()
        optimizer.step()


class Examples(torch.utils.data.Dataset):
    """Examples that are ready when they are asked for, or come from a slow disk."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.example = (torch.full((512,), 0.5), 1)

    def __len__(self):
        return 1000

    def __getitem__(self, n):
        if self.seconds:
            time.sleep(self.seconds)
        return self.example


def with_loader(run, seconds, workers=0, rows=16, steps=3, **options):
    loader = iter(torch.utils.data.DataLoader(Examples(seconds), batch_size=rows, num_workers=workers, **options))
    training = Training(1024)
    for _ in run.steps(steps):
        training.step(*next(loader))


@problem(without_stack=True)
def ready_dataset(run):
    """The healthy twin of slow_dataset: examples cost nothing."""
    with_loader(run, 0)


# --- the input makes the training wait


@problem(both=True, without_stack=True)
def slow_dataset(run):
    """__getitem__() sleeps 2 ms for each of the 16 examples of a batch."""
    with_loader(run, 0.002)


@problem(without_stack=True)
def slow_worker(run):
    """The same in a worker process: the training waits for what it does not see."""
    with_loader(run, 0.002, workers=1, steps=2)


@problem()
def slow_workers(run):
    """Two worker processes are not enough for examples of 6 ms."""
    with_loader(run, 0.006, workers=2, steps=4)


@problem()
def slow_collate(run):
    """Examples are ready; pad_examples() makes a batch of them in Python."""

    def pad_examples(examples):
        rows = [[float(value) + n for value in example.tolist()] for n, (example, _) in enumerate(examples)]
        return torch.tensor(rows), torch.tensor([y for _, y in examples])

    with_loader(run, 0, rows=128, collate_fn=pad_examples)


# --- Python makes the operations wait


@problem()
def item_in_loop(run):
    """Each prediction is read by item()."""
    model, (x, _) = Training(64).model, batch(128)

    def accuracy(predictions):
        right = 0
        for n in range(len(predictions)):
            if predictions[n].item() == 1:
                right += 1
        return right / len(predictions)

    for _ in run.steps(3):
        with torch.no_grad():
            accuracy(model(x).argmax(1))


@problem()
def no_item_in_loop(run):
    """The healthy twin of item_in_loop: one operation counts."""
    model, (x, _) = Training(512).model, batch(512)
    for _ in run.steps(3):
        with torch.no_grad():
            (model(x).argmax(1) == 1).sum().item()


@problem(without_stack=True)
def tiny_operators(run):
    """A recurrence in Python: operators on eight numbers, hundreds per step."""
    x, state = torch.full((120, 8), 0.5), torch.zeros(8)

    def recurrence(x, state):
        for row in x:
            state = torch.tanh(state * 0.9 + row)
        return state

    for _ in run.steps(2):
        recurrence(x, state)


@problem(without_stack=True)
def one_big_operator(run):
    """The healthy twin of tiny_operators: few operators on many numbers."""
    x, w = torch.full((512, 512), 0.5), torch.full((512, 512), 0.01)
    for _ in run.steps(4):
        torch.tanh(x @ w)


@problem(without_stack=True)
def optimizer_loop(run):
    """The optimizer updates each of 24 small tensors by operators of its own."""
    training, (x, y) = Training(32, 32, layers=10, momentum=0.9, foreach=False), batch(32, 32)
    for _ in run.steps(2):
        training.step(x, y)


@problem(both=True)
def slow_logging(run):
    """Each step writes 4,000 numbers as text."""

    def log_metrics(weights):
        text = "".join([f"{value:.6f} " for value in weights.flatten()[:4000].tolist()])
        with open("metrics.txt", "a", encoding="utf-8") as file:
            file.write(text)

    training, (x, y) = Training(128), batch(64)
    for _ in run.steps(4):
        training.step(x, y)
        log_metrics(training.model[0].weight)


@problem()
def checkpoint_in_loop(run):
    training, (x, y) = Training(layers=0), batch(64)

    def save_checkpoint(model):
        with open("checkpoint.pt", "wb") as file:
            torch.save(model.state_dict(), file)
            file.flush()
            os.fsync(file.fileno())

    for _ in run.steps(2):
        training.step(x, y)
        save_checkpoint(training.model)


@problem()
def dtype_conversion(run):
    """Numbers arrive as float64: each step converts a large table that never changes."""
    table, w = torch.full((2048, 512), 0.5, dtype=torch.float64), torch.full((512, 16), 0.01)
    for _ in run.steps(4):
        table.to(torch.float32) @ w


# --- memory


def losses_of_loop(run, kept):
    training, (x, y) = Training(256, layers=2), batch(512)
    losses = []
    for _ in run.steps(4):
        losses.append(kept(functional.cross_entropy(training.model(x), y)))


@problem(profile_memory=True, record_shapes=True)
def growing_list(run):
    """Losses are kept with the graphs that computed them: memory grows in each step."""
    losses_of_loop(run, lambda loss: loss)


@problem(profile_memory=True, record_shapes=True)
def detached_list(run):
    """The healthy twin of growing_list: detach() lets the graphs go."""
    losses_of_loop(run, lambda loss: loss.detach())


# --- compilation


def compiled_loop(run, rows):
    torch._dynamo.config.automatic_dynamic_shapes = False
    model = torch.compile(torch.nn.Linear(64, 64).requires_grad_(False), dynamic=False)
    for n in run.steps(3):
        model(torch.full((rows(n), 64), 0.5))


@problem(with_stack=False)
def recompiles(run):
    """Each batch has another size, and dynamic shapes are off: each step compiles."""
    compiled_loop(run, lambda n: 32 + n)


@problem(with_stack=False)
def compiled_once(run):
    """The healthy twin of recompiles: one size of batches."""
    compiled_loop(run, lambda n: 32)


# --- two ranks


def rank_of_two(rank, loop, out):
    torch.distributed.init_process_group("gloo", init_method="file://" + os.path.abspath("meeting"),
                                         rank=rank, world_size=2)
    run = Run(True, {"with_stack": True})
    loop(run, rank)
    recording.keep(run.trace, f"{out}/rank{rank}.pt.trace.json.gz", f"host{rank}")
    torch.distributed.destroy_process_group()
    return run.seconds


def two_ranks(loop):
    def record(out):
        if "RANK" in os.environ:
            return rank_of_two(int(os.environ["RANK"]), loop, out)
        os.makedirs(out, exist_ok=True)
        command = [sys.executable, os.path.abspath(sys.argv[0]), loop.__name__, out]
        ranks = []
        for rank in "01":
            os.mkdir("rank" + rank)
            ranks.append(subprocess.Popen(command, env={**os.environ, "RANK": rank}, stdout=subprocess.PIPE,
                                          text=True))
        return max(float(rank.communicate(timeout=300)[0].split()[-1]) for rank in ranks)

    PROBLEMS[loop.__name__] = record
    return loop


def data_parallel(run, before):
    training = Training(512)
    training.model = torch.nn.parallel.DistributedDataParallel(training.model)
    x, y = batch(128)
    for _ in run.steps(4):
        before()
        training.step(x, y)


@two_ranks
def two_ranks_alike(run, rank):
    data_parallel(run, lambda: None)


@two_ranks
def straggler(run, rank):
    """Rank 1 sleeps 20 ms before each step: rank 0 waits for it in the all-reduce."""

    def load_batch():
        if rank == 1:
            time.sleep(0.02)

    data_parallel(run, load_batch)


if __name__ == "__main__":
    recording.main(PROBLEMS)
