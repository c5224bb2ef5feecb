# SPDX-License-Identifier: Apache-2.0
"""Two towers on two CPU devices that share their variables: sends and receives between devices."""
import numpy as np
import tensorflow.compat.v1 as tf

import recording

CASE = 'two_devices'
DEVICES = ['/device:CPU:0', '/device:CPU:1']
BATCH, FEATURES, HIDDEN = 8, 16, 12


def make_batch(step):
    values = np.random.RandomState(step).normal(size=(BATCH, FEATURES)).astype(np.float32)
    return values, np.tanh(values.sum(1, keepdims=True))


def build_tower(values, target):
    """The loss of one half of the batch; the second tower uses the variables of the first."""
    with tf.variable_scope('model', reuse=tf.AUTO_REUSE):
        # Variables live on the first device whoever reads them.
        with tf.device(DEVICES[0]):
            hidden = tf.get_variable('hidden', [FEATURES, HIDDEN],
                                     initializer=tf.random_normal_initializer(stddev=0.3))
            output = tf.get_variable('output', [HIDDEN, 1],
                                     initializer=tf.random_normal_initializer(stddev=0.3))
        answer = tf.matmul(tf.tanh(tf.matmul(values, hidden)), output)
    return tf.reduce_mean(tf.square(answer - target), name='loss')


def average(gradients_of_towers):
    """[(mean gradient, variable)] over the towers' lists of (gradient, variable)."""
    averaged = []
    for pairs in zip(*gradients_of_towers):
        gradients = [gradient for gradient, _ in pairs]
        averaged.append((tf.add_n(gradients) / len(gradients), pairs[0][1]))
    return averaged


def record():
    recording.start_case(CASE)
    values = tf.placeholder(tf.float32, [BATCH, FEATURES], name='values')
    target = tf.placeholder(tf.float32, [BATCH, 1], name='target')
    optimizer = tf.train.RMSPropOptimizer(0.01)
    gradients_of_towers = []
    halves = zip(DEVICES, tf.split(values, 2), tf.split(target, 2))
    for index, (device, half_values, half_target) in enumerate(halves):
        with tf.device(device), tf.name_scope('tower_%d' % index):
            loss = build_tower(half_values, half_target)
            gradients_of_towers.append(optimizer.compute_gradients(loss))
    with tf.device(DEVICES[0]):
        train_step = optimizer.apply_gradients(average(gradients_of_towers))

    def feed_of_step(step):
        return dict(zip((values, target), make_batch(step)))

    with recording.session(cpu_devices=2) as sess:
        sess.run(tf.global_variables_initializer())
        run_metas = recording.train(sess, [train_step, loss], feed_of_step, 10, {0, 9},
                                    partition_graphs=True)
    recording.write_case(CASE, run_metas)
