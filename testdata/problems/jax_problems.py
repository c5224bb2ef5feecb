#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records JAX loops on the CPU, each with one planted problem, and healthy ones.

    python3 jax_problems.py NAME OUT.xplane.pb.gz
    python3 jax_problems.py all FOLDER TRIES [NAME...]
"""

import contextlib
import functools
import gc
import os
import queue
import socket
import subprocess
import sys
import threading
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
import jax
import jax.numpy as jnp
import numpy as np

import recording

# Source files by their names alone.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

PROBLEMS = {}


class Run:
    """`with run:` records; `with run.step(n):` is a step, marked or not."""

    def __init__(self, python, marked, host_level=2):
        self.options = jax.profiler.ProfileOptions()
        self.options.python_tracer_level = python
        self.options.host_tracer_level = host_level
        self.marked = marked

    def step(self, n):
        if self.marked:
            return jax.profiler.StepTraceAnnotation("train", step_num=n)
        return contextlib.nullcontext()

    def __enter__(self):
        jax.block_until_ready(jax.live_arrays())  # what warmed up has ended
        jax.profiler.start_trace("logs", profiler_options=self.options)
        self.begin = time.perf_counter()

    def __exit__(self, *error):
        self.seconds = time.perf_counter() - self.begin
        jax.profiler.stop_trace()


def problem(python=0, marked=True, both=False):
    """Registers a loop; `both` also registers it without step markers."""

    def register(loop):
        def record(marked, out):
            recording.scratch()
            run = Run(python, marked)
            loop(run)
            recording.keep("logs", out)
            recording.leave()
            return run.seconds

        PROBLEMS[loop.__name__] = functools.partial(record, marked)
        if both:
            PROBLEMS[loop.__name__ + "_unmarked"] = functools.partial(record, False)
        return loop

    return register


def loss(w, x):
    hidden = jnp.tanh(x @ w["in"])
    return jnp.mean((hidden @ w["out"]) ** 2)


@jax.jit
def train_step(w, x):
    value, gradient = jax.value_and_grad(loss)(w, x)
    return jax.tree.map(lambda a, b: a - 0.1 * b, w, gradient), value


def weights(size=256):
    return {"in": jnp.full((size, size), 0.01, jnp.float32), "out": jnp.full((size, size), 0.02, jnp.float32)}


def batch(rows=256, size=256):
    return np.full((rows, size), 0.5, np.float32)


# --- healthy


@problem(both=True)
def jax_healthy(run):
    w, x = weights(512), jnp.asarray(batch(512, 512))
    w, _ = train_step(w, x)
    with run:
        for n in range(8):
            with run.step(n):
                w, value = train_step(w, x)
        value.block_until_ready()


@problem(python=1)
def jax_healthy_python(run):
    """The same with what Python does; batches are ready when they are asked for."""
    w, batches = weights(512), iter([jnp.asarray(batch(512, 512))] * 20)

    def load_batch():
        return next(batches)

    w, _ = train_step(w, load_batch())
    with run:
        for n in range(8):
            with run.step(n):
                w, value = train_step(w, load_batch())
                value.block_until_ready()


# --- the host makes the device wait


@problem(python=1, both=True)
def jax_slow_load_batch(run):
    def load_batch():
        time.sleep(0.03)  # a slow disk
        return batch()

    w, _ = train_step(weights(), batch())
    with run:
        for n in range(6):
            with run.step(n):
                w, value = train_step(w, load_batch())
                value.block_until_ready()


@problem(both=True)
def jax_slow_load_batch_untraced(run):
    """The same without what Python does: only the gap is recorded."""
    jax_slow_load_batch(run)


@problem(python=1)
def jax_slow_load_batch_computing(run):
    """Python computes instead of sleeping."""

    def augment(row):
        total = 0
        for i in range(1500):
            total += i
        return row * (1 + total % 2)

    def load_batch():
        return np.stack([augment(row) for row in batch()])

    w, _ = train_step(weights(), batch())
    with run:
        for n in range(4):
            with run.step(n):
                w, value = train_step(w, load_batch())
                value.block_until_ready()


@problem(python=1)
def jax_slow_producer(run):
    """A thread prefetches batches, but makes them slower than they are used."""
    ready = queue.Queue(2)

    def read_example():
        time.sleep(0.015)
        return batch()

    def produce():
        for _ in range(9):
            ready.put(read_example())

    thread = threading.Thread(target=produce, name="producer")
    thread.start()
    w, _ = train_step(weights(), ready.get())
    with run:
        for n in range(8):
            with run.step(n):
                w, value = train_step(w, ready.get())
                value.block_until_ready()
    thread.join()


def losses_of_loop(run, read):
    rows = batch(1024, 512)

    def read_batch():
        time.sleep(0.02)
        return rows

    w, _ = train_step(weights(512), rows)
    losses = []
    with run:
        for n in range(7):
            with run.step(n):
                w, value = train_step(w, read_batch())
                losses.append(float(value) if read else value)
        losses = [float(value) for value in losses]


@problem(python=1, both=True)
def jax_blocking_loop(run):
    """float(loss) in each step: the host cannot read the next batch meanwhile."""
    losses_of_loop(run, True)


@problem(python=1)
def jax_not_blocking_loop(run):
    """The healthy twin of jax_blocking_loop: losses are read after the loop."""
    losses_of_loop(run, False)


@problem(python=1, both=True)
def jax_copies_in_loop(run):
    """The state goes to the host and back in each step."""
    w, x = weights(2048), batch(16, 2048)
    w, _ = train_step({name: jnp.array(np.array(value)) for name, value in w.items()}, x)
    with run:
        for n in range(5):
            with run.step(n):
                w, value = train_step(w, x)
                state = {name: np.array(value) for name, value in w.items()}
                w = {name: jnp.array(value) for name, value in state.items()}


@problem(python=1)
def jax_checkpoint_in_loop(run):
    w, x = weights(1024), batch(64, 1024)
    w, _ = train_step(w, x)

    def save_checkpoint(w, step):
        with open("checkpoint.npz", "wb") as file:
            np.savez(file, **w)
            file.flush()
            os.fsync(file.fileno())

    with run:
        for n in range(5):
            with run.step(n):
                w, value = train_step(w, x)
                save_checkpoint(w, n)


@problem(python=1)
def jax_slow_logging(run):
    """Each step renders its metrics."""

    def log_metrics(step, w):
        text = "".join([f"{value:.6f} " for value in np.asarray(w["in"]).ravel()[:20_000].tolist()])
        with open("metrics.txt", "a") as file:
            file.write(text)

    w, _ = train_step(weights(), batch())
    x = batch()
    with run:
        for n in range(5):
            with run.step(n):
                w, value = train_step(w, x)
                log_metrics(n, w)


@problem(python=1)
def jax_formatted_rows(run):
    """Each step turns rows of a parameter into text: tiny programs, and Python that takes longer."""

    def print_rows(rows):
        with open("rows.txt", "a") as file:
            file.writelines(f"{rows[k, :16]}\n" for k in range(8))

    w, _ = train_step(weights(), batch())
    x = batch()
    print_rows(w["in"])
    with run:
        for n in range(4):
            with run.step(n):
                w, value = train_step(w, x)
                print_rows(w["in"])


@problem(python=1)
def jax_host_callback(run):
    """The compiled program calls Python."""

    def clip_on_host(x):
        time.sleep(0.01)
        return np.clip(x, -1, 1)

    @jax.jit
    def train_step(w, x):
        w = w - 0.1 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
        return jax.pure_callback(clip_on_host, jax.ShapeDtypeStruct(w.shape, w.dtype), w)

    w, x = jnp.full((256, 256), 0.01, jnp.float32), jnp.asarray(batch())
    w = train_step(w, x).block_until_ready()
    with run:
        for n in range(6):
            with run.step(n):
                w = train_step(w, x).block_until_ready()


@problem()
def jax_debug_print(run):
    """The compiled program prints."""

    @jax.jit
    def train_step(w, x):
        w = w - 0.1 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
        for row in range(8):
            jax.debug.print("{row}: {values}", row=row, values=w[row])
        return w

    w, x = jnp.full((256, 256), 0.01, jnp.float32), jnp.asarray(batch())
    w = train_step(w, x).block_until_ready()
    with run:
        for n in range(6):
            with run.step(n):
                w = train_step(w, x).block_until_ready()


@problem(marked=False)
def jax_eager_step(run):
    """A step without jit, of which the products take most."""
    layers = [jnp.full((256, 256), 0.01, jnp.float32) for _ in range(3)]
    x = jnp.asarray(batch())

    def error(layers, x):
        for w in layers:
            x = jnp.tanh(x @ w)
        return jnp.mean(x**2)

    def train_step(layers):
        return [w - 0.1 * d for w, d in zip(layers, jax.grad(error)(layers, x))]

    layers = jax.block_until_ready(train_step(layers))
    with run:
        for _ in range(8):
            layers = train_step(layers)
        jax.block_until_ready(layers)


# --- Python itself


@problem(python=1)
def jax_gc_pauses(run):
    """Python's garbage collector walks many small objects: each step makes and drops some."""
    kept = [{"id": i, "tokens": [i]} for i in range(100_000)]

    def tokenize():
        return [{"id": i, "tokens": [i]} for i in range(40_000)]

    w, _ = train_step(weights(), batch())
    x, examples = batch(), tokenize()
    with run:
        for n in range(5):
            with run.step(n):
                examples = tokenize()
                w, value = train_step(w, x)
                value.block_until_ready()
    del kept, examples


@problem(python=1)
def jax_gc_collect(run):
    """gc.collect() in each step."""
    kept = [{"id": i, "tokens": [i]} for i in range(50_000)]
    w, _ = train_step(weights(), batch())
    x = batch()
    with run:
        for n in range(6):
            with run.step(n):
                w, value = train_step(w, x)
                value.block_until_ready()
                gc.collect()
    del kept


@problem(python=1)
def jax_lock_contention(run):
    """The loop waits for a lock that a thread holds most of the time."""
    lock, done = threading.Lock(), threading.Event()

    def refresh_cache():
        while not done.is_set():
            lock.acquire()
            time.sleep(0.025)
            lock.release()
            time.sleep(0.002)

    def read_cache():
        lock.acquire()
        x = batch()
        lock.release()
        return x

    thread = threading.Thread(target=refresh_cache, name="cache")
    w, _ = train_step(weights(), batch())
    thread.start()
    with run:
        for n in range(6):
            with run.step(n):
                w, value = train_step(w, read_cache())
                value.block_until_ready()
    done.set()
    thread.join()


@problem(python=1, both=True)
def jax_drift(run):
    """Each step averages the losses of all steps before."""
    history = [0.001] * 20

    def moving_average(history):
        time.sleep(0.0004 * len(history))
        return sum(history) / len(history)

    w, _ = train_step(weights(), batch())
    x = batch()
    with run:
        for n in range(10):
            with run.step(n):
                w, value = train_step(w, x)
                history += [float(value)] * 15
                moving_average(history)


# --- programs


@problem(both=True)
def jax_recompiles(run):
    """The last batch of each file has other rows: each shape is compiled."""
    w = weights()
    w, _ = train_step(w, batch(64))
    with run:
        for n in range(4):
            with run.step(n):
                w, value = train_step(w, batch(65 + n))
                value.block_until_ready()


@problem()
def jax_compiles_first_step(run):
    """The recording begins before the program is compiled."""
    w, x = weights(), batch()
    with run:
        for n in range(6):
            with run.step(n):
                w, value = train_step(w, x)
                value.block_until_ready()


@problem()
def jax_new_lambda(run):
    """jax.jit of a new lambda in each step: compiled again, with equal shapes."""
    w, x = jnp.full((256, 256), 0.01, jnp.float32), batch()

    def update(w):
        return jax.jit(lambda w: w - 0.1 * jnp.tanh(x @ w))(w)

    update(w)
    with run:
        for n in range(4):
            with run.step(n):
                w = update(w).block_until_ready()


@problem(both=True)
def jax_tiny_programs(run):
    """A step without jit: each operation is a program."""

    def eager_step(w, x):
        for _ in range(12):
            y = jnp.tanh(x * w + 0.1)
            y = y - jnp.mean(y)
            w = w - 0.1 * y / jnp.sqrt(jnp.sum(y * y) + 1.0)
        return w

    w, x = jnp.ones((16, 16)), jnp.ones((16, 16))
    w = eager_step(w, x)
    with run:
        for n in range(4):
            with run.step(n):
                w = eager_step(w, x)
        w.block_until_ready()


@problem(both=True)
def jax_unfused_optimizer(run):
    """A compiled program per parameter updates it."""

    @jax.jit
    def gradients(w, x):
        return jax.grad(lambda w: sum(jnp.mean((x @ p) ** 2) for p in w))(w)

    @jax.jit
    def update_param(p, m, g):
        m = 0.9 * m + g
        return p - 0.1 * m, m

    def apply_updates(w, momenta, gradient):
        pairs = [update_param(p, m, g) for p, m, g in zip(w, momenta, gradient)]
        return [p for p, _ in pairs], [m for _, m in pairs]

    w, x = [jnp.full((32, 32), 0.01, jnp.float32) for _ in range(60)], jnp.ones((32, 32))
    momenta = [jnp.zeros((32, 32)) for _ in w]
    w, momenta = apply_updates(w, momenta, gradients(w, x))
    with run:
        for n in range(4):
            with run.step(n):
                w, momenta = apply_updates(w, momenta, gradients(w, x))
        jax.block_until_ready(w)


@problem()
def jax_fused_optimizer(run):
    """The healthy twin of jax_unfused_optimizer: one program."""

    @jax.jit
    def train_step(w, momenta, x):
        gradient = jax.grad(lambda w: sum(jnp.mean((x @ p) ** 2) for p in w))(w)
        momenta = [0.9 * m + g for m, g in zip(momenta, gradient)]
        return [p - 0.1 * m for p, m in zip(w, momenta)], momenta

    w, x = [jnp.full((32, 32), 0.01, jnp.float32) for _ in range(60)], jnp.ones((32, 32))
    momenta = [jnp.zeros((32, 32)) for _ in w]
    w, momenta = train_step(w, momenta, x)
    with run:
        for n in range(4):
            with run.step(n):
                w, momenta = train_step(w, momenta, x)
        jax.block_until_ready(w)


@problem(both=True)
def jax_small_batch(run):
    """Two examples a step: the program runs for less time than it takes to start it."""
    w, x = weights(16), jnp.asarray(batch(2, 16))
    w, _ = train_step(w, x)
    with run:
        for n in range(30):
            with run.step(n):
                w, value = train_step(w, x)
                value.block_until_ready()


@problem()
def jax_transposes(run):
    """The program spends its time on changing layouts."""

    def channels_first(x):
        return jnp.transpose(x, (0, 3, 1, 2))

    @jax.jit
    def train_step(x):
        with jax.named_scope("features"):
            features = [x * 1.5, x + 0.5, x - 0.5]
        with jax.named_scope("layout"):
            return [channels_first(f) for f in features]

    x = jnp.full((64, 32, 32, 32), 0.1, jnp.float32)
    jax.block_until_ready(train_step(x))
    with run:
        for n in range(4):
            with run.step(n):
                jax.block_until_ready(train_step(x))


# --- memory


@problem(python=1)
def jax_memory_leak(run):
    """A list keeps the activations of each step."""
    kept = []

    @jax.jit
    def forward(w, x):
        return jnp.tanh(x @ w)

    w, x = jnp.full((1024, 1024), 0.01, jnp.float32), jnp.asarray(batch(1024, 1024))
    forward(w, x).block_until_ready()
    with run:
        for n in range(10):
            with run.step(n):
                activations = forward(w, x)
                kept.append(activations)
                activations.block_until_ready()


@problem()
def jax_no_leak(run):
    """The healthy twin of jax_memory_leak: the activations of a step are freed."""
    @jax.jit
    def forward(w, x):
        return jnp.tanh(x @ w)

    w, x = jnp.full((1024, 1024), 0.01, jnp.float32), jnp.asarray(batch(1024, 1024))
    forward(w, x).block_until_ready()
    with run:
        for n in range(10):
            with run.step(n):
                activations = forward(w, x)
                activations.block_until_ready()
                del activations


def train_and_keep(run, keep):
    """Trains with the step that also returns gradients; keep(value, gradient) of each step."""
    @jax.jit
    def update(w, x):
        value, gradient = jax.value_and_grad(loss)(w, x)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, gradient), value, gradient

    w = weights(512)
    w, value, gradient = update(w, jnp.asarray(batch(512, 512)))
    with run:
        for n in range(10):
            with run.step(n):
                x = jnp.asarray(batch(512, 512))
                w, value, gradient = update(w, x)
                keep(value, gradient)
                value.block_until_ready()


@problem(both=True)
def jax_kept_gradients(run):
    """A list keeps the gradients of each step; all other arrays are freed."""
    kept = []
    train_and_keep(run, lambda value, gradient: kept.append(gradient))


@problem()
def jax_kept_losses(run):
    """The healthy twin of jax_kept_gradients: a list keeps the losses alone."""
    kept = []
    train_and_keep(run, lambda value, gradient: kept.append(value))


# --- two hosts


def worker(host, slow, port, out):
    """One of two processes that train together; host 1 loads its batches for `slow` seconds."""
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{port}", 2, host)
    mesh = jax.make_mesh((2,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    whole = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    halves = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))

    def load_batch():
        if host == 1:
            time.sleep(slow)
        return jax.make_array_from_process_local_data(halves, batch(64))

    w = jax.tree.map(lambda a: jax.device_put(a, whole), weights())
    for _ in range(2):
        w, value = train_step(w, load_batch())
        value.block_until_ready()
    recording.scratch()
    run = Run(python=1, marked=True)
    with run:
        for n in range(6):
            with run.step(n):
                w, value = train_step(w, load_batch())
                value.block_until_ready()
    recording.keep("logs", f"{out}/host{host}.xplane.pb.gz", f"host{host}")
    recording.leave()
    jax.distributed.shutdown()
    print(run.seconds)


def two_hosts(slow, out):
    out = out.removesuffix(".xplane.pb.gz")
    os.makedirs(out, exist_ok=True)
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    workers = [
        subprocess.Popen([sys.executable, __file__, "worker", str(host), str(slow), str(port), out],
                         stdout=subprocess.PIPE, text=True)
        for host in range(2)
    ]
    printed = [each.communicate()[0] for each in workers]
    assert not any(each.returncode for each in workers)
    return max(float(each.split()[-1]) for each in printed)


PROBLEMS["jax_straggler"] = functools.partial(two_hosts, 0.03)
PROBLEMS["jax_two_hosts"] = functools.partial(two_hosts, 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["worker"]:
        worker(int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    else:
        recording.main(PROBLEMS)
