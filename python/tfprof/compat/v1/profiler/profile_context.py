# SPDX-License-Identifier: Apache-2.0
"""Profiles of the sessions of a block: some of their runs are traced, profiled and written."""
import contextlib
import os
import random
import sys
import threading

from tfprof.compat.v1.profiler.model_analyzer import Profiler

WARMUP_STEPS = 10
MAX_TRACED_STEPS = 100

_METHODS = {'graph': 'profile_graph', 'scope': 'profile_name_scope', 'op': 'profile_operations',
            'code': 'profile_python', 'python': 'profile_python'}


def _session_class():
    from tensorflow.python.client import session
    return session.BaseSession


class ProfileContext:
    """Traces runs of sessions in the block, and writes profiles.

        with ProfileContext('/tmp/train', trace_steps=range(10, 20), dump_steps=[20]) as context:
            context.add_auto_profiling('op', ProfileOptionBuilder.time_and_memory(), [15, 18])
            train_loop()
        context.get_profiles('op')  # by step

    A step is a run of a session. trace_steps: those that are traced, at most 100. By default, after 10 runs, each
    new set of fetches is traced, and some more runs where few nodes have run. dump_steps: where DIR/profile_STEP is
    written; by default at step 100, and at the end of the block if it was shorter. enabled: False does nothing.
    debug: also writes DIR/run_meta_STEP, and says on standard error what it does.
    """

    def __init__(self, profile_dir, trace_steps=None, dump_steps=None, enabled=True, debug=False):
        self._enabled = enabled
        if not enabled:
            return
        if not profile_dir:
            raise ValueError('Must have a directory for profile.\n')
        if trace_steps is not None and len(trace_steps) > MAX_TRACED_STEPS:
            raise ValueError('Only support tracing up to 100 steps.\n')
        self._dir, self._debug = profile_dir, debug
        self._traces_by_itself = trace_steps is None
        self._trace_steps = set(trace_steps or ())
        self._dumps_by_itself = dump_steps is None
        self._dump_steps = {MAX_TRACED_STEPS} if dump_steps is None else set(dump_steps)
        self._random = random.Random(111)
        self._fetched = set()
        self._trace_next = self._dump_next = False
        self._step = self._traced = self._dumped = 0
        self._auto_profiles = []
        self._profiler = None
        self._views = {}
        self._lock = threading.Lock()
        self._class = self._run = None

    def get_profiles(self, cmd):
        """The profiles of add_auto_profiling for `cmd`, by step."""
        if cmd not in self._views:
            raise ValueError('No autoprofiler for command: {}, was run'.format(cmd))
        return self._views[cmd]

    def add_auto_profiling(self, cmd, options, profile_steps):
        """Traces these steps, and profiles at each: cmd is scope, graph, op or code."""
        if not self._enabled:
            return
        if cmd not in _METHODS:
            raise ValueError('Unknown cmd: %s\n' % cmd)
        self._auto_profiles.append((cmd, options, set(profile_steps)))
        self._trace_steps |= set(profile_steps)

    @property
    def profiler(self):
        """The profiler with the traced steps; None if not enabled."""
        if not self._enabled:
            return None
        if self._profiler is None:
            self._profiler = Profiler()
        return self._profiler

    def trace_next_step(self):
        if self._enabled:
            self._trace_next = True

    def dump_next_step(self):
        if self._enabled:
            self._dump_next = True

    # ---- one run

    def _say(self, text):
        if self._debug:
            sys.stderr.write('debug: %s\n' % text)

    @contextlib.contextmanager
    def _new_step(self):
        """The number of the step, and whether this thread may trace it: one does at a time."""
        locked = self._lock.acquire(blocking=False)
        try:
            yield self._step, locked
        finally:
            self._step += 1
            if locked:
                self._trace_next = self._dump_next = False
                self._lock.release()

    def _is_fast(self, step):
        wanted = step in self._trace_steps or step in self._dump_steps or self._trace_next or self._dump_next
        by_itself = self._traces_by_itself and step > WARMUP_STEPS and self._traced <= MAX_TRACED_STEPS
        return not wanted and not by_itself

    def _should_trace(self, step, graph, fetches):
        if self._traced > MAX_TRACED_STEPS:
            return False
        if step in self._trace_steps or self._trace_next:
            return True
        if not self._traces_by_itself or step <= WARMUP_STEPS:
            return False
        from tensorflow.python.client import session
        with graph.as_default():
            unique = session._FetchMapper.for_fetch(fetches).unique_fetches()
        names = '-'.join(sorted(fetch.name for fetch in unique))
        if names not in self._fetched:
            self._fetched.add(names)
            return True
        return step < MAX_TRACED_STEPS and self._random.randint(0, 10) < 2 and self.profiler._coverage < 0.5

    def _traced_run(self, session, step, fetches, feed_dict, options, run_metadata):
        from tensorflow.core.protobuf import config_pb2
        self._traced += 1
        self._say('tracing step: %d' % step)
        run_metadata = run_metadata or config_pb2.RunMetadata()
        options = options or config_pb2.RunOptions(trace_level=config_pb2.RunOptions.FULL_TRACE)
        level = options.trace_level
        options.trace_level = config_pb2.RunOptions.FULL_TRACE
        try:
            result = self._run(session, fetches, feed_dict, options, run_metadata)
        finally:
            options.trace_level = level
        if self._debug:
            self._write('run_meta_%d' % step, str(run_metadata).encode())
        self.profiler._graph = session.graph
        self.profiler.add_step(step, run_metadata)
        return result

    def _slow_run(self, session, step, fetches, feed_dict, options, run_metadata):
        if self._should_trace(step, session.graph, fetches):
            result = self._traced_run(session, step, fetches, feed_dict, options, run_metadata)
        else:
            result = self._run(session, fetches, feed_dict, options, run_metadata)
        if step in self._dump_steps or self._dump_next:
            self._dump(step)
        for cmd, of_cmd, steps in self._auto_profiles:
            if step in steps:
                self._say('profiling %s step: %d' % (cmd, step))
                profiled = getattr(self.profiler, _METHODS[cmd])(of_cmd)
                self._views.setdefault(cmd, {})[step] = profiled
        return result

    def _write(self, name, data):
        os.makedirs(self._dir, exist_ok=True)
        with open(os.path.join(self._dir, name), 'wb') as file:
            file.write(data)

    def _dump(self, step):
        self._say('dumping file at step: %d' % step)
        self._dumped += 1
        self._write('profile_%d' % step, self.profiler.serialize_to_string())

    # ---- the block

    def __enter__(self):
        if not self._enabled:
            return self
        self._class = _session_class()
        if getattr(self._class, 'tfprof_context', None) is not None:
            raise RuntimeError('Already in context or context not cleaned.')
        run = self._run = self._class.run
        context = self

        def profiled(session, fetches, feed_dict=None, options=None, run_metadata=None):
            with context._new_step() as (step, locked):
                if locked and not context._is_fast(step):
                    return context._slow_run(session, step, fetches, feed_dict, options, run_metadata)
                return run(session, fetches, feed_dict, options, run_metadata)

        self._class.run = profiled
        self._class.tfprof_context = self
        return self

    def __exit__(self, kind, value, traceback):
        if not self._enabled:
            return
        self._class.run = self._run
        self._class.tfprof_context = None
        # A short loop never reaches the step at which profiles are written by default.
        if self._dumps_by_itself and self._traced and not self._dumped and kind is None:
            self._dump(self._step)
