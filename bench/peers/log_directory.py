# SPDX-License-Identifier: Apache-2.0
"""A log directory, as xprof reads it."""
import contextlib
import pathlib
import shutil
import tempfile


@contextlib.contextmanager
def log_directory(path):
    """Copies a trace into a run of a new log directory, which ends with the block; returns the copy."""
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder, 'plugins', 'profile', 'run')
        run.mkdir(parents=True)
        copy = run / path.name
        shutil.copyfile(path, copy)
        yield copy
