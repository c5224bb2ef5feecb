#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records four annotated steps of a small JAX loop on the CPU: jax_loop.xplane.pb."""

import glob
import os
import shutil
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
import jax
import jax.numpy as jnp

# Source files by their names alone.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")


@jax.jit
def step(w, x):
    with jax.named_scope("loss"):
        gradient = jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
    with jax.named_scope("update"):
        return w - 0.1 * gradient


def main():
    kept = os.path.abspath("jax_loop.xplane.pb")
    w, x = jnp.ones((64, 32)), jnp.ones((16, 64))
    w = step(w, x).block_until_ready()
    os.chdir(tempfile.mkdtemp())  # what is recorded names the folder as it is given
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    with jax.profiler.trace("logs", profiler_options=options):
        for number in range(4):
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                w = step(w, x).block_until_ready()
    (recorded,) = glob.glob("logs/plugins/profile/*/*.xplane.pb")
    shutil.copyfile(recorded, kept)
    shutil.rmtree(os.getcwd())


if __name__ == "__main__":
    main()
