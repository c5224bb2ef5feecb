#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records four steps of a small Keras model with a tf.data pipeline on the CPU:
keras_fit/plugins/profile/RUN/trainer.xplane.pb, as TensorBoard lays it out."""

import glob
import os
import shutil
import tempfile

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

RUN = "2024_05_01_12_00_00"


def dataset():
    def parse(x):
        return tf.random.normal([16, 16]) * tf.cast(x, tf.float32), tf.cast(x % 4, tf.int32)

    data = tf.data.Dataset.range(100_000).map(parse, num_parallel_calls=2)
    return data.batch(8).prefetch(2)


def main():
    tf.config.threading.set_inter_op_parallelism_threads(2)
    tf.config.threading.set_intra_op_parallelism_threads(2)
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(32, "relu"),
                                 tf.keras.layers.Dense(4)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            value = loss(y, model(x))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))

    batches = iter(dataset())
    for _ in range(3):
        step(*next(batches))
    folder = os.path.abspath(f"keras_fit/plugins/profile/{RUN}")
    os.makedirs(folder, exist_ok=True)
    os.chdir(tempfile.mkdtemp())  # what is recorded names the folder as it is given
    tf.profiler.experimental.start("logs")
    for number in range(4):
        with tf.profiler.experimental.Trace("train", step_num=number, _r=1):
            step(*next(batches))
    tf.profiler.experimental.stop()
    (recorded,) = glob.glob("logs/plugins/profile/*/*.xplane.pb")
    shutil.copyfile(recorded, folder + "/trainer.xplane.pb")
    shutil.rmtree(os.getcwd())


if __name__ == "__main__":
    main()
