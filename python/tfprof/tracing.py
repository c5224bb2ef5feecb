# SPDX-License-Identifier: Apache-2.0
"""Recording with the tracer of TensorFlow or JAX, and opening what it wrote. Either is imported only if it is used."""
import contextlib
import importlib
import importlib.util
import os
import sys
import tempfile
import warnings

from tfprof.errors import Error, UsageError

_FRAMEWORKS = ('jax', 'tensorflow')


def _chosen(framework):
    """The framework to trace: the one that is named, else one that is loaded, else one that is installed."""
    if framework:
        if framework not in _FRAMEWORKS:
            raise UsageError('usage', "no tracer of '%s'" % framework, '', 'one of: ' + ' '.join(_FRAMEWORKS))
        return framework
    for name in _FRAMEWORKS:
        if name in sys.modules:
            return name
    for name in _FRAMEWORKS:
        if importlib.util.find_spec(name):
            return name
    raise UsageError('usage', 'nothing to trace with', '', 'install TensorFlow or JAX; tfprof-capture records CUDA alone')


class _TensorFlow:
    def start(self, folder, host_level, python):
        profiler = importlib.import_module('tensorflow').profiler.experimental
        options = profiler.ProfilerOptions(host_tracer_level=host_level, python_tracer_level=1 if python else 0)
        profiler.start(folder, options=options)

    def stop(self):
        sys.modules['tensorflow'].profiler.experimental.stop()

    def span(self, name, step_num, details):
        experimental = sys.modules['tensorflow'].profiler.experimental
        if step_num is not None:
            details = dict(details, step_num=step_num, _r=1)
        return experimental.Trace(name, **details)


class _Jax:
    def start(self, folder, host_level, python):
        profiler = importlib.import_module('jax').profiler
        given = {}
        if hasattr(profiler, 'ProfileOptions'):
            options = profiler.ProfileOptions()
            options.host_tracer_level = host_level
            options.python_tracer_level = 1 if python else 0
            given['profiler_options'] = options
        profiler.start_trace(folder, **given)

    def stop(self):
        sys.modules['jax'].profiler.stop_trace()

    def span(self, name, step_num, details):
        profiler = sys.modules['jax'].profiler
        if step_num is not None:
            return profiler.StepTraceAnnotation(name, step_num=step_num, **details)
        return profiler.TraceAnnotation(name, **details)


_TRACERS = {'tensorflow': _TensorFlow(), 'jax': _Jax()}
_running = []  # the recordings in progress


class Recording:
    """A recording: `folder`, and `profile` once it has ended."""

    def __init__(self, folder, framework):
        self.folder, self.framework = folder, framework
        self.has_steps = False  # Trace(step_num=) marked one
        self._profile = None
        self._ended = False

    @property
    def profile(self):
        if self._profile is None:
            if not self._ended:
                raise Error('usage', 'the recording has not ended')
            from tfprof.profile import open as open_profile
            self._profile = open_profile(self.folder)
        return self._profile

    def _end(self):
        self._ended = True
        if self.has_steps and self.framework == 'tensorflow':
            _warn_of_input_outside(self.profile)


def _warn_of_input_outside(profile):
    """Input that is fetched before a step begins seems to cost nothing: no step contains it."""
    fetches = {'where': 'name ~ IteratorGetNext', 'columns': 'duration_us'}
    try:
        if not len(profile.events(**fetches)) or len(profile.events(step='0:1000000000', **fetches)):
            return
    except Error:
        return  # no steps
    warnings.warn('the data set is iterated outside of the steps: call next(iterator) inside of tfprof.Trace',
                  stacklevel=5)


@contextlib.contextmanager
def trace(log_dir=None, framework=None, host_tracer_level=2, python_tracer=False):
    """Records what the block does, with the tracer of TensorFlow or JAX.

        with tfprof.trace('/tmp/run') as recording:
            for step in range(10):
                with tfprof.Trace('train', step_num=step):
                    train(next(batches))
        recording.profile.overview()

    log_dir: where the recording is written; a temporary folder by default. framework: 'tensorflow' or 'jax'; by
    default the one that is imported. python_tracer: also records calls of Python functions.
    """
    name = _chosen(framework)
    folder = os.fspath(log_dir) if log_dir is not None else tempfile.mkdtemp(prefix='tfprof_')
    recording = Recording(folder, name)
    _TRACERS[name].start(folder, host_tracer_level, python_tracer)
    _running.append(recording)
    try:
        yield recording
    finally:
        _running.remove(recording)
        _TRACERS[name].stop()
    recording._end()


@contextlib.contextmanager
def Trace(name, step_num=None, **details):  # pylint: disable=invalid-name
    """Marks a span of a recording in progress; with step_num, a step of training. Does nothing otherwise."""
    if not _running:
        yield
        return
    recording = _running[-1]
    recording.has_steps |= step_num is not None
    with _TRACERS[recording.framework].span(name, step_num, details):
        yield


def _batches(profile_batch):
    """(first, last) of 3, (10, 15) or '10, 15'."""
    if isinstance(profile_batch, str):
        profile_batch = [int(number) for number in profile_batch.split(',')]
    if isinstance(profile_batch, int):
        profile_batch = (profile_batch, profile_batch)
    first, last = profile_batch
    if first < 1 or last < first:
        raise ValueError('profile_batch is a batch or a range of batches, from 1: %r' % (profile_batch,))
    return first, last


def keras_callback(log_dir=None, profile_batch='10, 15', framework=None, on_profile=None):
    """A callback of Keras that records some batches of training, as TensorBoard's `profile_batch` does.

        callback = tfprof.keras_callback(profile_batch='10, 15')
        model.fit(data, callbacks=[callback])
        callback.profile.overview()

    on_profile: called with the profile as soon as it is recorded.
    """
    keras = sys.modules.get('keras') or importlib.import_module('keras')
    first, last = _batches(profile_batch)

    class Callback(keras.callbacks.Callback):
        """Records batches of training; `profile` is what was recorded."""

        def __init__(self):
            super().__init__()
            self._batch = 0
            self._open = None
            self._recording = None
            self._step = None

        @property
        def profile(self):
            if self._recording is None:
                raise Error('usage', 'batch %d was not reached' % first)
            return self._recording.profile

        def on_train_batch_begin(self, batch, logs=None):
            self._batch += 1
            if self._batch == first:
                self._open = trace(log_dir, framework)
                self._recording = self._open.__enter__()
            if self._open is not None:
                self._step = Trace('train', step_num=self._batch)
                self._step.__enter__()
                self._recording.has_steps = False  # Keras fetches the batch before it calls this

        def on_train_batch_end(self, batch, logs=None):
            if self._step is not None:
                self._step.__exit__(None, None, None)
                self._step = None
            if self._open is not None and self._batch >= last:
                self._finish()

        def on_train_end(self, logs=None):
            if self._open is not None:
                self._finish()

        def _finish(self):
            opened, self._open = self._open, None
            opened.__exit__(None, None, None)
            if on_profile is not None:
                on_profile(self.profile)

    return Callback()
