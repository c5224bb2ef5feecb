#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""frameworks_test.py TFPROF TFPROF_CAPTURE PROGRAMS: programs of frameworks run under the recorder as they do
without it, and PyTorch marks its operators on request.

A small package stands for PyTorch. With real frameworks the test also runs those of the interpreters in CAPTURE_TORCH,
CAPTURE_JAX and CAPTURE_TENSORFLOW; programs need no GPU."""

import glob
import os
import pathlib
import subprocess
import sys
import textwrap
import unittest

from program_test import TFPROF, Capture

# As much of PyTorch as the hook touches; it prints what it is asked to do.
PACKAGE = {
    "torch/__init__.py": """
        from . import autograd, cuda
        print("torch is imported")
    """,
    "torch/autograd/__init__.py": "from . import profiler",
    "torch/autograd/profiler.py": """
        import os

        def _enable_profiler(config, activities):
            assert not _on, "a profiler is on"
            _on.append(config)
            print("on:", config)

        def _disable_profiler():
            print("off:", _on.pop())
            return "result"

        class emit_nvtx:
            def __init__(self, enabled=True, record_shapes=False):
                self.shapes = record_shapes

            def __enter__(self):
                if os.environ.get("FAKE_TORCH_FAULT"):
                    raise RuntimeError("built without NVTX")
                _enable_profiler("NVTX, shapes: %s" % self.shapes, set())

        class profile:
            def __enter__(self):
                _enable_profiler("of the program", set())

            def __exit__(self, *error):
                print(_disable_profiler())

        _on = []
    """,
    "torch/cuda.py": """
        _queued = []

        def _lazy_call(call):
            _queued.append(call)

        def init():
            print("CUDA begins")
            while _queued:
                _queued.pop()()
    """,
    "other/__init__.py": "import torch",
}
USES_TORCH = """
    import importlib.util
    importlib.util.find_spec("torch")  # as programs ask whether it is there
    import torch, torch.autograd.profiler
    torch.cuda.init()
    with torch.autograd.profiler.profile():
        print("the program works")
    assert type(torch.__spec__.loader).__name__ == "SourceFileLoader"
"""


def pythons():
    """Interpreters of all versions that are here."""
    return [sys.executable, *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python")))]


class TorchNvtx(Capture):
    def setUp(self):
        super().setUp()
        self.packages = self.folder.parent / "packages"
        self.write(PACKAGE)
        self.path = {"PYTHONPATH": str(self.packages), "PYTHONDONTWRITEBYTECODE": "1"}

    def write(self, files):
        for name, text in files.items():
            path = self.packages / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))

    def python(self, program, python=sys.executable, options=("--torch-nvtx", "--quiet"), env=None):
        return self.capture(python, "-c", textwrap.dedent(program), options=options, env={**self.path, **(env or {})})

    def test_operators_are_marked_from_the_first_use_of_cuda_on(self):
        status, out, err = self.python(USES_TORCH)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines(), [
            "torch is imported", "CUDA begins", "on: NVTX, shapes: False",
            "off: NVTX, shapes: False", "on: of the program", "the program works", "off: of the program",
            "on: NVTX, shapes: False", "result", "off: NVTX, shapes: False"])

    def test_torch_that_another_package_imports(self):
        _, out, _ = self.python("import other, torch; torch.cuda.init()")
        self.assertIn("on: NVTX, shapes: False", out)

    def test_torch_that_never_uses_cuda(self):
        self.assertEqual(self.python("import torch")[:2], (0, "torch is imported\n"))

    def test_without_the_option(self):
        _, out, _ = self.python("import torch; torch.cuda.init()", options=["--quiet"])
        self.assertEqual(out, "torch is imported\nCUDA begins\n")

    def test_a_version_that_is_not_known(self):
        status, out, err = self.python("import torch; torch.cuda.init()", env={"FAKE_TORCH_FAULT": "1"})
        self.assertEqual((status, out), (0, "torch is imported\nCUDA begins\n"))
        self.assertIn("operators are not marked: RuntimeError: built without NVTX", err)
        self.write({"torch/cuda.py": "def init(): pass"})
        status, out, err = self.python("import torch; torch.cuda.init()")
        self.assertEqual((status, out), (0, "torch is imported\n"))
        self.assertIn("operators are not marked: AttributeError", err)

    def test_programs_without_torch_see_no_difference(self):
        program = """
            import sys
            print(sys.version, sys.path, sorted(sys.modules), [type(finder) for finder in sys.meta_path[-3:]])
            try:
                import torch
            except ImportError as error:
                print(error)
        """
        for python in pythons():
            with self.subTest(python=python):
                alone = self.run_program(python, "-c", textwrap.dedent(program))
                _, out, err = self.capture(python, "-c", textwrap.dedent(program), options=["--torch-nvtx", "--quiet"])
                self.assertEqual(err, alone[2])

                def without_ours(text):  # an old Python finds one with `imp`
                    return text.replace("'sitecustomize', ", "").replace("'imp', ", "")
                self.assertEqual(without_ours(out), without_ours(alone[1]))

    def test_the_programs_own_sitecustomize(self):
        self.write({"sitecustomize.py": """
            import sys
            print("mine", __name__, __file__.endswith("packages/sitecustomize.py"), sys.modules[__name__].__file__ == __file__)
        """})
        for python in pythons():
            with self.subTest(python=python):
                alone = self.run_program(python, "-c", "import sitecustomize; print(sitecustomize.__file__)", env=self.path)
                done = self.python("import sitecustomize; print(sitecustomize.__file__)", python=python)
                self.assertEqual(done, alone)
                self.assertIn("mine", done[1])
        _, out, _ = self.python("import torch; torch.cuda.init()")
        self.assertIn("mine", out)
        self.assertIn("on: NVTX", out)

    def test_a_sitecustomize_that_fails(self):
        self.write({"sitecustomize.py": "raise ValueError('broken')"})
        alone = self.run_program(sys.executable, "-c", "print(1)", env=self.path)
        done = self.python("print(1)")
        self.assertEqual(done[:2], alone[:2])
        self.assertIn("broken", done[2])

    def test_processes_that_a_program_starts(self):
        _, out, _ = self.python("""
            import subprocess, sys
            subprocess.run([sys.executable, "-c", "import torch; torch.cuda.init()"])
        """)
        self.assertIn("on: NVTX", out)

    def test_env(self):
        _, out, _ = self.run_program(CAPTURE, "env", "--torch-nvtx", env={"PYTHONPATH": "/mine"})
        self.assertRegex(out, r"export PYTHONPATH='/.*/python:/mine'")


PROGRAMS_OF = {
    "CAPTURE_TORCH": """
        import torch
        layer = torch.nn.Linear(16, 4)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        torch.manual_seed(0)
        for _ in range(5):
            loss = layer(torch.ones(8, 16)).square().sum()
            loss.backward()
            optimizer.step()
        print(loss.isfinite().item(), torch.cuda.is_available())
    """,
    "CAPTURE_JAX": """
        import jax, jax.numpy as jnp
        gradient = jax.jit(jax.grad(lambda x: jnp.tanh(x @ x).sum()))
        x = jnp.ones((16, 16))
        for _ in range(5):
            x = x - 0.1 * gradient(x)
        print(float(x.sum()), jax.devices()[0].platform)
    """,
    "CAPTURE_TENSORFLOW": """
        import tensorflow as tf
        x = tf.Variable(tf.ones((16, 16)))
        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.tanh(x @ x))
            x.assign_sub(0.1 * tape.gradient(loss, x))
            return loss
        for _ in range(5):
            loss = step()
        print(float(loss))
    """,
}
# Operators are marked without a GPU, too, if what would wait for it does not.
MARKS = """
    import threading, torch
    torch.cuda.synchronize = lambda *words: None
    calls = [call for call, _ in torch.cuda._queued_calls if "sitecustomize" in call.__code__.co_filename]
    assert len(calls) == 1
    calls[0]()
    x = torch.ones(8, 8, requires_grad=True)
    def work():
        for _ in range(100):
            (x @ x).relu().sum().backward()
    work()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        work()
    print("aten::mm" in {event.key for event in profile.key_averages()})
    work()
"""


class Frameworks(Capture):
    def framework(self, variable):
        python = os.environ.get(variable)
        if not python:
            self.skipTest(f"{variable} is not set")
        return python

    def is_unharmed(self, variable):
        python = self.framework(variable)
        program = (python, "-W", "ignore", "-c", textwrap.dedent(PROGRAMS_OF[variable]))
        alone = self.run_program(*program)
        self.assertEqual(alone[0], 0, alone[2])
        done = self.capture(*program, options=["--torch-nvtx", "--python-stacks", "--api"])
        self.assertEqual(done[:2], alone[:2])
        self.assertIn("nothing was recorded", done[2])  # neither CUDA nor NVTX is used

    def test_torch(self):
        self.is_unharmed("CAPTURE_TORCH")

    def test_jax(self):
        self.is_unharmed("CAPTURE_JAX")

    def test_tensorflow(self):
        self.is_unharmed("CAPTURE_TENSORFLOW")

    def test_marks_of_torch(self):
        python = self.framework("CAPTURE_TORCH")
        built = subprocess.run([python, "-c", "import torch; print(torch.version.cuda)"], capture_output=True, text=True)
        if built.stdout.strip() == "None":
            self.skipTest("PyTorch without CUDA has no NVTX")
        status, out, err = self.capture(python, "-W", "ignore", "-c", textwrap.dedent(MARKS),
                                        options=["--torch-nvtx", "--quiet"])
        self.assertEqual((status, out), (0, "True\n"), err)
        self.assertNotIn("Leaked callback", err)
        types = {row["name"]: row for row in self.ask("op", "-select", "micros,occurrence")}
        self.assertIn("aten__mm", types)
        # 300 iterations, but what PyTorch numbers is one name; its own profiler had the 100 in the middle.
        self.assertLess(len(types), 60)
        process = self.only_process()
        self.assertEqual(process["losses"], [])
        self.assertGreater(process["recorded"]["ranges"], 200 * 10)


CAPTURE = sys.modules["program_test"].CAPTURE
assert pathlib.Path(TFPROF).exists()

if __name__ == "__main__":
    unittest.main()
