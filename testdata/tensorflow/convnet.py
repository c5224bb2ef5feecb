# SPDX-License-Identifier: Apache-2.0
"""A small convolution network with batch normalization, trained with momentum; two traced steps."""
import numpy as np
import tensorflow.compat.v1 as tf

import recording

CASE = 'convnet'
BATCH, SIDE, COLORS, CLASSES = 8, 12, 3, 4


def make_batch(step):
    """The class says which quarter of the image is bright."""
    random = np.random.RandomState(step)
    classes = random.randint(CLASSES, size=BATCH)
    images = random.uniform(0.0, 0.3, size=(BATCH, SIDE, SIDE, COLORS)).astype(np.float32)
    half = SIDE // 2
    for image, label in zip(images, classes):
        row, column = divmod(label, 2)
        image[row * half:(row + 1) * half, column * half:(column + 1) * half] += 0.7
    return images, classes


def batch_norm(x):
    """Normalizes over the batch and moves the averages towards what was seen."""
    channels = x.shape[-1]
    with tf.variable_scope('batch_norm'):
        scale = tf.get_variable('scale', [channels], initializer=tf.ones_initializer())
        offset = tf.get_variable('offset', [channels], initializer=tf.zeros_initializer())
        mean = tf.get_variable('mean', [channels], initializer=tf.zeros_initializer(),
                               trainable=False)
        y, batch_mean, _ = tf.nn.fused_batch_norm(x, scale, offset)
        update = tf.assign_sub(mean, 0.1 * (mean - batch_mean))
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
    return y


def convolution(x, channels, stride):
    kernel = tf.get_variable('kernel', [3, 3, x.shape[-1], channels],
                             initializer=tf.random_normal_initializer(stddev=0.1))
    x = tf.nn.conv2d(x, kernel, strides=[1, stride, stride, 1], padding='SAME')
    return tf.nn.relu(batch_norm(x))


def build_network(images):
    with tf.variable_scope('conv1'):
        x = convolution(images, 8, 1)
        x = tf.nn.max_pool2d(x, 2, 2, 'SAME', name='pool')
    with tf.variable_scope('conv2'):
        x = convolution(x, 12, 2)
    with tf.variable_scope('dense'):
        x = tf.reduce_mean(x, [1, 2])
        weights = tf.get_variable('weights', [x.shape[-1], CLASSES],
                                  initializer=tf.random_normal_initializer(stddev=0.1))
        bias = tf.get_variable('bias', [CLASSES], initializer=tf.zeros_initializer())
        return tf.matmul(x, weights) + bias


def record():
    recording.start_case(CASE)
    images = tf.placeholder(tf.float32, [BATCH, SIDE, SIDE, COLORS], name='images')
    classes = tf.placeholder(tf.int64, [BATCH], name='classes')
    logits = build_network(images)
    with tf.name_scope('loss'):
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    saver = tf.train.Saver(tf.trainable_variables())

    def feed_of_step(step):
        return dict(zip((images, classes), make_batch(step)))

    with recording.session() as sess:
        sess.run(tf.global_variables_initializer())
        run_metas = recording.train(sess, [train_step, loss], feed_of_step, 20, {1, 19})
        recording.save_checkpoint(sess, saver, CASE)
    recording.write_case(CASE, run_metas, library_frames=3)
