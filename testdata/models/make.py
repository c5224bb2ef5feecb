# SPDX-License-Identifier: Apache-2.0
"""Writes the files of this folder:  python make.py   (README.md tells what they are)

A linear model is trained in the manner of TensorFlow 1 and saved as MetaGraphDef and SavedModel;
another one is a tf.function, whose SavedModel has its nodes in the function library.
"""
import glob
import gzip
import os
import shutil
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
TRACED_STEPS = (1, 2, 10)


def path(*names):
    return os.path.join(FOLDER, *names)


def write(data, *names):
    os.makedirs(os.path.dirname(path(*names)), exist_ok=True)
    with open(path(*names), 'wb') as file:
        file.write(data)


def build_linear(tf, training):
    """y = x w + b; the training graph has a loss and a step besides."""
    x = tf.placeholder(tf.float32, [8, 4], name='x')
    with tf.variable_scope('linear'):
        w = tf.get_variable('w', [4, 2], initializer=tf.zeros_initializer())
        b = tf.get_variable('b', [2], initializer=tf.zeros_initializer())
        y = tf.nn.bias_add(tf.matmul(x, w), b, name='y')
    if not training:
        return x, y
    with tf.name_scope('loss'):
        loss = tf.reduce_mean(tf.square(y - 1.0))
    return x, tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def new_graph(tf):
    tf.reset_default_graph()
    tf.set_random_seed(1)


def session(tf):
    return tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=1,
                                            inter_op_parallelism_threads=1))


def record_runs(tf, sess, fetch, x):
    """run_metas/run_meta_N of the traced steps."""
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    for step in range(max(TRACED_STEPS) + 1):
        run_meta = tf.RunMetadata()
        sess.run(fetch, {x: [[0.25] * 4] * 8}, options=options, run_metadata=run_meta)
        if step in TRACED_STEPS:
            write(run_meta.SerializeToString(deterministic=True), 'run_metas', f'run_meta_{step}')


def save_linear():
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    tf.disable_resource_variables()
    builder = tf.saved_model.builder.SavedModelBuilder(path('saved_model'))
    new_graph(tf)
    x, train = build_linear(tf, training=True)
    with session(tf) as sess:
        sess.run(tf.global_variables_initializer())
        record_runs(tf, sess, train, x)
        saver = tf.train.Saver()
        meta = saver.export_meta_graph(path('linear.meta'), clear_extraneous_savers=True)
        saver.export_meta_graph(path('linear.meta.pbtxt'), as_text=True,
                                clear_extraneous_savers=True)
        write(gzip.compress(meta.SerializeToString(deterministic=True), mtime=0), 'linear.meta.gz')
        builder.add_meta_graph_and_variables(sess, [tf.saved_model.tag_constants.TRAINING])
    new_graph(tf)
    build_linear(tf, training=False)
    builder.add_meta_graph([tf.saved_model.tag_constants.SERVING])
    builder.save()
    builder.save(as_text=True)
    os.makedirs(path('saved_model_text'))
    shutil.move(path('saved_model', 'saved_model.pbtxt'), path('saved_model_text'))


def save_function():
    import tensorflow as tf

    class Linear(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(tf.zeros([4, 2]), name='w')

        @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
        def __call__(self, x):
            return tf.nn.relu(tf.matmul(x, self.w))

    tf.saved_model.save(Linear(), path('function'))


def main():
    if len(sys.argv) > 1:
        {'linear': save_linear, 'function': save_function}[sys.argv[1]]()
        return
    for name in ('saved_model', 'saved_model_text', 'function', 'run_metas'):
        shutil.rmtree(path(name), ignore_errors=True)
    # Each in a process of its own: TensorFlow's switches are for all of one.
    for name in ('linear', 'function'):
        subprocess.run([sys.executable, os.path.abspath(__file__), name], check=True)
    # Only the graphs are wanted.
    for extra in ('variables', 'assets', 'debug', 'fingerprint.pb'):
        for found in glob.glob(path('*', extra)):
            os.remove(found) if os.path.isfile(found) else shutil.rmtree(found)


if __name__ == '__main__':
    main()
