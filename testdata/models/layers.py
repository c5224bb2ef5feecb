# SPDX-License-Identifier: Apache-2.0
"""Writes layers/ of this folder:  python layers.py   (README.md tells what it is)

A stack of equal layers, of which one is wider than the others and one has a gate, runs once.
"""
import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'layers')
LAYERS = 12
WIDE, GATED = 5, 9
UNITS = 96


def dense(tf, x, name, units):
    """A matrix product with a rectifier, in a scope of its own."""
    with tf.variable_scope(name):
        kernel = tf.get_variable('kernel', [x.shape[1], units],
                                 initializer=tf.constant_initializer(0.01))
        return tf.nn.relu(tf.matmul(x, kernel))


def layer(tf, x, number):
    with tf.variable_scope(f'layer_{number}'):
        x = dense(tf, x, 'attention', UNITS)
        x = dense(tf, x, 'mlp', UNITS * (24 if number == WIDE else 1))
        if number == WIDE:
            x = x[:, :UNITS]
        if number == GATED:
            x = dense(tf, x, 'gate', UNITS)
        return x


def write(message, name):
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, name), 'wb') as file:
        file.write(message.SerializeToString(deterministic=True))


def record(tf):
    x = tf.placeholder(tf.float32, [96, UNITS], name='x')
    y = x
    for number in range(LAYERS):
        y = layer(tf, y, number)
    loss = tf.reduce_mean(y, name='loss')
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    run_meta = tf.RunMetadata()
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        feed = {x: [[0.25] * UNITS] * 96}
        for _ in range(3):
            sess.run(loss, feed)
        sess.run(loss, feed, options=options, run_metadata=run_meta)
    write(tf.get_default_graph().as_graph_def(), 'graph.pb')
    write(run_meta, 'run_meta')


def main():
    os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
    os.environ['TF_ENABLE_ONEDNN_OPTS'] = '0'
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    record(tf)
    return 0


if __name__ == '__main__':
    sys.exit(main())
