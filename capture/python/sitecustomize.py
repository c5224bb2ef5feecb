# SPDX-License-Identifier: Apache-2.0
"""Python runs this at its start, before the program, when `tfprof-capture --torch-nvtx` has put its folder into PYTHONPATH.

If the program imports PyTorch, PyTorch marks its operators with NVTX from the first use of CUDA on. Nothing else changes:
the sitecustomize that this one hides is run, and the folder is not in sys.path. Any Python may run this, also old ones.
"""

import os
import sys


def _find(name, path=None, target=None):
    for finder in list(sys.meta_path):
        find = getattr(finder, "find_spec", None)
        spec = find(name, path, target) if find is not None else None
        if spec is not None:
            return spec
    return None


class _Watch(object):
    """A finder of modules that leaves finding to the others, and is there when torch has been imported."""

    def __init__(self):
        self.is_asking = False

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self.is_asking:
            return None
        self.is_asking = True
        try:
            spec = _find(name, path, target)
        finally:
            self.is_asking = False
        load = getattr(spec.loader, "exec_module", None) if spec is not None else None
        if load is not None:
            def exec_module(module):
                load(module)
                self._end(module)
            try:
                spec.loader.exec_module = exec_module
            except AttributeError:
                pass  # a loader of another kind: PyTorch is imported as ever
        return spec

    def _end(self, torch):
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        try:
            _mark_operators(torch)
        except Exception as error:  # of a version that is not known
            _say(error)


def _say(error):
    sys.stderr.write("tfprof-capture: PyTorch's operators are not marked: %s: %s; record without --torch-nvtx\n"
                     % (type(error).__name__, error))


def _mark_operators(torch):
    """Has PyTorch emit NVTX when it initializes CUDA: earlier, a program could no longer fork or choose devices."""
    import atexit
    import threading

    profiler = torch.autograd.profiler
    enable, disable = profiler._enable_profiler, profiler._disable_profiler
    emit = profiler.emit_nvtx(record_shapes=False)
    here = threading.local()  # PyTorch has a profiler per thread: `ours` are the arguments of ours, `theirs` is on

    # A thread has one profiler at a time. While the program uses its own, ours is off.
    def enable_profiler(*words, **named):
        if getattr(here, "is_starting", False):
            here.ours = words, named
        elif getattr(here, "ours", None) is not None:
            disable()
            here.theirs = True
        return enable(*words, **named)

    def disable_profiler(*words, **named):
        result = disable(*words, **named)
        if getattr(here, "theirs", False):
            here.theirs = False
            enable(*here.ours[0], **here.ours[1])
        return result

    def start():
        here.is_starting = True
        try:
            emit.__enter__()
        except Exception as error:
            here.ours = None
            _say(error)
        finally:
            here.is_starting = False

    # PyTorch warns of what is on at the end.
    def end():
        if getattr(here, "ours", None) is not None and not getattr(here, "theirs", False):
            here.ours = None
            disable()

    atexit.register(end)
    profiler._enable_profiler, profiler._disable_profiler = enable_profiler, disable_profiler
    torch.cuda._lazy_call(start)


def _run_the_other():
    """Runs the sitecustomize that would have been found without this folder, under its name."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != folder]
    if sys.version_info[0] < 3:
        import imp
        try:
            found = imp.find_module("sitecustomize", sys.path)
        except ImportError:
            return
        del sys.modules["sitecustomize"]
        imp.load_module("sitecustomize", *found)
        return
    spec = _find("sitecustomize")
    if spec is not None and spec.loader is not None:
        import _frozen_importlib  # importlib itself would bring further modules along
        _frozen_importlib._load(spec)


if sys.version_info >= (3, 6):
    sys.meta_path.insert(0, _Watch())
_run_the_other()
