# SPDX-License-Identifier: Apache-2.0
"""Op logs: what is known about the nodes of a graph beside the graph.

Of a graph of TensorFlow, TensorFlow itself says the float operations, the code and the trainable variables.
"""
import os
import sys

from tfprof import native
from tfprof.compat.v1.profiler import messages
from tfprof.compat.v1.profiler.option_builder import TRAINABLE_VARIABLES

REGISTERED_FLOP_STATS = 'flops'

__all__ = ['REGISTERED_FLOP_STATS', 'TRAINABLE_VARIABLES', 'merge_default_with_oplog', 'write_op_log']


def is_graph(graph):
    """Whether it is a tf.Graph."""
    return hasattr(graph, 'as_graph_def')


def graph_or_default(graph):
    """The given graph, else the default graph of TensorFlow, if it is loaded and not eager."""
    if graph is not None and (not hasattr(graph, '__len__') or len(graph)):
        return graph
    tensorflow = sys.modules.get('tensorflow')
    if tensorflow is None or tensorflow.executing_eagerly():
        return None
    return tensorflow.compat.v1.get_default_graph()


def graph_bytes(graph):
    if is_graph(graph):
        return graph.as_graph_def(add_shapes=True).SerializeToString()
    if isinstance(graph, (str, os.PathLike)) and os.path.isdir(graph):
        graph = os.path.join(graph, 'saved_model.pb')
    return messages.to_bytes(graph)


def version_of(graph):
    """What changes when a graph grows; None: it is no tf.Graph."""
    return (graph, graph.version) if is_graph(graph) else None


def completes_shapes(graph, run_meta):
    """Whether a run knows shapes that a tf.Graph lacks: more float operations are then known."""
    if not is_graph(graph):
        return False
    if not hasattr(run_meta, 'step_stats'):
        run_meta = messages.RunMetadata.FromString(messages.to_bytes(run_meta))
    for device in run_meta.step_stats.dev_stats:
        for node in device.node_stats:
            outputs = _outputs(graph, node.node_name) if node.output else ()
            if len(outputs) == len(node.output) and not all(one.shape.is_fully_defined() for one in outputs):
                return True
    return False


def _outputs(graph, name):
    try:
        return graph.get_operation_by_name(name).outputs
    except (KeyError, ValueError):  # the runtime's own record
        return ()


def _of_tensorflow(message, kind):
    """A copy of a message as one of TensorFlow's own; None stays None."""
    if message is None:
        return None
    made = kind()
    made.ParseFromString(messages.to_bytes(message))
    return made


def op_log_bytes(graph, op_log=None, run_meta=None, add_trace=True, add_trainable_var=True):
    """The given op log with what TensorFlow knows about its graph, serialized."""
    if not is_graph(graph):
        return messages.to_bytes(op_log)
    from tensorflow.core.profiler import tfprof_log_pb2
    from tensorflow.core.protobuf import config_pb2
    from tensorflow.python.profiler import tfprof_logger
    merged = tfprof_logger.merge_default_with_oplog(
        graph, _of_tensorflow(op_log, tfprof_log_pb2.OpLogProto), _of_tensorflow(run_meta, config_pb2.RunMetadata),
        add_trace=add_trace, add_trainable_var=add_trainable_var)
    return merged.SerializeToString()


def merge_default_with_oplog(graph, op_log=None, run_meta=None, add_trace=True, add_trainable_var=True):
    """The given op log with what is known about the graph."""
    merged = op_log_bytes(graph_or_default(graph), op_log, run_meta, add_trace, add_trainable_var)
    return messages.OpLogProto.FromString(merged)


def write_op_log(graph, log_dir, op_log=None, run_meta=None, add_trace=True):
    """Writes LOG_DIR/tfprof_log: the given op log with what is known about the graph."""
    graph = graph_or_default(graph)
    os.makedirs(log_dir, exist_ok=True)
    path = os.path.join(log_dir, 'tfprof_log')
    if is_graph(graph):
        with open(path, 'wb') as log:
            log.write(op_log_bytes(graph, op_log, run_meta, add_trace))
        return
    profiler = native.Profiler(graph_bytes(graph), messages.to_bytes(op_log))
    if run_meta is not None:
        profiler.add_step(0, messages.to_bytes(run_meta), b'')
    profiler.open().write('save', path, [('oplog', 'true'), ('overwrite', 'true')])
