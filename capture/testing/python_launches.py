# SPDX-License-Identifier: Apache-2.0
"""python_launches.py LIBCUDA WHAT [N]: a Python program that calls CUDA through the fake driver.

Lines that launch are marked; tests look for the marks."""

import ctypes
import gc
import os
import sys
import threading
import time

cuda = ctypes.CDLL(sys.argv[1])  # releases the GIL around calls, as PyTorch does
locked = ctypes.PyDLL(sys.argv[1])  # does not
cuda.cuInit.argtypes = [ctypes.c_uint]
for library in (cuda, locked):
    library.cuLaunchKernel.argtypes = [ctypes.c_char_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint32,
                                       ctypes.c_uint64]


def launch(name, ns):
    cuda.cuLaunchKernel(name, 1, 32, 7, ns)  # MARK launch


def forward():
    launch(b"gemm", 2000)  # MARK forward gemm
    launch(b"relu", 1000)  # MARK forward relu


def backward():
    for _ in range(2):
        launch(b"gemm", 3000)  # MARK backward


def train(steps):
    for _ in range(steps):
        forward()  # MARK train forward
        backward()  # MARK train backward


def deep(calls, work):
    return work() if calls <= 1 else deep(calls - 1, work)


def generated(steps):
    for _ in range(steps):
        launch(b"gemm", 1000)  # MARK generator
        yield


def at_the_same_address(count):
    """Functions that are made and dropped: memory of one is that of the next."""
    for i in range(count):
        space = {"launch": launch}
        exec(compile("\n" * (i % 50) + "def made_%d():\n launch(b'k', 100)" % (i % 7), "made%d.py" % (i % 5), "exec"),
             space)
        space["made_%d" % (i % 7)]()
        del space
        if i % 100 == 0:
            gc.collect()


class Owner:
    """Launches when it is dropped, as tensors free memory."""

    def __del__(self):
        launch(b"drop", 100)  # MARK drop


def drop():
    owner = Owner()
    owner.self = owner if os.getpid() == 0 else None
    return 1


def load_batch():
    time.sleep(0.02)  # MARK load


def tokenize():
    """Works without ever giving up the lock by itself."""
    until = time.perf_counter() + 0.02
    while time.perf_counter() < until:  # MARK tokenize
        pass


def batches(steps, prepare, ns):
    """Each step's kernel takes so long."""
    for _ in range(steps):
        prepare()  # MARK batches
        launch(b"gemm", ns)


def threads(count, work):
    made = [threading.Thread(target=work) for _ in range(count)]
    for thread in made:
        thread.start()
    for thread in made:
        thread.join()


def operators(steps):
    """As PyTorch does: operators have numbers, and run backward on another thread."""
    marks = ctypes.CDLL(os.path.join(os.path.dirname(sys.argv[1]), "libpython_launches.so"))
    marks.launch_on_thread.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64]
    for step in range(steps):
        marks.push_range(b"aten::linear, seq = %d, op_id = %d" % (step, 10 * step))
        launch(b"gemm", 1000)  # MARK operator
        marks.pop_range()
        marks.launch_on_thread(b"LinearBackward0, seq = %d, op_id = %d" % (step, 10 * step + 1), b"gemm_t", 2000)
        marks.launch_on_thread(b"AccumulateGrad, op_id = %d" % (10 * step + 2), b"add", 500)


def count_up(number):
    start = time.perf_counter()
    for i in range(number):
        launch(b"k", 10) if i % 1000 == 0 else deep(10, int)
    return time.perf_counter() - start


def begin():
    cuda.cuInit(0)
    for _ in range(100):  # the interpreter answers the recorder here
        time.sleep(0)


def bench(count):
    """Prints the time of a launch that is 20 calls deep: the loop is in the driver."""
    cuda.fake_cuda_time_launches.restype = ctypes.c_double
    print("%.1f ns per launch" % deep(16, lambda: cuda.fake_cuda_time_launches(count)))


def main():
    what = sys.argv[2]
    number = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    begin()
    if what == "train":
        train(number)
    elif what == "deep":
        deep(number, lambda: launch(b"gemm", 1000))
    elif what == "locked":
        locked.cuLaunchKernel(b"gemm", 1, 32, 7, 1000)  # MARK locked
    elif what == "generator":
        for _ in generated(number):
            pass
    elif what == "made":
        at_the_same_address(number)
    elif what == "drop":
        for _ in range(number):
            drop()  # MARK drop caller
    elif what == "threads":
        threads(number, lambda: train(100))
    elif what == "daemons":  # they launch while the interpreter ends
        def forever():
            while True:
                deep(30, lambda: launch(b"gemm", 100))

        for _ in range(number):
            threading.Thread(target=forever, daemon=True).start()
        time.sleep(0.05)
    elif what == "fork":
        train(1)
        child = os.fork()
        if child == 0:
            train(1)
            sys.exit(0)
        os.waitpid(child, 0)
    elif what == "fork_batches":
        batches(3, load_batch, 1000)
        child = os.fork()
        batches(3, load_batch, 1000)
        if child == 0:
            sys.exit(0)
        sys.exit(os.waitpid(child, 0)[1])
    elif what == "batches":
        batches(number, load_batch, 1_000_000)
    elif what == "busy_batches":  # the device works meanwhile
        batches(number, load_batch, 25_000_000)
    elif what == "tokens":
        batches(number, tokenize, 1_000_000)
    elif what == "alarms":  # signals arrive while it is sampled
        import signal
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        batches(number, load_batch, 1000)
        signal.setitimer(signal.ITIMER_REAL, 0)
    elif what == "work":  # how fast Python is meanwhile
        print("%.4f" % min(count_up(number) for _ in range(60)))
    elif what == "operators":
        operators(number)
    elif what == "wide":
        space = {"launch": launch}
        exec(compile("def größe_π():\n launch(b'k', 100)", "/tmp/пример/\U0001F600.py", "exec"), space)
        space["größe_π"]()
    elif what == "bench":
        bench(number)
    else:
        sys.exit("unknown: " + what)


main()
