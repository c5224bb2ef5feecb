#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records JAX loops on an NVIDIA GPU, each with one planted problem, and healthy ones.

    python3 jax_gpu_problems.py NAME OUT.xplane.pb.gz
    python3 jax_gpu_problems.py all FOLDER TRIES [NAME...]
    python3 jax_gpu_problems.py each FOLDER                # one try of all, in one process
"""

import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cuda"
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import jax
import jax.numpy as jnp
import numpy as np

import jax_problems
import recording
from jax_problems import problem

PROBLEMS = jax_problems.PROBLEMS
PROBLEMS.clear()


@jax.jit
def train_step(w, x):
    """Products in bfloat16 that take a large GPU milliseconds."""

    def loss(w):
        hidden = x
        with jax.named_scope("dense"):
            for layer in w:
                hidden = jnp.tanh(hidden @ layer)
        return jnp.mean(jnp.square(hidden.astype(jnp.float32)))

    value, gradient = jax.value_and_grad(loss)(w)
    return [layer - 0.1 * step for layer, step in zip(w, gradient)], value


def state(size=4096, layers=4):
    w = [jnp.full((size, size), 0.01, jnp.bfloat16) for _ in range(layers)]
    return w, np.full((size, size), 0.5, jnp.bfloat16)


@problem(both=True)
def jax_gpu_healthy(run):
    w, x = state()
    x = jnp.asarray(x)
    w, _ = train_step(w, x)
    with run:
        for n in range(5):
            with run.step(n):
                w, value = train_step(w, x)
        value.block_until_ready()


@problem(python=1, both=True)
def jax_gpu_slow_load_batch(run):
    w, x = state(1024)

    def load_batch():
        time.sleep(0.03)  # a slow disk
        return x

    w, _ = train_step(w, x)
    with run:
        for n in range(4):
            with run.step(n):
                w, value = train_step(w, load_batch())
                value.block_until_ready()


@problem(both=True)
def jax_gpu_slow_load_batch_untraced(run):
    """The same without what Python does."""
    jax_gpu_slow_load_batch(run)


@problem(python=1)
def jax_gpu_blocking_loop(run):
    """float(loss) in each step, and the next batch is read only after it."""
    w, x = state()

    def read_batch():
        time.sleep(0.01)
        return x

    w, _ = train_step(w, x)
    with run:
        for n in range(5):
            with run.step(n):
                w, value = train_step(w, read_batch())
                float(value)


@problem(python=1)
def jax_gpu_copies_in_loop(run):
    """The state goes to the host and back in each step."""
    w, x = state(2048)
    w, _ = train_step(w, x)
    with run:
        for n in range(4):
            with run.step(n):
                w, value = train_step(w, x)
                w = [jnp.asarray(np.asarray(layer)) for layer in w]


@problem(both=True)
def jax_gpu_recompiles(run):
    """The last batch of each file has other rows: each shape is compiled."""
    w, x = state(512)
    w, _ = train_step(w, x)
    with run:
        for n in range(3):
            with run.step(n):
                w, value = train_step(w, x[:65 + n])
                value.block_until_ready()


@problem(both=True)
def jax_gpu_tiny_programs(run):
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
        for n in range(3):
            with run.step(n):
                w = eager_step(w, x)
        w.block_until_ready()


@problem()
def jax_gpu_float32(run):
    """Products in float32 at the highest precision: no tensor cores."""
    w, x = state()
    w, x = [layer.astype(jnp.float32) for layer in w], jnp.asarray(x, jnp.float32)
    with jax.default_matmul_precision("highest"):
        w, _ = train_step(w, x)
        with run:
            for n in range(3):
                with run.step(n):
                    w, value = train_step(w, x)
            value.block_until_ready()


@problem()
def jax_gpu_small_batch(run):
    """Two examples a step: the program runs for less time than it takes to start it."""
    w, x = state(16)
    x = jnp.asarray(x[:2])
    w, _ = train_step(w, x)
    with run:
        for n in range(10):
            with run.step(n):
                w, value = train_step(w, x)
                value.block_until_ready()


def each(folder):
    """One try of each loop in this process."""
    os.makedirs(folder, exist_ok=True)
    for name, loop in PROBLEMS.items():
        jax.clear_caches()
        try:
            print(f"{name} {loop(f'{folder}/{name}.xplane.pb.gz'):.3f} s", flush=True)
        except Exception as error:  # the next ones may work
            print(f"{name}: {error!r}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["each"]:
        each(os.path.abspath(sys.argv[2]))
    else:
        recording.main(PROBLEMS)
