#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares tfprof on a trace of PyTorch with HTA and with simdjson in one run.

    apt-get install libsimdjson-dev
    python3 -m venv VENV && VENV/bin/pip install HolisticTraceAnalysis
    python3 bench/tile_kineto.py GPU.pt.trace.json large.json 12
    kineto.py --bin build/release/tfprof --python VENV/bin/python large.json

Each answer comes from a process of its own; rounds alternate, and the best is reported. CPU is the user and system
time of the process, memory its peak resident set, which has the pages of a mapped file as well. HTA loads the trace
and makes its temporal and kernel breakdowns; its imports are reported apart. simdjson (one thread) parses the text into
its tree of values, and does no more: user time is what the two have in common.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile

from process import cost

HTA = '''
import sys
from hta.trace_analysis import TraceAnalysis
if sys.argv[1] != 'none':
    trace = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir=sys.argv[2])
    trace.get_temporal_breakdown(visualize=False)
    trace.get_gpu_kernel_breakdown(visualize=False)
'''
DOM = '''
#include <simdjson.h>
int main(int, char** args) {
  simdjson::dom::parser parser(size_t{4} << 30);
  simdjson::dom::element tree;
  return parser.load(args[1]).get(tree) != simdjson::SUCCESS;
}
'''


def dom_parser(folder):
    """The path of a program that parses a file into simdjson's tree; None without the library."""
    source, program = folder / 'dom.cc', folder / 'dom'
    source.write_text(DOM)
    built = subprocess.run([os.environ.get('CXX', 'c++'), '-O3', '-std=c++17', '-o', program, source, '-lsimdjson'],
                           stderr=subprocess.DEVNULL, check=False)
    return program if built.returncode == 0 else None


def commands(args, path, folder):
    yield 'tfprof overview', [args.bin, path, 'overview']
    yield 'tfprof planes', [args.bin, path, 'planes']
    dom = dom_parser(folder)
    if dom:
        yield 'simdjson, tree of values', [dom, path]
    if args.python:
        yield 'HTA, imports', [args.python, '-c', HTA, 'none']
        yield 'HTA, two breakdowns', [args.python, '-c', HTA, path, folder]


def compare(path, args):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy = folder / path.name  # HTA reads plain and compressed files
        shutil.copyfile(path, copy)
        asked = dict(commands(args, copy, folder))
        costs = {what: [] for what in asked}
        for _ in range(args.rounds):
            for what, command in asked.items():
                user, cpu, _, memory = cost(command)
                costs[what].append((user, cpu, memory))
    print(f'\n{path.name}, {path.stat().st_size / 1e6:.0f} MB; best of {args.rounds}')
    print('{:<28}{:>9}{:>9}{:>9}'.format('', 'user s', 'CPU s', 'MB'))
    for what, measured in costs.items():
        print('{:<28}{:>9.2f}{:>9.2f}{:>9.0f}'.format(what, *map(min, zip(*measured))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True, help='our program')
    parser.add_argument('--python', help='a python that has HTA')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('files', nargs='+', type=pathlib.Path)
    args = parser.parse_args()
    for path in args.files:
        compare(path, args)


if __name__ == '__main__':
    main()
