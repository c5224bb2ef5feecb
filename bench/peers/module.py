#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the Python module with the Profiler of TensorFlow in one run; prints a Markdown table.

    VENV/bin/pip install tensorflow-cpu pandas pyarrow
    PYTHONPATH=build/release/python VENV/bin/python bench/peers/module.py --generate build/release/bench/tfprof_generate

CPU time (user and system, all threads) of opening a graph, an op log and run metadata, and of the views, each in a
process of its own, after the imports; the best of --rounds. Then the time of to_pandas() of a million rows.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.pop(0)  # this folder has a tfprof.py

VIEWS = {'scope': 'profile_name_scope', 'op': 'profile_operations'}


def measured(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


def profile(module, files):
    """What is measured of a Profiler of either."""
    read = {what: open(path, 'rb').read() for what, path in files.items()}
    made = []
    times = {'open': measured(lambda: made.append(module.open(read)))}
    for view, method in VIEWS.items():
        times[view] = measured(lambda: module.ask(made[0], method))
    return times


class Ours:
    def __init__(self):
        from tfprof.compat.v1 import profiler
        self.api = profiler
        self.options = profiler.ProfileOptionBuilder(
            profiler.ProfileOptionBuilder.time_and_memory()).with_empty_output().build()

    def open(self, read):
        made = self.api.Profiler(read['graph'], read['op_log'])
        made.add_step(0, read['run_metadata'])
        made._native.open()
        return made

    def ask(self, made, method):
        return getattr(made, method)(self.options)


class Theirs:
    """TensorFlow's profiler below tf.Graph, whose making from a file is not measured."""

    def __init__(self):
        from tensorflow.python.profiler import model_analyzer, option_builder
        from tensorflow.core.profiler import tfprof_output_pb2
        from tensorflow.python.util import _pywrap_tfprof
        self.api, self.native, self.messages = model_analyzer, _pywrap_tfprof, tfprof_output_pb2
        builder = option_builder.ProfileOptionBuilder
        self.options = builder(builder.time_and_memory()).with_empty_output().build()

    def open(self, read):
        self.native.NewProfiler(read['graph'], read['op_log'])
        self.native.AddStep(0, b'', read['run_metadata'], b'')
        return self

    def ask(self, _, method):
        view = {name: view for view, name in VIEWS.items()}[method]
        kind = self.messages.GraphNodeProto if view == 'scope' else self.messages.MultiGraphNodeProto
        try:
            return kind.FromString(self.native.Profile(view.encode(), self.api._build_options(
                self.options).SerializeToString()))
        except Exception:  # pylint: disable=broad-except
            return None  # protobuf reads no message as deep as this one


def in_process(who, files):
    done = subprocess.run([sys.executable, __file__, '--measure', who, json.dumps(files)], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def compare(files, rounds):
    best = {}
    for who in ('ours', 'theirs'):
        runs = [in_process(who, files) for _ in range(rounds)]
        best[who] = {name: min(run[name] for run in runs) for name in runs[0]}
    for name, theirs in best['theirs'].items():
        ours = best['ours'][name]
        print('| %s | %.1f ms | %.1f ms | %.0fx |' % (name, 1e3 * theirs, 1e3 * ours, theirs / ours))


def generate(binary, what, folder, *more):
    path = os.path.join(folder, what)
    subprocess.run([binary, what, path, *more], check=True, stdout=subprocess.DEVNULL)
    return path


def frames(binary, folder):
    import tfprof
    trace = generate(binary, 'xspace', folder, '--nodes', '20000', '--steps', '17')
    profile = tfprof.open(trace)
    table = profile.events(n=1_000_000).table
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        frame = table.to_pandas()
        seconds.append(time.perf_counter() - begin)
    print('\nto_pandas() of %d rows and %d columns: %.3f s' % (*frame.shape, min(seconds)))


def main():
    if sys.argv[1:2] == ['--measure']:
        who = {'ours': Ours, 'theirs': Theirs}[sys.argv[2]]()
        print('\n' + json.dumps(profile(who, json.loads(sys.argv[3]))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--generate', required=True, help='our tfprof_generate')
    parser.add_argument('--nodes', default=20000, type=int)
    parser.add_argument('--rounds', default=3, type=int)
    given = parser.parse_args()
    os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
    with tempfile.TemporaryDirectory() as folder:
        files = {what: generate(given.generate, what, folder, '--nodes', str(given.nodes))
                 for what in ('graph', 'op_log', 'run_metadata')}
        print('| %d nodes | TensorFlow | tfprof | ratio |\n|---|---:|---:|---:|' % given.nodes)
        compare(files, given.rounds)
        frames(given.generate, folder)


main()
