# SPDX-License-Identifier: Apache-2.0
"""Profiles of machine-learning programs: open them, ask about them, draw them.

    import tfprof
    profile = tfprof.open('profile.pb')
    profile.op(order_by='micros', n=10)          # shown as a table
    profile.op(select=['micros']).to_pandas()    # a DataFrame

`tfprof.compat.v1.profiler` has the programming interface of tf.compat.v1.profiler, without TensorFlow.
"""
import os as _os
import sys as _sys

# TensorFlow shows its protobuf to the whole process; the library must find its own.
_flags = _sys.getdlopenflags()
_sys.setdlopenflags(_os.RTLD_NOW | getattr(_os, 'RTLD_DEEPBIND', 0))
try:
    from tfprof import native as _native
finally:
    _sys.setdlopenflags(_flags)

# pylint: disable=wrong-import-position
from tfprof.errors import Error, UsageError
from tfprof.profile import Profile, diff, open  # pylint: disable=redefined-builtin
from tfprof.report import Report, Table
from tfprof.tracing import Trace, keras_callback, trace

__version__ = _native.version
__all__ = ['Error', 'Profile', 'Report', 'Table', 'Trace', 'UsageError', 'diff', 'keras_callback', 'open', 'trace']
