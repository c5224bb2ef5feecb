#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles one training step for the CPU and keeps what XLA dumps of four stages, in dumps/.

Needs JAX 0.10. Run it in this folder."""

import glob
import gzip
import os
import shutil
import tempfile

OUT = "dumps"
TEMPORARY = tempfile.mkdtemp()
os.environ["XLA_FLAGS"] = (f"--xla_dump_to={TEMPORARY} --xla_dump_hlo_as_text --xla_dump_hlo_as_proto"
                           " --xla_dump_hlo_pass_re=.* --xla_dump_hlo_module_re=jit_step")

import jax  # noqa: E402  (it reads XLA_FLAGS)
import jax.numpy as jnp  # noqa: E402

# The stages to keep, with the form of each. The last one has the buffers in its serialized form.
KEPT = ["before_optimizations.txt", "before_optimizations.hlo.pb",
        "HLO_passes_after_layout_assignment.after_fusion.before_fusion-wrapper.txt",
        "HLO_passes_after_scheduling.after_pipeline-start.before_apply-xla-transforms.txt",
        "cpu_after_optimizations.txt", "cpu_after_optimizations.hlo.pb"]


@jax.jit
def step(weights, x):
    def loss(weights):
        hidden = jnp.tanh(x @ weights["a"])
        hidden, _ = jax.lax.scan(lambda carry, _: (carry * 0.5 + 1.0, None), hidden, None, length=3)
        return jnp.sum((hidden @ weights["b"]) ** 2)

    gradient = jax.grad(loss)(weights)
    return jax.tree.map(lambda weight, change: weight - 0.1 * change, weights, gradient)


def main():
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/testdata/hlo/")
    step({"a": jnp.ones((64, 128)), "b": jnp.ones((128, 8))}, jnp.ones((16, 64)))
    shutil.rmtree(OUT, ignore_errors=True)
    os.mkdir(OUT)
    for ending in KEPT:
        (path,) = glob.glob(f"{TEMPORARY}/module_*.jit_step*{ending}")
        with open(path, "rb") as dump:
            content = dump.read()
        with gzip.GzipFile(f"{OUT}/{os.path.basename(path)}.gz", "wb", mtime=0) as out:
            out.write(content)
    shutil.rmtree(TEMPORARY)


if __name__ == "__main__":
    main()
