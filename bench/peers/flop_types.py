#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The operation types of models, with and without a rule for their flops: writes docs/flop_types.md.

    flop_types.py --bin build/release/tfprof > docs/flop_types.md
    flop_types.py --bin build/release/tfprof --check    # the page is up to date, and no type that computes lacks a rule
"""
import argparse
import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'remote/testing'))
from fake_server import fields  # noqa: E402

PAGE = ROOT / 'docs/flop_types.md'
# Models and the shapes of their inputs.
MODELS = {
    'mnist_softmax': ('tensorflow/mnist_softmax/graph.pb', []),
    'convnet': ('tensorflow/convnet/graph.pb', []),
    'rnn_while': ('tensorflow/rnn_while/graph.pb', []),
    'two_devices': ('tensorflow/two_devices/graph.pb', []),
    'ResNet50': ('models/keras/resnet50.pb.gz', ['1,224,224,3']),
    'transformer': ('models/keras/transformer.pb.gz', ['1,64']),
    'LSTM': ('models/keras/lstm.pb.gz', ['1,80']),
}
# Their flops are those of the bodies that they call.
CALLS = {'While', 'StatelessWhile', 'If', 'StatelessIf', 'Case', 'PartitionedCall', 'StatefulPartitionedCall'}


def inside(message, *numbers):
    """The values at a path of fields."""
    if not numbers:
        return [message]
    return [found for number, value in fields(message) if number == numbers[0] for found in inside(value, *numbers[1:])]


def nodes_of(path):
    """(name, type) of the nodes of a GraphDef or of a SavedModel, and of their functions."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == '.gz' else path.read_bytes()
    graphs = inside(data, 2, 2) if path.suffix == '.gz' else [data]
    found = [node for graph in graphs for node in inside(graph, 1) + inside(graph, 2, 1, 3)]
    return [(inside(node, 1)[0].decode(), inside(node, 2)[0].decode()) for node in found]


def rules(program):
    """{type: formula}"""
    page = subprocess.run([program, 'help', 'flops', '-format', 'md'], check=True, capture_output=True, text=True).stdout
    rows = [line.strip('| ').split(' | ') for line in page.splitlines() if line.startswith('| ')][1:]
    return {kind: formula for formula, kinds, _ in rows for kind in kinds.split()}


def known(program, path, shapes, inputs):
    """(operations whose flops are known, all)"""
    given = [option for name in inputs for shape in shapes for option in ('-shape', '%s=%s' % (name, shape))]
    words = [program, 'graph', str(path), '-select', 'float_ops', '-format', 'json', *given]
    answer = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    text = next(note['text'] for note in answer['notes'] if note['id'] == 'flops_known')
    return tuple(map(int, re.match(r'flops known for (\d+) of (\d+)', text).groups()))


def page_of(program):
    formulas, counts, models = rules(program), collections.defaultdict(collections.Counter), []
    for model, (place, shapes) in MODELS.items():
        path = ROOT / 'testdata' / place
        nodes = nodes_of(path)
        for _, kind in nodes:
            counts[kind][model] += 1
        inputs = [name for name, kind in nodes if kind == 'Placeholder' and name.startswith(('serv', 'serving'))]
        models.append((model, len({kind for _, kind in nodes}), *known(program, path, shapes, inputs)))
    lines = ['<!-- Made by: bench/peers/flop_types.py -->', '# Operation types of models, and their rules', '',
             'The graphs of `testdata/tensorflow`, and three models that Keras exported (`testdata/models/keras_models.py`), with',
             'the shapes of their inputs given by `-shape`. [flops](flops.md) has all rules. What is counted includes the',
             'bodies of functions.', '',
             '| model | types | flops known for |', '|---|---:|---:|']
    lines += ['| %s | %d | %d of %d |' % row for row in models]
    lines += ['', '| type | rule | %s |' % ' | '.join(MODELS), '|---|---|%s' % ('---:|' * len(MODELS))]
    missing = []
    for kind in sorted(counts):
        formula = 'that of its bodies' if kind in CALLS else formulas.get(kind)
        if formula is None:
            missing.append(kind)
        row = [str(counts[kind][model] or '') for model in MODELS]
        lines.append('| %s | %s | %s |' % (kind, formula or '**none**', ' | '.join(row)))
    lines += ['', 'Without a rule: %s.' % (', '.join(missing) or 'none')]
    return '\n'.join(lines) + '\n', missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True)
    parser.add_argument('--check', action='store_true')
    given = parser.parse_args()
    page, missing = page_of(given.bin)
    if not given.check:
        sys.stdout.write(page)
        return 0
    stale = not PAGE.exists() or PAGE.read_text() != page
    print('types without a rule: %d%s' % (len(missing), '; docs/flop_types.md is out of date' if stale else ''))
    return 1 if stale or missing else 0


sys.exit(main())
