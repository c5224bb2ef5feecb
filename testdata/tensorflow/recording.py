# SPDX-License-Identifier: Apache-2.0
"""What every case shares: a traced training loop, and writing what it left behind.

Nothing that names the machine gets into a file: file names in code traces are relative to this
folder, or to site-packages.
"""
import gzip
import os
import shutil

import tensorflow.compat.v1 as tf
from google.protobuf import text_format
from tensorflow.python.profiler import tfprof_logger

FOLDER = os.path.dirname(os.path.abspath(__file__))


def case_path(case, name=''):
    return os.path.join(FOLDER, case, name)


def start_case(case):
    """An empty folder and an empty graph with the variables and loops of TensorFlow 1."""
    shutil.rmtree(case_path(case), ignore_errors=True)
    os.makedirs(case_path(case))
    tf.disable_v2_behavior()
    tf.disable_control_flow_v2()
    tf.disable_resource_variables()
    tf.reset_default_graph()
    tf.set_random_seed(1)


def session(cpu_devices=1):
    """One thread per pool, so that as little as possible differs between two recordings."""
    config = tf.ConfigProto(device_count={'CPU': cpu_devices}, intra_op_parallelism_threads=1,
                            inter_op_parallelism_threads=1)
    return tf.Session(config=config)


def train(sess, fetches, feed_of_step, steps, traced_steps, partition_graphs=False):
    """Runs `steps` steps and returns the RunMetadata of the traced ones, in order.

    With `partition_graphs` the last one also holds each device's part of the graph, with the
    sends and receives between them.
    """
    run_metas = []
    for step in range(steps):
        if step not in traced_steps:
            sess.run(fetches, feed_of_step(step))
            continue
        run_meta = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        options.output_partition_graphs = partition_graphs and step == steps - 1
        sess.run(fetches, feed_of_step(step), options=options, run_metadata=run_meta)
        run_metas.append(run_meta)
    return run_metas


def relative_name(text):
    """A source file's name without the place where it is installed; other text as it is."""
    if not text.startswith('/'):
        return text
    if text.startswith(FOLDER + '/'):
        return text[len(FOLDER) + 1:]
    if '/site-packages/' in text:
        return text.rsplit('/site-packages/', 1)[1]
    return 'python/' + os.path.basename(text)


def shorten_traces(op_log, library_frames):
    """Keeps of every code trace our own frames and `library_frames` of those each one calls."""
    used = {0}
    for entry in op_log.log_entries:
        kept, run = [], 0
        for frame in entry.code_def.traces:
            library = op_log.id_to_string[frame.file_id].startswith('tensorflow/')
            run = run + 1 if library else 0
            if run <= library_frames:
                kept.append(frame)
                used.update((frame.file_id, frame.function_id, frame.line_id))
        shortened = type(entry.code_def)(traces=kept)
        entry.code_def.CopyFrom(shortened)
    for key in set(op_log.id_to_string) - used:
        del op_log.id_to_string[key]


def write_case(case, run_metas, op_log=None, library_frames=None):
    """Writes graph.pb, run_meta_0 ..., op_log of the default graph.

    `op_log` holds the case's own entries (types, float_ops); what TensorFlow knows itself (code
    traces, float_ops of registered operations, trainable variables) is merged into it.
    """
    graph = tf.get_default_graph()
    # First the log: it completes the graph's shapes from the recorded ones.
    merged = tfprof_logger.merge_default_with_oplog(graph, op_log, run_metas[-1])
    for key, text in merged.id_to_string.items():
        merged.id_to_string[key] = relative_name(text)
    if library_frames is not None:
        shorten_traces(merged, library_frames)
    write(case, 'op_log', merged.SerializeToString(deterministic=True))
    graph_def = graph.as_graph_def(add_shapes=True)
    write(case, 'graph.pb', graph_def.SerializeToString(deterministic=True))
    for index, run_meta in enumerate(run_metas):
        write(case, 'run_meta_%d' % index, run_meta.SerializeToString(deterministic=True))
    return graph_def


def write_text_graph(case, graph_def):
    write(case, 'graph.pbtxt', text_format.MessageToString(graph_def).encode())


def write(case, name, data):
    with open(case_path(case, name), 'wb') as file:
        file.write(data)


def compress(case, name):
    """NAME.gz beside NAME, without a time stamp."""
    with open(case_path(case, name), 'rb') as file:
        write(case, name + '.gz', gzip.compress(file.read(), mtime=0))


def save_checkpoint(sess, saver, case):
    """ckpt.index and ckpt.data-00000-of-00001, and nothing else."""
    saver.save(sess, case_path(case, 'ckpt'), write_meta_graph=False, write_state=False)
