#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the Python module with the Profiler of TensorFlow in one run; prints a Markdown table.

    VENV/bin/pip install tensorflow-cpu pandas pyarrow
    PYTHONPATH=build/release/python VENV/bin/python bench/peers/module.py --generate build/release/bench/tfprof_generate

CPU time (user and system, all threads) of opening a graph, an op log and run metadata, and of the views, each in a
process of its own, after the imports; the best of --rounds. Then adding steps one by one with a question after each,
counting flops of --flop-nodes nodes, and to_pandas() of a million rows.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.pop(0)  # this folder has a tfprof.py

STEPS = 100
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
        made = self.begin(read)
        self.add(made, 0, read['run_metadata'])
        made._native.open()
        return made

    def begin(self, read):
        return self.api.Profiler(read['graph'], read['op_log'])

    def add(self, made, step, run_metadata):
        made.add_step(step, run_metadata)

    def ask(self, made, method, step=-1):
        return getattr(made, method)(dict(self.options, step=step))


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
        self.begin(read)
        self.add(self, 0, read['run_metadata'])
        return self

    def begin(self, read):
        self.native.NewProfiler(read['graph'], read['op_log'])
        return self

    def add(self, _, step, run_metadata):
        self.native.AddStep(step, b'', run_metadata, b'')

    def ask(self, _, method, step=-1):
        view = {name: view for view, name in VIEWS.items()}[method]
        kind = self.messages.GraphNodeProto if view == 'scope' else self.messages.MultiGraphNodeProto
        try:
            return kind.FromString(self.native.Profile(view.encode(), self.api._build_options(
                dict(self.options, step=step)).SerializeToString()))
        except Exception:  # pylint: disable=broad-except
            return None  # protobuf reads no message as deep as this one


def loop(module, files):
    """CPU time of each step of a loop: it is added, and its operations are asked for."""
    read = {what: open(path, 'rb').read() for what, path in files.items()}
    made = module.begin(read)
    times = {}
    for step in range(STEPS):
        def one():
            module.add(made, step, read['run_metadata'])
            module.ask(made, VIEWS['op'], step)
        times[step] = measured(one)
    return {'step %d' % step: min(times[other] for other in range(step - 5, step)) for step in (10, STEPS)}


def in_process(who, files, what='profile'):
    done = subprocess.run([sys.executable, __file__, '--measure', who, what, json.dumps(files)], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def compare(files, rounds, what='profile'):
    best = {}
    for who in ('ours', 'theirs'):
        runs = [in_process(who, files, what) for _ in range(rounds)]
        best[who] = {name: min(run[name] for run in runs) for name in runs[0]}
    for name, theirs in best['theirs'].items():
        ours = best['ours'][name]
        print('| %s | %.1f ms | %.1f ms | %.0fx |' % (name, 1e3 * theirs, 1e3 * ours, theirs / ours))


def generate(binary, what, folder, *more):
    path = os.path.join(folder, what)
    subprocess.run([binary, what, path, *more], check=True, stdout=subprocess.DEVNULL)
    return path


def flops(binary, folder, nodes):
    """The first answer about a graph whose shapes follow from its placeholders and variables."""
    import tfprof
    path = generate(binary, 'graph', folder, '--nodes', str(nodes))
    seconds = []
    for _ in range(3):
        profile = tfprof.open(path)
        begin = time.process_time()
        report = profile.op(select=['float_ops'])
        seconds.append(time.process_time() - begin)
    print('\nflops of %d nodes: %.3f s of CPU time (%s)' % (
        nodes, min(seconds), next(note['text'] for note in report.notes if note['id'] == 'flops_known')))


def frames(binary, folder):
    import tfprof
    trace = generate(binary, 'xspace', folder, '--nodes', '20000', '--steps', '51')
    profile = tfprof.open(trace)
    table = profile.events(n=1_000_000).table
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        frame = table.to_pandas()
        seconds.append(time.process_time() - begin)
    print('\nto_pandas() of %d rows and %d columns: %.3f s of CPU time' % (*frame.shape, min(seconds)))


def main():
    if sys.argv[1:2] == ['--measure']:
        who = {'ours': Ours, 'theirs': Theirs}[sys.argv[2]]()
        work = {'profile': profile, 'loop': loop}[sys.argv[3]]
        print('\n' + json.dumps(work(who, json.loads(sys.argv[4]))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--generate', required=True, help='our tfprof_generate')
    parser.add_argument('--nodes', default=20000, type=int)
    parser.add_argument('--loop-nodes', default=2000, type=int)
    parser.add_argument('--flop-nodes', default=200000, type=int)
    parser.add_argument('--rounds', default=3, type=int)
    given = parser.parse_args()
    os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
    with tempfile.TemporaryDirectory() as folder:
        for nodes, what in ((given.nodes, 'profile'), (given.loop_nodes, 'loop')):
            files = {kind: generate(given.generate, kind, folder, '--nodes', str(nodes))
                     for kind in ('graph', 'op_log', 'run_metadata')}
            print('| %d nodes | TensorFlow | tfprof | ratio |\n|---|---:|---:|---:|' % nodes)
            compare(files, given.rounds if what == 'profile' else 1, what)
            print()
        flops(given.generate, folder, given.flop_nodes)
        frames(given.generate, folder)


main()
