#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module on messages that are made here: the numbers are computed by hand.

    PYTHONPATH=build/release/python module_test.py

Needs neither TensorFlow nor numpy; what needs pandas, pyarrow or numpy is skipped without them.
"""
import ast
import contextlib
import copy
import importlib.util
import inspect
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest

import tfprof
from tfprof.compat.v1 import profiler
from tfprof.compat.v1.profiler import messages

HAS = {name: importlib.util.find_spec(name) is not None for name in ('numpy', 'pandas', 'pyarrow')}
ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / 'testdata/tensorflow/mnist_softmax'


def varint(value):
    out = b''
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def node(name, op, *inputs):
    return data(1, data(1, name) + data(2, op) + b''.join(data(3, one) for one in inputs))


def run_metadata(*runs, device='/cpu:0'):
    """(node, start us, duration us)"""
    stats = data(1, device)
    for name, start, duration in runs:
        stats += data(2, data(1, name) + number(2, start) + number(4, duration) + number(5, duration) +
                      data(8, '%s = Op(a)' % name))
    return data(1, data(1, stats))


GRAPH = node('a', 'Const') + node('s/b', 'MatMul', 'a')
# a runs 10 us, b 30 us.
RUN = run_metadata(('a', 1000, 10), ('s/b', 1010, 30))
LATER = run_metadata(('a', 2000, 10), ('s/b', 2010, 50))


def opened():
    return tfprof.open([GRAPH, RUN])


def quiet(**options):
    return dict(profiler.ProfileOptionBuilder().with_empty_output().build(), **options)


class Reports(unittest.TestCase):
    def test_cells_and_units(self):
        table = opened().op(order_by='micros').table
        self.assertEqual(table['name'].to_list(), ['MatMul', 'Const'])
        self.assertEqual(table['time_us'].to_list(), [30.0, 10.0])
        self.assertEqual(table['time_us'].unit, 'us')
        self.assertEqual(table['device_us'].to_list(), [None, None])  # not measured is not 0
        self.assertIn('accelerator', table['device_us'].title)
        with self.assertRaises(KeyError):
            table['no_such']

    def test_tree(self):
        rows = opened().scope().to_rows()
        by_name = {row['name']: row for row in rows}
        self.assertEqual(by_name['s/b']['depth'], 2)
        self.assertEqual(rows[by_name['s/b']['parent']]['name'], 's')
        self.assertIsNone(rows[0]['parent'])
        self.assertEqual(rows[0]['inclusive_us'], 40.0)

    def test_properties_and_notes(self):
        report = opened().op()
        self.assertEqual(report.properties['total_time_us'], 40.0)
        self.assertEqual(report.properties['steps'], 1)
        self.assertTrue(all(note['text'] for note in report.notes))

    def test_options(self):
        profile = opened()
        self.assertEqual(profile.op(focus=['MatM']).to_rows()[0]['name'], 'MatMul')
        self.assertEqual(len(profile.op(account_type_regexes=['Const', 'None,ever'])), 1)
        self.assertEqual(len(profile.op(n=1, order_by='micros')), 1)
        self.assertEqual(len(profile.op(focus=None)), 2)
        self.assertEqual([c.id for c in profile.op(columns=['name', 'time_us']).table.columns], ['name', 'time_us'])
        self.assertEqual(profile.scope('s').properties['total_time_us'], 30.0)
        with self.assertRaisesRegex(ValueError, '{m,n}'):
            profile.op(show_name_regexes=['a{1,2}'])
        with self.assertRaises(TypeError):
            profile.op('MatMul', 'Const')

    def test_numbers_are_what_json_has(self):
        compared = 0
        for path in ('tensorflow/mnist_softmax/profile.pb', 'xspace/gpu_train.xplane.pb'):
            profile = tfprof.open(SAMPLE.parents[1] / path)
            for view in tfprof.native.views():
                if view['needs_about'] or view['about'] == 'base':
                    continue
                try:
                    report = getattr(profile, view['name'])()
                except tfprof.UsageError:
                    continue
                written = json.loads(report.emit('json'))
                for table in report.tables.values():
                    for ours, theirs in zip(table.to_rows(), written['tables'][table.name]['rows']):
                        for name, value in theirs.items():
                            if not isinstance(value, (str, dict, list)):
                                compared += 1
                                self.assertEqual(ours[name], value, (view['name'], table.name, name))
                for name, one in written['properties'].items():
                    self.assertEqual(report.properties[name], one['value'], (view['name'], name))
        self.assertGreater(compared, 3000)

    def test_ask(self):
        self.assertEqual(len(opened().ask('op -n 1')), 1)

    def test_errors(self):
        profile = opened()
        with self.assertRaises(tfprof.UsageError) as caught:
            profile.op(ordre_by='name')
        self.assertEqual(caught.exception.hint, 'did you mean -order_by?')
        self.assertIn('^~~', str(caught.exception))
        with self.assertRaises(ValueError):
            profile.peek('no such node')
        with self.assertRaises(OSError):
            tfprof.open('no_such_file')
        with self.assertRaises(tfprof.Error) as caught:
            tfprof.open(b'nothing')
        self.assertEqual(caught.exception.kind, 'corrupt')

    def test_every_view_is_a_method(self):
        profile = opened()
        answered = 0
        for view in tfprof.native.views():
            method = getattr(profile, view['name'])
            self.assertIn(view['summary'][1:], method.__doc__)
            names = list(inspect.signature(method).parameters)
            for option in view['options']:
                self.assertIn(option['name'].replace('-', '_'), names)
            if view['needs_about'] or view['about'] == 'base':
                continue
            try:
                report = method()
            except tfprof.UsageError:
                continue  # it needs what this profile lacks
            answered += 1
            self.assertEqual(report.view, view['name'])
            self.assertIsInstance(repr(report), str)
            self.assertIn('<div', report._repr_html_())
            for table in report.tables.values():
                self.assertEqual(len(table.to_rows()), table.rows)
        self.assertGreater(answered, 20)

    def test_display(self):
        report = opened().op(order_by='micros')
        self.assertIn('30.0 us', repr(report))
        html = report._repr_html_()
        self.assertIn('<td class="r">30.0 us</td>', html)
        self.assertIn('<th>operation</th>', html)

    def test_display_is_of_a_few_rows(self):
        graph = b''.join(node('n%d' % i, 'Type%sx' % chr(65 + i)) for i in range(26))
        runs = run_metadata(*[('n%d' % i, 1000 + i, 26 - i) for i in range(26)])
        report = tfprof.open([graph, runs]).op(order_by='micros')
        self.assertEqual(len(report), 26)
        self.assertIn('[6 others]', repr(report))

    def test_names_that_are_no_text(self):
        profile = tfprof.open([node('a', b'\xff<b>') + node('b', 'Op'), run_metadata(('a', 1000, 10))])
        report = profile.op(order_by='micros')
        self.assertEqual(report['name'].to_list()[0], '\\xff<b>')
        self.assertNotIn('<b>\n', report._repr_html_().replace('</b>', ''))
        self.assertIn('&lt;b&gt;', report._repr_html_())

    def test_shapes(self):
        profile = tfprof.open(node('x', 'Placeholder') + node('y', 'Placeholder') + node('z', 'AddV2', 'x', 'y'))
        for shape in ({'x': (4, 1), 'y': (5,)}, ['x=4,1', 'y=5']):
            self.assertEqual(profile.op(select=['float_ops'], shape=shape).properties['total_flops'], 20)
        self.assertIsNone(profile.op(select=['float_ops'], shape={'x': (None, 1), 'y': (5,)}).properties['total_flops'])
        self.assertIsNone(profile.op(select=['float_ops'], shape='x=4,1').properties['total_flops'])

    def test_columns_as_in_a_frame(self):
        report = opened().op(order_by='micros', select=['micros'])
        self.assertIn('time_us', report)
        self.assertEqual(list(report), [column.id for column in report.columns])
        with self.assertRaisesRegex(KeyError, 'the tables are op'):
            report.to_rows('nothing')

    def test_formats(self):
        report = opened().op(order_by='micros', columns=['name', 'time_us'])
        self.assertEqual(report.emit('csv'), b'name,time_us\nMatMul,30\nConst,10\n')
        self.assertEqual(json.loads(report.emit('json'))['view'], 'op')
        with self.assertRaises(tfprof.UsageError):
            report.emit('xls')

    def test_pictures(self):
        profile = opened()
        bars = profile.op(order_by='micros').plot().svg
        self.assertIn('MatMul: 30 us', bars)
        self.assertTrue(profile.scope().plot()._repr_svg_().startswith('<?xml') or '<svg' in profile.scope().plot().svg)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.svg')
            profile.scope().plot().save(path)
            self.assertIn('</svg>', pathlib.Path(path).read_text())

    def test_files(self):
        profile = opened()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'saved.pb'
            self.assertIn('2 nodes and 1 step', profile.save(path))
            self.assertEqual(tfprof.open(path).op().properties['total_time_us'], 40.0)
            with self.assertRaises(tfprof.UsageError):
                profile.save(path)
            profile.save(path, overwrite=True)
            profile.timeline(os.path.join(folder, 't.json'))
            self.assertTrue(json.loads(pathlib.Path(folder, 't.json').read_text())['traceEvents'])
            profile.flame(os.path.join(folder, 'f.svg'), view='scope')
            profile.pprof(os.path.join(folder, 'p.pb.gz'))

    def test_diff(self):
        changes = tfprof.diff(opened(), tfprof.open([GRAPH, LATER]))
        row = next(row for row in changes.to_rows('op') if row['name'] == 'MatMul')
        self.assertEqual((row['base_time_us'], row['time_us']), (30.0, 50.0))

    def test_threads(self):
        profile, texts = opened(), []
        threads = [threading.Thread(target=lambda: texts.append(profile.scope().emit('csv'))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(texts)), 1)


class Opening(unittest.TestCase):
    def test_several_kinds(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'gr\u00e4ph \u2603')
            pathlib.Path(path).write_bytes(GRAPH)
            with open(path, 'rb') as file:
                kinds = [[path, RUN], [pathlib.Path(path), io.BytesIO(RUN)], [file, bytearray(RUN)]]
                for given in kinds:
                    self.assertEqual(tfprof.open(given).op().properties['total_time_us'], 40.0)

    def test_nothing(self):
        with self.assertRaises(tfprof.UsageError):
            tfprof.open([])
        for given in (None, 3, object()):
            with self.assertRaises(TypeError):
                tfprof.open(given)

    def test_copies_and_errors_of_other_processes(self):
        profile = opened()
        self.assertIs(copy.deepcopy([profile])[0], profile)
        with self.assertRaises(tfprof.UsageError) as raised:
            profile.op(order_by='nothing')
        again = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual((type(again), str(again)), (tfprof.UsageError, str(raised.exception)))

    def test_forked_process(self):
        profile = opened()
        child = os.fork()
        if child == 0:
            os._exit(len(profile.op()))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 2)

    def test_interrupt(self):
        # Python 3.11 does not catch what is raised between two rounds of a loop that is itself in `try`.
        script = ('import os, signal, tfprof\n'
                  'profile = tfprof.open(%r)\n'
                  'def ask():\n'
                  '    while True: profile.scope()\n'
                  'signal.signal(signal.SIGALRM, signal.default_int_handler)\n'
                  'signal.setitimer(signal.ITIMER_REAL, 0.2)\n'
                  'try:\n'
                  '    ask()\n'
                  'except KeyboardInterrupt:\n'
                  '    print(len(profile.op()))\n' % GRAPH)
        done = subprocess.run([sys.executable, '-c', script], check=True, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, '2\n')

    def test_stubs(self):
        spec = importlib.util.spec_from_file_location('make_stubs', ROOT / 'python/make_stubs.py')
        make_stubs = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(make_stubs)
        text = (ROOT / 'python/tfprof/profile.pyi').read_text()
        self.assertEqual(make_stubs.stub(), text, 'run python/make_stubs.py')
        ast.parse(text)


class Arrays(unittest.TestCase):
    @unittest.skipUnless(HAS['numpy'], 'no numpy')
    def test_numpy(self):
        import numpy
        table = opened().op(order_by='micros', select=['micros', 'occurrence']).table
        self.assertEqual(table['time_us'].to_numpy().tolist(), [30.0, 10.0])
        self.assertTrue(numpy.isnan(table['device_us'].to_numpy()).all())
        runs = table['runs'].to_numpy()
        self.assertEqual(runs.tolist(), [1, 1])
        self.assertEqual(table['name'].to_numpy().tolist(), ['MatMul', 'Const'])
        kept = table.native.array(0, [c.id for c in table.columns].index('time_us'))
        self.assertFalse(kept.flags.writeable)
        del table
        self.assertEqual(kept[0], 30_000_000)  # ps; the array keeps the report

    @unittest.skipUnless(HAS['pandas'], 'no pandas')
    def test_pandas(self):
        frame = opened().op(order_by='micros').to_pandas()
        self.assertEqual(frame['time_us'].tolist(), [30.0, 10.0])
        self.assertTrue(frame['device_us'].isna().all())
        self.assertEqual(frame['name'].tolist(), ['MatMul', 'Const'])
        tree = opened().scope().to_pandas()
        self.assertEqual(tree['depth'].tolist(), [0, 1, 2, 1])
        self.assertTrue(tree['parent'].isna()[0])

    @unittest.skipUnless(HAS['pandas'], 'no pandas')
    def test_pandas_without_arrow(self):
        table = opened().scope().table
        columns = table._pandas_columns(__import__('pandas'))
        frame = __import__('pandas').DataFrame(columns)
        self.assertEqual(frame['inclusive_us'].tolist()[0], 40.0)

    @unittest.skipUnless(HAS['pyarrow'], 'no pyarrow')
    def test_arrow(self):
        import pyarrow
        report = opened().op(order_by='micros', select=['micros', 'occurrence', 'device'])
        table = report.to_arrow()
        table.validate(full=True)
        self.assertEqual(table['time_us'].to_pylist(), [30.0, 10.0])
        self.assertEqual(table['device_us'].null_count, 2)
        self.assertEqual(table['runs'].type, pyarrow.int64())
        self.assertEqual(table['accounted'].to_pylist(), [True, True])
        tree = opened().scope().to_arrow()
        tree.validate(full=True)
        self.assertEqual(tree['parent'].to_pylist(), [None, 0, 1, 0])
        del report
        self.assertEqual(table['name'].to_pylist(), ['MatMul', 'Const'])
        lists = opened().info()
        for name in lists.tables:
            lists.to_arrow(name).validate(full=True)


class Messages(unittest.TestCase):
    def test_fields_and_text(self):
        inner = data(1, 'leaf') + number(2, 7)
        message = messages.GraphNodeProto.FromString(
            data(1, 'root') + number(6, 2**64 - 5) + data(12, inner) + data(10, 'cpu') +
            data(16, number(1, 3) + data(2, data(2, number(1, 9)))))
        self.assertEqual((message.name, message.total_exec_micros, message.float_ops), ('root', -5, 0))
        self.assertEqual([child.exec_micros for child in message.children], [7])
        self.assertEqual(message.input_shapes[3].dim[0].size, 9)
        self.assertEqual(message.children[0].SerializeToString(), inner)
        self.assertIn('children {\n  name: "leaf"\n  exec_micros: 7\n}\n', str(message))
        self.assertFalse(message.HasField('tensor_value'))
        with self.assertRaises(AttributeError):
            message.no_such

    def test_deep(self):
        message = data(1, 'leaf')
        for _ in range(3000):
            message = data(12, message)
        node = messages.GraphNodeProto.FromString(message)
        for _ in range(3000):
            node = node.children[0]
        self.assertEqual(node.name, 'leaf')

    def test_malformed(self):
        for bad in (b'\x0a\x05ab', b'\xff', b'\x07\x00'):
            with self.assertRaises(ValueError):
                messages.GraphNodeProto.FromString(bad)


class Compat(unittest.TestCase):
    def test_profile(self):
        result = profiler.profile(GRAPH, RUN, cmd='scope', options=quiet())
        self.assertEqual(result.name, '_TFProfRoot')
        self.assertEqual(result.total_exec_micros, 40)
        self.assertEqual({child.name: child.total_exec_micros for child in result.children}, {'a': 10, 's': 30})
        with self.assertRaises(ValueError):
            profiler.profile(GRAPH, RUN, cmd='python', options=quiet())

    def test_wrong_options(self):
        with self.assertRaisesRegex(TypeError, "max_depth cannot be 'ten'"):
            profiler.profile(GRAPH, options=quiet(max_depth='ten'))
        with self.assertRaisesRegex(tfprof.UsageError, 'invalid regular expression'):
            profiler.profile(GRAPH, options=quiet(hide_name_regexes=['(']))

    def test_graph_of_a_folder(self):
        folder = ROOT / 'testdata/models/saved_model'
        result = profiler.profile(folder, options=quiet(select=['params'], account_type_regexes=['VariableV2']))
        self.assertEqual(result.total_parameters, 10)

    def test_profile_prints(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            profiler.profile(GRAPH, RUN, cmd='op', options=profiler.ProfileOptionBuilder.time_and_memory(1, 0))
        self.assertIn('=Options=', out.getvalue())
        self.assertIn('MatMul', out.getvalue())
        self.assertIn('=End of Report=', out.getvalue())

    def test_defaults_are_parameters(self):
        with contextlib.redirect_stdout(io.StringIO()):
            result = profiler.profile(str(SAMPLE / 'graph.pb'), op_log=SAMPLE / 'op_log')
        self.assertEqual(result.total_parameters, 784 * 10 + 10)

    def test_get_flops(self):
        options = profiler.ProfileOptionBuilder(profiler.ProfileOptionBuilder.float_operation()).with_empty_output()
        flops = profiler.profile(SAMPLE / 'graph.pb', op_log=SAMPLE / 'op_log', options=options.build())
        total = sum(entry.float_ops for entry in messages.OpLogProto.FromString(
            (SAMPLE / 'op_log').read_bytes()).log_entries)
        self.assertGreater(total, 0)
        self.assertEqual(flops.total_float_ops, total)

    def test_steps(self):
        one = profiler.Profiler(GRAPH, cmd='scope')
        one.add_step(3, RUN)
        one.add_step(7, LATER)
        mean = one.profile_operations(quiet(order_by='micros'))
        self.assertEqual(mean.total_exec_micros, 50)  # 10 + (30 + 50) / 2
        self.assertEqual(mean.children[0].name, 'MatMul')
        self.assertEqual(one.profile_graph(quiet(step=7)).total_exec_micros, 60)
        self.assertEqual(one.profile_name_scope(quiet(step=3)).total_exec_micros, 40)
        self.assertEqual(tfprof.open(one.serialize_to_string()).op().properties['total_time_us'], 50.0)
        self.assertEqual(one.to_profile().op().properties['total_time_us'], 50.0)
        self.assertEqual(one._coverage, 1)
        with self.assertRaises(tfprof.Error):
            one.add_step(8, b'nothing of this kind')
        self.assertEqual(one.profile_graph(quiet(step=7)).total_exec_micros, 60)

    def test_advise(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            advice = profiler.advise(GRAPH, RUN)
            one = profiler.advise(GRAPH, RUN, options={'OperationChecker': {}})
            none = profiler.advise(GRAPH, RUN, options={})
        self.assertEqual(sorted(advice.checkers),
                         ['AcceleratorUtilizationChecker', 'ExpensiveOperationChecker', 'OperationChecker'])
        self.assertTrue(advice.checkers['ExpensiveOperationChecker'].reports[0].startswith('top 1 operation type'))
        self.assertEqual(list(one.checkers), ['OperationChecker'])
        self.assertEqual(none.checkers, {})
        self.assertIn('ExpensiveOperationChecker', out.getvalue())

    def test_timeline_output(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            path = os.path.join(folder, 'timeline')
            one = profiler.Profiler(GRAPH)
            one.add_step(0, RUN)
            one.profile_graph(profiler.ProfileOptionBuilder().with_step(0).with_timeline_output(path).build())
            events = json.loads(pathlib.Path(path + '_0').read_text())['traceEvents']
        self.assertEqual(sorted(event['dur'] for event in events if event['ph'] == 'X'), [10, 30])

    def test_write_op_log(self):
        with tempfile.TemporaryDirectory() as folder:
            profiler.write_op_log(SAMPLE / 'graph.pb', os.path.join(folder, 'new'), op_log=SAMPLE / 'op_log')
            written = messages.OpLogProto.FromString(pathlib.Path(folder, 'new', 'tfprof_log').read_bytes())
        given = messages.OpLogProto.FromString((SAMPLE / 'op_log').read_bytes())
        flops = lambda log: {entry.name: entry.float_ops for entry in log.log_entries if entry.float_ops}
        self.assertEqual(flops(written), flops(given))

    def test_client_timeline(self):
        stats = messages.RunMetadata.FromString(run_metadata(('a', 1000, 10), ('b', 1005, 30))).step_stats
        trace = json.loads(profiler.timeline.Timeline(stats).generate_chrome_trace_format())['traceEvents']
        runs = [event for event in trace if event['ph'] == 'X']
        self.assertEqual([(run['ts'], run['dur'], run['tid']) for run in runs], [(1000, 10, 0), (1005, 30, 1)])
        self.assertEqual(runs[0]['args'], {'name': 'a', 'op': 'Op', 'input0': 'a'})

    def test_nothing_imports_tensorflow(self):
        script = ('import sys, tfprof\nfrom tfprof.compat.v1 import profiler\n'
                  'profiler.profile(%r, options={"output": "none"})\n'
                  'tfprof.ProfileContext = profiler.ProfileContext("", enabled=False)\n'
                  'assert "tensorflow" not in sys.modules and "numpy" not in sys.modules' % GRAPH)
        subprocess.run([sys.executable, '-c', script], check=True)


class Tracing(unittest.TestCase):
    def test_batches(self):
        from tfprof.tracing import _batches
        self.assertEqual(_batches('10, 15'), (10, 15))
        self.assertEqual(_batches(3), (3, 3))
        self.assertEqual(_batches((2, 4)), (2, 4))
        for bad in ((0, 3), '5, 4'):
            with self.assertRaises(ValueError):
                _batches(bad)

    def test_trace_outside_does_nothing(self):
        with tfprof.Trace('step', step_num=1):
            pass

    def test_unknown_tracer(self):
        with self.assertRaises(tfprof.UsageError):
            with tfprof.trace(framework='mxnet'):
                pass


if __name__ == '__main__':
    unittest.main()
