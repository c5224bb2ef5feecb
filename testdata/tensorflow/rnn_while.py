# SPDX-License-Identifier: Apache-2.0
"""A recurrent network over sequences: a while loop of version 1 (Enter, Merge, Switch, Exit).

The loop's operations run several times in a step, so one node has many records.
"""
import numpy as np
import tensorflow.compat.v1 as tf

import recording

CASE = 'rnn_while'
BATCH, LENGTH, FEATURES, UNITS = 2, 2, 3, 4


class GatedCell:
    """h' = z * h + (1 - z) * tanh(W [x, h] + b), the least that dynamic_rnn takes for a cell."""
    state_size = UNITS
    output_size = UNITS

    def zero_state(self, batch_size, dtype):
        return tf.zeros([batch_size, UNITS], dtype)

    def __call__(self, inputs, state, scope=None):
        with tf.variable_scope(scope or 'cell'):
            weights = tf.get_variable('weights', [FEATURES + UNITS, 2 * UNITS],
                                      initializer=tf.random_normal_initializer(stddev=0.3))
            bias = tf.get_variable('bias', [2 * UNITS], initializer=tf.zeros_initializer())
            both = tf.nn.bias_add(tf.matmul(tf.concat([inputs, state], 1), weights), bias)
            gate, candidate = tf.split(both, 2, 1)
            gate = tf.sigmoid(gate)
            state = gate * state + (1.0 - gate) * tf.tanh(candidate)
        return state, state


def make_batch(step):
    """Sequences of noise; the target is the sum of each one's first feature."""
    values = np.random.RandomState(step).uniform(-1, 1, size=(BATCH, LENGTH, FEATURES))
    return values.astype(np.float32), values[:, :, 0].sum(1).astype(np.float32)


def record():
    recording.start_case(CASE)
    values = tf.placeholder(tf.float32, [BATCH, LENGTH, FEATURES], name='values')
    target = tf.placeholder(tf.float32, [BATCH], name='target')
    _, last = tf.nn.dynamic_rnn(GatedCell(), values, dtype=tf.float32)
    with tf.name_scope('loss'):
        loss = tf.reduce_mean(tf.square(tf.reduce_sum(last, 1) - target))
    train_step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    def feed_of_step(step):
        return dict(zip((values, target), make_batch(step)))

    with recording.session() as sess:
        sess.run(tf.global_variables_initializer())
        run_metas = recording.train(sess, [train_step, loss], feed_of_step, 10, {9})
    recording.write_case(CASE, run_metas, library_frames=2)
