#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records TensorFlow 2 trainings on the CPU, each with one planted problem, and healthy ones.

    python3 tf_problems.py NAME OUT.xplane.pb.gz
    python3 tf_problems.py all FOLDER TRIES [NAME...]
"""

import contextlib
import functools
import os
import sys
import time

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
if sys.argv[1:2] in (["tf_memory_leak"], ["tf_no_leak"]):
    os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"  # an allocator that records what it allocates
import numpy as np
import tensorflow as tf

import recording

PROBLEMS = {}
PYTHON_TRACER = tf.__version__.startswith("2.15.")


class Run:
    """`with run:` records; `with run.step(n):` is a step, marked or not."""

    def __init__(self, python, marked):
        self.options = tf.profiler.experimental.ProfilerOptions(
            host_tracer_level=2, python_tracer_level=python, device_tracer_level=0
        )
        self.marked = marked

    def step(self, n):
        if self.marked:
            return tf.profiler.experimental.Trace("train", step_num=n, _r=1)
        return contextlib.nullcontext()

    def __enter__(self):
        tf.profiler.experimental.start("logs", self.options)
        self.begin = time.perf_counter()

    def __exit__(self, *error):
        self.seconds = time.perf_counter() - self.begin
        tf.profiler.experimental.stop()


class ProfileBatches(tf.keras.callbacks.Callback):
    """Records the batches `first` to `last` of a fit(), marked as the TensorBoard callback does."""

    def __init__(self, run, first, last):
        super().__init__()
        self.run, self.first, self.last = run, first, last
        self.marked = run.marked and not PYTHON_TRACER  # Keras 2 marks steps itself

    def on_train_batch_begin(self, batch, logs=None):
        if batch == self.first:
            self.run.__enter__()
        if self.first <= batch <= self.last and self.marked:
            self.marker = tf.profiler.experimental.Trace("Profiled batch", step_num=batch)
            self.marker.__enter__()

    def on_train_batch_end(self, batch, logs=None):
        if self.first <= batch <= self.last and self.marked:
            self.marker.__exit__(None, None, None)
        if batch == self.last:
            self.run.__exit__()


def problem(marked=True, both=False, python=False):
    """Registers a training; `both` also registers it without step markers, `python` also with what
    Python does, which TensorFlow 2.15 can record and 2.21 cannot."""

    def register(train):
        def record(marked, python, out):
            tf.config.threading.set_inter_op_parallelism_threads(2)
            tf.config.threading.set_intra_op_parallelism_threads(1)
            recording.scratch()
            run = Run(python, marked)
            train(run)
            recording.keep("logs", out)
            recording.leave()
            return run.seconds

        name = train.__name__
        if PYTHON_TRACER:
            if python:
                PROBLEMS[name + "_python"] = functools.partial(record, marked, 1)
            return train
        PROBLEMS[name] = functools.partial(record, marked, 0)
        if both:
            PROBLEMS[name + "_unmarked"] = functools.partial(record, False, 0)
        return train

    return register


def model(units=64, inputs=64):
    layers = [tf.keras.layers.Dense(units, "relu"), tf.keras.layers.Dense(4)]
    return tf.keras.Sequential([tf.keras.Input((inputs,)), *layers])


def compiled(units=64, inputs=64, **options):
    made = model(units, inputs)
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    made.compile(tf.keras.optimizers.SGD(0.1), loss, **options)
    return made


def fit(made, data, run, *callbacks, first=4, last=9):
    callbacks = [*callbacks, ProfileBatches(run, first, last)]
    made.fit(data, steps_per_epoch=last + 2, verbose=0, callbacks=callbacks)


def examples(inputs=64):
    """Endless examples that cost next to nothing."""
    example = (tf.fill([inputs], 0.5), tf.constant(1))
    return tf.data.Dataset.from_tensors(example).repeat()


def batches(rows=64, inputs=64):
    """Endless batches, ready when they are asked for."""
    batch = (tf.fill([rows, inputs], 0.5), tf.ones([rows], tf.int32))
    return tf.data.Dataset.from_tensors(batch).repeat().prefetch(2)


def trainer(net, compile=True):
    """Returns a train step of an own loop."""
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def train_step(x, y):
        with tf.GradientTape() as tape:
            value = loss(y, net(x))
        for variable, gradient in zip(net.trainable_variables, tape.gradient(value, net.trainable_variables)):
            variable.assign_sub(0.1 * gradient)
        return value

    return tf.function(train_step) if compile else train_step


def as_written(data):
    """Keeps tf.data from making map() parallel and from adding prefetch() by itself."""
    options = tf.data.Options()
    options.experimental_optimization.map_parallelization = False
    options.experimental_optimization.inject_prefetch = False
    return data.with_options(options)


def augment(x, y):
    """Some milliseconds of operations of TensorFlow."""
    noise = tf.random.stateless_uniform([60_000], [1, 2])
    return x + tf.reduce_mean(tf.sort(noise)), y


def loop(run, step, data, steps=6):
    made = iter(data)
    for _ in range(3):
        step(*next(made))
    with run:
        for n in range(steps):
            with run.step(n):
                step(*next(made))


# --- healthy


@problem(both=True, python=True)
def tf_healthy(run):
    loop(run, trainer(model(512, 512)), batches(256, 512), 8)


@problem(both=True, python=True)
def tf_keras_healthy(run):
    fit(compiled(512, 512), batches(256, 512), run)


@problem()
def tf_keras_tensorboard(run):
    """The same, recorded by the TensorBoard callback."""
    run.seconds = 0
    board = tf.keras.callbacks.TensorBoard("logs", profile_batch=(4, 9), write_graph=False)
    compiled(512, 512).fit(batches(256, 512), steps_per_epoch=11, verbose=0, callbacks=[board])


# --- input pipelines


@problem(both=True)
def tf_pyfunc_map(run):
    """map() calls Python, one element at a time."""

    def decode_image(x):
        total = 0
        for i in range(60_000):
            total += i
        return np.float32(x + total % 2)

    def parse(x, y):
        return tf.ensure_shape(tf.numpy_function(decode_image, [x], tf.float32), [64]), y

    fit(compiled(), examples().map(parse).batch(8).prefetch(2), run)


@problem()
def tf_serial_map(run):
    """map() without num_parallel_calls."""
    fit(compiled(), as_written(examples().map(augment).batch(2).prefetch(2)), run)


@problem()
def tf_decoded_images(run):
    """Each example is decoded from a large JPEG, on one thread."""
    noise = tf.random.stateless_uniform([1024, 1024, 3], [1, 2], 0, 255, tf.int32)
    encoded = tf.io.encode_jpeg(tf.cast(noise, tf.uint8))

    def decode(data):
        pixels = tf.reshape(tf.io.decode_jpeg(data), [-1])[:64]
        return tf.cast(pixels, tf.float32) / 255, 1

    data = tf.data.Dataset.from_tensors(encoded).repeat().map(decode).batch(2).prefetch(2)
    fit(compiled(), as_written(data), run)


@problem()
def tf_train_on_batch(run):
    """train_on_batch() with a step that computes next to nothing."""
    made = compiled()
    x, y = np.full([8, 64], 0.5, np.float32), np.ones([8], np.int32)
    for _ in range(3):
        made.train_on_batch(x, y)
    with run:
        for n in range(6):
            with run.step(n):
                made.train_on_batch(x, y)


@problem(both=True)
def tf_no_prefetch(run):
    """Input and training take turns: no prefetch() at the end."""
    loop(run, trainer(model(1024, 1024)), as_written(batches(256, 1024).map(augment)))


@problem()
def tf_prefetch(run):
    """The healthy twin of tf_no_prefetch."""
    loop(run, trainer(model(1024, 1024)), as_written(batches(256, 1024).map(augment).prefetch(2)))


@problem(both=True)
def tf_generator(run):
    """Dataset.from_generator reads slowly."""

    def read_examples():
        while True:
            time.sleep(0.004)
            yield np.full([64], 0.5, np.float32), 1

    signature = (tf.TensorSpec([64], tf.float32), tf.TensorSpec([], tf.int32))
    data = tf.data.Dataset.from_generator(read_examples, output_signature=signature)
    fit(compiled(), data.batch(8).prefetch(2), run, last=8)


# --- eager execution and retracing


@problem(both=True)
def tf_run_eagerly(run):
    """compile(run_eagerly=True)."""
    fit(compiled(run_eagerly=True), batches(), run, last=7)


@problem()
def tf_eager_loop(run):
    """An own loop without tf.function."""
    loop(run, trainer(model(), compile=False), batches())


@problem(both=True)
def tf_retracing(run):
    """A Python number, new in each step, is an argument of a tf.function."""
    net = model()
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y, rate):
        with tf.GradientTape() as tape:
            value = loss(y, net(x))
        for variable, gradient in zip(net.trainable_variables, tape.gradient(value, net.trainable_variables)):
            variable.assign_sub(rate * gradient)
        return value

    made = iter(batches())
    train_step(*next(made), 1.0)
    with run:
        for n in range(5):
            with run.step(n):
                train_step(*next(made), 0.1 / (n + 1))


@problem()
def tf_retracing_shapes(run):
    """Each batch has another number of rows."""
    step = trainer(model())
    step(tf.zeros([8, 64]), tf.zeros([8], tf.int32))
    with run:
        for n in range(5):
            with run.step(n):
                step(tf.zeros([9 + n, 64]), tf.zeros([9 + n], tf.int32))


# --- between the steps


@problem(both=True, python=True)
def tf_slow_callback(run):
    """A callback of Keras."""

    class LogMetrics(tf.keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            time.sleep(0.03)

    fit(compiled(), batches(), run, LogMetrics())


@problem(python=True)
def tf_checkpoint_in_loop(run):
    net = model(1024, 1024)
    step, made = trainer(net), iter(batches(8, 1024))
    step(*next(made))
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(net=net), "saved", max_to_keep=2)

    def save_checkpoint():
        manager.save()

    save_checkpoint()
    with run:
        for n in range(2 if PYTHON_TRACER else 4):
            with run.step(n):
                step(*next(made))
                save_checkpoint()


@problem()
def tf_keras_checkpoint(run):
    """ModelCheckpoint(save_freq=1)."""
    saver = tf.keras.callbacks.ModelCheckpoint("model.weights.h5", save_weights_only=True, save_freq=1)
    fit(compiled(512, 512), batches(8, 512), run, saver, last=7)


@problem(python=True)
def tf_numpy_each_step(run):
    """Weights go to numpy in each step."""
    net = model(2048, 2048)
    step, made = trainer(net), iter(batches(4, 2048))

    def log_weights():
        return [float(np.abs(weight.numpy()).mean()) for weight in net.trainable_variables]

    for _ in range(2):
        step(*next(made))
    with run:
        for n in range(5):
            with run.step(n):
                step(*next(made))
                log_weights()


@problem()
def tf_numpy_function(run):
    """The train function calls Python."""
    net = model(256, 256)
    step = trainer(net)

    def augment_on_host(x):
        time.sleep(0.01)
        return x

    @tf.function
    def train_step(x, y):
        x = tf.ensure_shape(tf.numpy_function(augment_on_host, [x], tf.float32), [32, 256])
        return step(x, y)

    loop(run, train_step, batches(32, 256), 8)


@problem()
def tf_print(run):
    """The train function prints a whole tensor."""
    net = model(256, 256)
    step = trainer(net)

    @tf.function
    def train_step(x, y):
        tf.print("x", x, summarize=-1, output_stream="file:///dev/null")
        return step(x, y)

    loop(run, train_step, batches(32, 256), 8)


@problem()
def tf_new_iterators(run):
    """Each step takes the first batch of a new iterator."""
    step, data = trainer(model(256, 256)), batches(32, 256).map(lambda x, y: (x * 2, y)).prefetch(2)
    for _ in range(2):
        step(*next(iter(data)))
    with run:
        for n in range(10):
            with run.step(n):
                step(*next(iter(data)))


@problem(both=True)
def tf_small_batch(run):
    """fit() with one example a batch."""
    fit(compiled(16, 16), batches(1, 16), run, last=15)


# --- memory


@problem()
def tf_memory_leak(run):
    """A list keeps the activations of each step."""
    net, kept = model(512, 512), []

    @tf.function
    def forward(x):
        return net(x) + tf.zeros([256, 1024])[:, :4], tf.matmul(x, tf.fill([512, 1024], 0.01))

    made = iter(batches(256, 512))
    for _ in range(2):
        kept.append(forward(next(made)[0]))
    with run:
        for n in range(8):
            with run.step(n):
                kept.append(forward(next(made)[0]))


@problem()
def tf_no_leak(run):
    """The healthy twin of tf_memory_leak."""
    net = model(512, 512)

    @tf.function
    def forward(x):
        return net(x) + tf.zeros([256, 1024])[:, :4], tf.matmul(x, tf.fill([512, 1024], 0.01))

    made = iter(batches(256, 512))
    for _ in range(2):
        forward(next(made)[0])
    with run:
        for n in range(8):
            with run.step(n):
                forward(next(made)[0])


if __name__ == "__main__":
    recording.main(PROBLEMS)
