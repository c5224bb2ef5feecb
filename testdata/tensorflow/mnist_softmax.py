# SPDX-License-Identifier: Apache-2.0
"""Softmax regression on made-up digits: 100 steps of gradient descent, three of them traced.

The weights are one variable in two slices; the checkpoint holds float, int32 and int64 entries.
"""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.profiler import tfprof_log_pb2

import recording

CASE = 'mnist_softmax'
PIXELS, DIGITS, BATCH = 784, 10, 32


def make_batch(step):
    """Every digit lights its own stripe of pixels, in noise."""
    random = np.random.RandomState(step)
    digits = random.randint(DIGITS, size=BATCH)
    images = random.uniform(0.0, 0.3, size=(BATCH, PIXELS)).astype(np.float32)
    stripe = PIXELS // DIGITS
    for image, digit in zip(images, digits):
        image[digit * stripe:(digit + 1) * stripe] += 0.7
    return images, digits


def build_inputs():
    with tf.name_scope('input'):
        images = tf.placeholder(tf.float32, [BATCH, PIXELS], name='images')
        digits = tf.placeholder(tf.int64, [BATCH], name='digits')
    return images, digits


def build_softmax(images):
    with tf.variable_scope('softmax'):
        weights = tf.get_variable('weights', [PIXELS, DIGITS], initializer=tf.zeros_initializer(),
                                  partitioner=tf.fixed_size_partitioner(2))
        bias = tf.get_variable('bias', [DIGITS], initializer=tf.zeros_initializer())
        return tf.nn.bias_add(tf.matmul(images, tf.convert_to_tensor(weights)), bias,
                              name='logits')


def build_training(loss):
    step = tf.train.get_or_create_global_step()
    seen = tf.get_variable('images_seen', [], tf.int32, tf.zeros_initializer(), trainable=False)
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    with tf.control_dependencies([tf.assign_add(seen, BATCH)]):
        return optimizer.minimize(loss, global_step=step)


def own_log():
    """Entries as a user adds them: types of one's own, and a count TensorFlow does not know."""
    log = tfprof_log_pb2.OpLogProto()
    for name in ('input/images', 'input/digits'):
        log.log_entries.add(name=name, types=['input_pipeline'])
    log.log_entries.add(name='accuracy/ArgMax', types=['metrics'], float_ops=BATCH * DIGITS)
    return log


def record():
    recording.start_case(CASE)
    images, digits = build_inputs()
    logits = build_softmax(images)
    with tf.name_scope('loss'):
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=digits, logits=logits))
    with tf.name_scope('accuracy'):
        accuracy = tf.reduce_mean(
            tf.cast(tf.equal(tf.argmax(logits, 1), digits), tf.float32))
    train_step = build_training(loss)
    saver = tf.train.Saver()

    def feed_of_step(step):
        return dict(zip((images, digits), make_batch(step)))

    with recording.session() as sess:
        sess.run(tf.global_variables_initializer())
        run_metas = recording.train(sess, [train_step, loss, accuracy], feed_of_step, 100,
                                    {0, 50, 99})
        recording.save_checkpoint(sess, saver, CASE)
    graph_def = recording.write_case(CASE, run_metas, own_log())
    recording.write_text_graph(CASE, graph_def)
