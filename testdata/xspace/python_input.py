#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records seven steps that wait for a tf.data pipeline whose map(), without num_parallel_calls,
calls Python: python_input.xplane.pb. TensorFlow joins map() and batch() into one iterator."""

import glob
import os
import shutil
import tempfile

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf


def prepare(x):
    total = 0
    for i in range(60_000):
        total += i
    return np.float32(x + total % 2)


def main():
    tf.config.threading.set_inter_op_parallelism_threads(2)
    tf.config.threading.set_intra_op_parallelism_threads(2)
    data = tf.data.Dataset.range(1000).map(lambda x: tf.numpy_function(prepare, [x], tf.float32))
    batches = iter(data.batch(4))

    @tf.function
    def step(x):
        return tf.reduce_sum(tf.sqrt(x))

    for _ in range(3):
        step(next(batches))
    folder = os.getcwd()
    os.chdir(tempfile.mkdtemp())  # what is recorded names the folder as it is given
    tf.profiler.experimental.start("logs")
    for number in range(7):
        with tf.profiler.experimental.Trace("train", step_num=number, _r=1):
            step(next(batches))
    tf.profiler.experimental.stop()
    (recorded,) = glob.glob("logs/plugins/profile/*/*.xplane.pb")
    shutil.copyfile(recorded, folder + "/python_input.xplane.pb")
    shutil.rmtree(os.getcwd())


if __name__ == "__main__":
    main()
