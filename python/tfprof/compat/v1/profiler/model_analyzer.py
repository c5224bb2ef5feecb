# SPDX-License-Identifier: Apache-2.0
"""Profiles of a graph and its runs: Profiler, profile, advise."""
import sys

from tfprof import native
from tfprof.compat.v1.profiler import tfprof_logger
from tfprof.compat.v1.profiler.messages import AdviceProto, GraphNodeProto, MultiGraphNodeProto, to_bytes
from tfprof.compat.v1.profiler.option_builder import ProfileOptionBuilder
from tfprof.errors import UsageError

_DEFAULT_PROFILE_OPTIONS = 0
_DEFAULT_ADVISE_OPTIONS = 0

ALL_ADVICE = {
    'ExpensiveOperationChecker': {},
    'AcceleratorUtilizationChecker': {},
    'JobChecker': {},  # the original has the name, and no such checker
    'OperationChecker': {},
}

_MESSAGES = {'scope': GraphNodeProto, 'graph': GraphNodeProto, 'op': MultiGraphNodeProto,
             'code': MultiGraphNodeProto}


class Profiler:
    """A profiler of several steps. Any number may exist at once.

        profiler = Profiler(sess.graph)
        for i in range(total_steps):
            run_meta = tf.compat.v1.RunMetadata()
            sess.run(..., options=tf.compat.v1.RunOptions(trace_level=3), run_metadata=run_meta)
            profiler.add_step(i, run_meta)
        profiler.profile_operations(ProfileOptionBuilder.time_and_memory())
        profiler.advise()

    graph: a tf.Graph, or a GraphDef, a MetaGraphDef or a SavedModel, as a message, as bytes or as the path of a file or
    of the folder of a SavedModel. op_log: an OpLogProto likewise.
    """

    def __init__(self, graph=None, op_log=None, cmd=None):  # an old example passes cmd
        self._graph = tfprof_logger.graph_or_default(graph)
        self._open(tfprof_logger.op_log_bytes(self._graph, op_log))

    def _open(self, op_log):
        self._sent = tfprof_logger.version_of(self._graph)
        self._logged = None  # the version of the graph whose op log a step brought
        self._native = native.Profiler(tfprof_logger.graph_bytes(self._graph), op_log)

    @property
    def _coverage(self):
        return self._native.coverage()

    def add_step(self, step, run_meta):
        """Adds the RunMetadata of a run; runs with equal `step` make one step."""
        self._native.add_step(step, to_bytes(run_meta), self._new_op_log(run_meta))

    def _new_op_log(self, run_meta):
        """What TensorFlow says about its graph; nothing if neither the graph nor its shapes changed."""
        version = tfprof_logger.version_of(self._graph)
        if version != self._sent:
            self._native.update_graph(tfprof_logger.graph_bytes(self._graph))
            self._sent = version
        if version == self._logged and not tfprof_logger.completes_shapes(self._graph, run_meta):
            return b''
        self._logged = version
        return tfprof_logger.op_log_bytes(self._graph, run_meta=run_meta)

    def _profile(self, view, options):
        options = {name: value for name, value in options.items() if value is not None}
        dumped = options.pop('dump_to_file', '')
        if dumped:
            options['output'] = 'file:outfile=' + dumped
        message, text, errors = self._native.ask(view, options)
        sys.stdout.write(text)
        # The original has no notes.
        sys.stderr.write(''.join(line for line in errors.splitlines(True) if not line.startswith('note: ')))
        return _MESSAGES[view].FromString(message)

    def profile_python(self, options):
        """By line of Python code: a MultiGraphNodeProto."""
        return self._profile('code', options)

    def profile_operations(self, options):
        """By type of operation: a MultiGraphNodeProto."""
        return self._profile('op', options)

    def profile_name_scope(self, options):
        """By name scope: a GraphNodeProto."""
        return self._profile('scope', options)

    def profile_graph(self, options):
        """By inputs of nodes: a GraphNodeProto."""
        return self._profile('graph', options)

    def advise(self, options=None):
        """Reports of checkers: an AdviceProto. options: the checkers as keys, all by default."""
        message, text = self._native.advise(list(ALL_ADVICE if options is None else options))
        sys.stdout.write(text)
        return AdviceProto.FromString(message)

    def serialize_to_string(self):
        """The profile of all steps as a serialized ProfileProto, which tfprof.open reads."""
        return self._native.serialize()

    def _write_profile(self, filename):
        with open(filename, 'wb') as file:
            file.write(self.serialize_to_string())

    def to_profile(self):
        """The same as an open profile, which every view of tfprof answers about."""
        from tfprof.profile import Profile
        return Profile(self._native.open(), ['(profiler)'])


def _profiler_of(graph, run_meta, op_log, add_trace):
    graph = tfprof_logger.graph_or_default(graph)
    merged = tfprof_logger.op_log_bytes(graph, op_log, run_meta, add_trace=add_trace)
    profiler = Profiler.__new__(Profiler)
    profiler._graph = graph
    profiler._open(merged)
    run = to_bytes(run_meta)
    if run:
        profiler._native.add_step(0, run, b'')
    return profiler


def profile(graph=None, run_meta=None, op_log=None, cmd='scope', options=_DEFAULT_PROFILE_OPTIONS):
    """Profiles a model once.

    cmd: scope, graph (a GraphNodeProto is returned), op or code (a MultiGraphNodeProto). options: see
    ProfileOptionBuilder; the parameters of trainable variables by default. Their `output` is where text, a timeline
    or samples go besides.
    """
    if cmd not in _MESSAGES:
        raise UsageError('usage', 'unknown cmd: %s' % cmd, '', 'one of: ' + ' '.join(_MESSAGES))
    if options is None or options == _DEFAULT_PROFILE_OPTIONS:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    return _profiler_of(graph, run_meta, op_log, cmd == 'code')._profile(cmd, options)


def advise(graph=None, run_meta=None, options=_DEFAULT_ADVISE_OPTIONS):
    """Reports of the checkers, the keys of `options`: an AdviceProto. All by default."""
    if options is None or options == _DEFAULT_ADVISE_OPTIONS:
        options = ALL_ADVICE.copy()
    return _profiler_of(graph, run_meta, None, True).advise(options)
