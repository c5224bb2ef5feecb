# SPDX-License-Identifier: Apache-2.0
"""The interface of tf.compat.v1.profiler: same names, same defaults, same numbers, without TensorFlow.

Graphs, run metadata and op logs are given as serialized bytes, as protobuf messages, or as objects of TensorFlow,
which alone import it. Results have the fields of the original's messages.
"""
from tfprof.compat.v1.profiler import model_analyzer, option_builder, tfprof_logger, timeline
from tfprof.compat.v1.profiler.messages import AdviceProto, GraphNodeProto, MultiGraphNodeProto, OpLogProto
from tfprof.compat.v1.profiler.model_analyzer import ALL_ADVICE, Profiler, advise, profile
from tfprof.compat.v1.profiler.option_builder import ProfileOptionBuilder
from tfprof.compat.v1.profiler.profile_context import ProfileContext
from tfprof.compat.v1.profiler.tfprof_logger import write_op_log

__all__ = ['ALL_ADVICE', 'AdviceProto', 'GraphNodeProto', 'MultiGraphNodeProto', 'OpLogProto', 'ProfileContext',
           'ProfileOptionBuilder', 'Profiler', 'advise', 'model_analyzer', 'option_builder', 'profile',
           'tfprof_logger', 'timeline', 'write_op_log']
