# SPDX-License-Identifier: Apache-2.0
"""tf.compat.v1, as far as it profiles."""
from tfprof.compat.v1 import profiler  # noqa: F401
