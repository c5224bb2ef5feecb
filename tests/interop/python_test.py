#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tfprof.compat.v1.profiler beside tf.compat.v1.profiler: the same calls in one process, the messages compared.

    PYTHONPATH=build/release/python python_test.py

Needs a python that has TensorFlow and the module; without either: status 77, skipped.
"""
import contextlib
import copy
import io
import json
import math
import os
import sys
import tempfile

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '')
sys.setrecursionlimit(10000)

SKIPPED = 77
try:
    import tensorflow as tf
    from tensorflow.core.profiler import tfprof_log_pb2, tfprof_output_pb2
    from tensorflow.python.client import timeline as their_timeline
    import tfprof
    from tfprof.compat.v1 import profiler as ours
except ImportError as missing:
    print('skipped:', missing)
    sys.exit(SKIPPED)

theirs = tf.compat.v1.profiler
v1 = tf.compat.v1
checked = 0
faults = []


def check(what, our, their):
    global checked
    checked += 1
    if our != their:
        faults.append(what)
        print('DIFFERS', what, '\n  ours:  ', str(our)[:400], '\n  theirs:', str(their)[:400])


def check_message(what, our, their):
    check(what, type(their).FromString(our.SerializeToString()), their)
    # Field by field through our own reader.
    check_fields(what, our, their)


def check_fields(what, our, their):
    names = [field.name for field in their.DESCRIPTOR.fields]
    plain = [name for name in names if name not in ('children', 'graph_nodes', 'input_shapes', 'shapes', 'tensor_value', 'checkers')]
    check(what + ' fields', [our_of(our, name) for name in plain], [our_of(their, name) for name in plain])
    if 'children' in names:
        check(what + ' children', len(our.children), len(their.children))
        for one, other in zip(our.children, their.children):
            check_fields(what + '/' + other.name, one, other)


def our_of(message, name):
    value = getattr(message, name)
    return list(value) if name == 'devices' else value


def model():
    """Softmax regression with a hidden layer and an optimizer: the first example of the original."""
    images = v1.placeholder(tf.float32, [None, 784], name='images')
    labels = v1.placeholder(tf.int64, [None], name='labels')
    with v1.variable_scope('hidden'):
        weights = v1.get_variable('weights', [784, 32])
        hidden = tf.nn.relu(tf.matmul(images, weights) + v1.get_variable('bias', [32]))
    with v1.variable_scope('conv'):
        kernel = v1.get_variable('kernel', [3, 3, 1, 4])
        shaped = tf.reshape(images, [-1, 28, 28, 1])
        convolved = tf.reduce_mean(tf.nn.conv2d(shaped, kernel, strides=1, padding='SAME'), [1, 2])
    with v1.variable_scope('softmax'):
        logits = tf.matmul(tf.concat([hidden, convolved], 1), v1.get_variable('weights', [36, 10]))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
    return train, {images: [[0.5] * 784] * 8, labels: [3] * 8}


def recorded(session, train, feed):
    options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
    run_meta = v1.RunMetadata()
    session.run(train, feed, options=options, run_metadata=run_meta)
    return run_meta


def option_sets(build):
    """(name, options), the same for both."""
    builder = build.ProfileOptionBuilder
    quiet = lambda options: builder(options).with_empty_output().build()
    yield 'builder', builder().with_empty_output().build()
    yield 'parameters', quiet(builder.trainable_variables_parameter())
    yield 'flops', quiet(builder.float_operation())
    yield 'time', quiet(builder.time_and_memory())
    yield 'all', builder(builder.time_and_memory(0, 0)).with_empty_output().account_displayed_op_only(False).select(
        ['bytes', 'micros', 'params', 'float_ops', 'occurrence', 'input_shapes', 'device', 'op_types', 'peak_bytes',
         'residual_bytes', 'output_bytes', 'accelerator_micros', 'cpu_micros']).build()
    yield 'names', builder().with_empty_output().with_node_names(
        show_name_regexes=['.*(hidden|soft)[a-z,]{2,9}.*'], hide_name_regexes=['.*bias.*'],
        trim_name_regexes=['gradients.*']).order_by('micros').build()
    yield 'types', builder().with_empty_output().with_accounted_types(['.*MatMul', 'Conv.*']).order_by(
        'float_ops').select(['float_ops', 'occurrence']).with_min_occurrence(1).build()
    yield 'few', {'max_depth': 5, 'account_type_regexes': ['.*'], 'start_name_regexes': ['.*'],
                  'show_name_regexes': ['.*'], 'select': ['micros'], 'output': 'none', 'order_by': 'bytes'}
    yield 'nothing', {'output': 'none'}


def check_option_builder():
    for (name, our), (_, their) in zip(option_sets(ours), option_sets(theirs)):
        check('options ' + name, our, their)
    our, their = ours.ProfileOptionBuilder(), theirs.ProfileOptionBuilder()
    for method, arguments in [('with_max_depth', (7,)), ('with_min_memory', (1, 2, 3, 4)), ('with_min_memory', ()),
                              ('with_min_execution_time', (1, 2, 3)), ('with_min_parameters', (3,)),
                              ('with_min_float_operations', (3,)), ('with_min_occurrence', (3,)),
                              ('with_step', (3,)), ('with_timeline_output', ('t',)), ('with_pprof_output', ('p',)),
                              ('with_file_output', ('f',)), ('with_stdout_output', ()), ('order_by', ('bytes',)),
                              ('select', (['bytes'],)), ('account_displayed_op_only', (True,)),
                              ('with_node_names', ([], None, ['x']))]:
        check(method, getattr(our, method)(*arguments).build(), getattr(their, method)(*arguments).build())


def check_once(graph, run_meta):
    for cmd in ('scope', 'graph', 'op', 'code'):
        for name, options in option_sets(ours):
            for run in (None, run_meta):
                their = theirs.profile(graph, run, cmd=cmd, options=copy.deepcopy(options))
                our = ours.profile(graph, run, cmd=cmd, options=options)
                check_message('profile %s %s %s' % (cmd, name, run is not None), our, their)


def check_without_objects(graph, run_meta):
    """Bytes in place of objects, with the op log that TensorFlow writes for them."""
    with tempfile.TemporaryDirectory() as folder:
        theirs.write_op_log(graph, folder, run_meta=run_meta)
        with open(os.path.join(folder, 'tfprof_log'), 'rb') as file:
            op_log = file.read()
    definition = graph.as_graph_def(add_shapes=True)
    for cmd in ('scope', 'op', 'code'):
        for name, options in option_sets(ours):
            their = theirs.profile(graph, run_meta, cmd=cmd, options=copy.deepcopy(options))
            for given, run in ((definition.SerializeToString(), run_meta.SerializeToString()),
                               (definition, run_meta)):
                our = ours.profile(given, run, op_log=op_log, cmd=cmd, options=options)
                check_message('bytes %s %s' % (cmd, name), our, their)


class Trained(tf.Module):
    """Two trained variables without names, one that is named, one that is not trained."""

    def __init__(self):
        super().__init__()
        self.first, self.second = tf.Variable(tf.ones([3, 4])), tf.Variable(tf.ones([4]))
        self.frozen = tf.Variable(tf.ones([7]), trainable=False)
        self.named = tf.Variable(tf.ones([11]), name='named')

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def __call__(self, x):
        return x @ self.first + self.second + tf.reduce_sum(self.named) + tf.reduce_sum(self.frozen)


def check_trained_variables():
    """Of graphs with collections, of models that have none, and of a graph alone."""
    builder = ours.ProfileOptionBuilder
    options = builder(builder.trainable_variables_parameter()).with_empty_output().build()
    graph = tf.Graph()
    with graph.as_default():
        v1.get_variable('w', [5, 6], use_resource=False)
        v1.get_variable('resource', [5, 7], use_resource=True)
        v1.get_variable('step', [2], trainable=False)
        with v1.variable_scope('parts', partitioner=v1.fixed_size_partitioner(2)):
            v1.get_variable('part', [8, 3])
        meta = v1.train.export_meta_graph(graph=graph)
    their = theirs.profile(graph, options=copy.deepcopy(options))
    alone = tf.Graph()
    with alone.as_default():
        tf.import_graph_def(graph.as_graph_def(add_shapes=True), name='')
    check('trained: a graph alone', ours.profile(graph.as_graph_def(add_shapes=True), options=options).total_parameters,
          theirs.profile(alone, options=copy.deepcopy(options)).total_parameters)
    for given in (graph, meta, meta.SerializeToString()):
        check('trained: %s' % type(given).__name__, ours.profile(given, options=options).total_parameters,
              their.total_parameters)
    with tempfile.TemporaryDirectory() as folder:
        module = Trained()
        tf.saved_model.save(module, folder)
        check('trained: a model', ours.profile(folder, options=options).total_parameters,
              sum(math.prod(variable.shape) for variable in module.trainable_variables))


def check_op_log(graph, run_meta):
    mine = tfprof_log_pb2.OpLogProto()
    mine.log_entries.add(name='hidden/MatMul', types=['my_type'], float_ops=5)
    written = []
    for api in (ours, theirs):
        with tempfile.TemporaryDirectory() as folder:
            api.write_op_log(graph, folder, op_log=copy.deepcopy(mine), run_meta=run_meta)
            with open(os.path.join(folder, 'tfprof_log'), 'rb') as file:
                written.append(tfprof_log_pb2.OpLogProto.FromString(file.read()))
    check('op log', written[0], written[1])
    merged = ours.tfprof_logger.merge_default_with_oplog(graph, run_meta=run_meta, add_trace=False)
    check('merged entries', {entry.name for entry in merged.log_entries if entry.types} >= {'hidden/weights'}, True)
    options = theirs.ProfileOptionBuilder(theirs.ProfileOptionBuilder.float_operation()).with_accounted_types(
        ['my_type']).with_empty_output().build()
    check_message('my op log', ours.profile(graph, run_meta, copy.deepcopy(mine), options=options),
                  theirs.profile(graph, run_meta, copy.deepcopy(mine), options=options))


def check_steps(graph, runs):
    """A profiler with a step after another, asked after each."""
    their = theirs.Profiler(graph)
    our = ours.Profiler(graph)
    other = ours.Profiler(graph)  # the original has one per process
    methods = ('profile_name_scope', 'profile_graph', 'profile_operations', 'profile_python')
    for step, run_meta in runs:
        their.add_step(step, run_meta)
        our.add_step(step, run_meta)
        check('coverage %d' % step, round(our._coverage, 9), round(their._coverage, 9))
        for method in methods:
            for name, options in option_sets(ours):
                for asked in (-1, step):
                    options = dict(options, step=asked)
                    check_message('%s %s %d of %d' % (method, name, asked, step), getattr(our, method)(options),
                                  getattr(their, method)(copy.deepcopy(options)))
    check('another profiler', other.profile_name_scope(dict(next(option_sets(ours))[1])).total_exec_micros, 0)
    with contextlib.redirect_stdout(io.StringIO()):
        advice = our.advise(ours.ALL_ADVICE)
    their_advice = their.advise(theirs_all_advice())
    check('advise', {name: list(one.reports) for name, one in advice.checkers.items()},
          {name: list(one.reports) for name, one in their_advice.checkers.items()})
    saved = tfprof.open(our.serialize_to_string())
    same = tfprof.open(their.serialize_to_string())
    check('serialized', saved.op(format='csv', select=['micros', 'params', 'float_ops']).emit('csv'),
          same.op(select=['micros', 'params', 'float_ops']).emit('csv'))


def check_loop(graph, run_meta):
    """TensorFlow says what it knows about its graph when a profiler begins and when a step adds shapes, not each time."""
    logger, asked = ours.tfprof_logger, []
    real = logger.op_log_bytes
    logger.op_log_bytes = lambda *given, **named: asked.append(given) or real(*given, **named)
    try:
        profiler = ours.Profiler(graph)
        for step in range(30):
            profiler.add_step(step, run_meta)
    finally:
        logger.op_log_bytes = real
    check('op logs of a loop', len(asked), 2)


def theirs_all_advice():
    return {name: {} for name in ours.ALL_ADVICE}


def printed(call):
    """What is written to the standard output of the process."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as file:
        saved = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            call()
            sys.stdout.flush()
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        return file.read().decode()


def report_of(text):
    """The part that is fixed: without the explanation of the views."""
    head, _, rest = text.partition('\nDoc:\n')
    return head, rest.partition('\nProfile:\n')[2]


def check_printed(graph, run_meta):
    for cmd in ('scope', 'op'):
        options = dict(ours.ProfileOptionBuilder.time_and_memory())
        check('printed ' + cmd, report_of(printed(lambda: ours.profile(graph, run_meta, cmd=cmd, options=options))),
              report_of(printed(lambda: theirs.profile(graph, run_meta, cmd=cmd, options=options))))


def check_files(graph, run_meta):
    for cmd, output in (('scope', 'file'), ('graph', 'timeline'), ('code', 'pprof')):
        texts = []
        for api in (ours, theirs):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, 'out')
                select = ['micros'] if output == 'pprof' else ['micros', 'bytes']
                builder = api.ProfileOptionBuilder(api.ProfileOptionBuilder.time_and_memory(0, 0)).select(select)
                options = getattr(builder, 'with_%s_output' % output)(path).build()
                printed(lambda: api.profile(graph, run_meta, cmd=cmd, options=options))
                written = sorted(os.listdir(folder))
                texts.append((written, b''.join(open(os.path.join(folder, name), 'rb').read() for name in written)))
        check('names of %s' % output, texts[0][0], texts[1][0])
        if output == 'file':
            check('file', report_of(texts[0][1].decode())[1], report_of(texts[1][1].decode())[1])
        if output == 'timeline':
            events = [{(e['name'], e['ts'], e['dur']) for e in json.loads(text)['traceEvents'] if e['ph'] == 'X'}
                      for _, text in texts]
            check('timeline', events[0], events[1])


def check_timeline(run_meta):
    for options in ({}, {'show_memory': True}, {'show_dataflow': False}, {'op_time': 'gpu'}, {'op_time': 'all'}):
        their = their_timeline.Timeline(copy.deepcopy(run_meta.step_stats)).generate_chrome_trace_format(**options)
        our = ours.timeline.Timeline(run_meta.step_stats).generate_chrome_trace_format(**options)
        check('Timeline %s' % options, events_of(our), events_of(their))
    their = their_timeline.Timeline(copy.deepcopy(run_meta.step_stats)).analyze_step_stats()
    our = ours.timeline.Timeline(run_meta.step_stats.SerializeToString()).analyze_step_stats()
    check('allocator_maximums', {k: v.num_bytes for k, v in our.allocator_maximums.items()},
          {k: v.num_bytes for k, v in their.allocator_maximums.items()})


def events_of(text):
    """The events; what has an equal time has no order."""
    return sorted(json.dumps(event, sort_keys=True) for event in json.loads(text)['traceEvents'])


def check_context(train, feed):
    with tempfile.TemporaryDirectory() as folder:
        with ours.ProfileContext(folder, trace_steps=range(10, 20, 3), dump_steps=[20]) as context:
            options = ours.ProfileOptionBuilder(ours.ProfileOptionBuilder.time_and_memory()).with_empty_output().build()
            context.add_auto_profiling('op', options, [15, 18])
            with v1.Session() as session:
                session.run(v1.global_variables_initializer())
                for _ in range(25):
                    session.run(train, feed)
        check('profiles', sorted(context.get_profiles('op')), [15, 18])
        check('a profile', context.get_profiles('op')[15].total_exec_micros > 0, True)
        check('files', os.listdir(folder), ['profile_20'])
        steps = tfprof.open(os.path.join(folder, 'profile_20')).steps()
        check('traced steps', sorted({row['step'] for row in steps.to_rows()}), [10, 13, 15, 16, 18, 19])
    with tempfile.TemporaryDirectory() as folder:  # a loop shorter than 100 runs, and one that fails
        with ours.ProfileContext(folder) as context, v1.Session() as session:
            session.run(v1.global_variables_initializer())
            for _ in range(15):
                session.run(train, feed)
            try:
                session.run(train, {})
            except tf.errors.InvalidArgumentError:
                pass
            context.trace_next_step()
            session.run(train, feed)
            check('still tracing', context.profiler.profile_operations(options).total_exec_micros > 0, True)
        check('dumped at the end', [name for name in os.listdir(folder) if name.startswith('profile_')] != [], True)
    with ours.ProfileContext('', enabled=False) as context:
        check('disabled', context.profiler, None)


def main():
    check_option_builder()
    graph = tf.Graph()
    with graph.as_default():
        train, feed = model()
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            runs = [(step, recorded(session, train, feed)) for step in (1, 4, 4, 9)]
        check_once(graph, runs[0][1])
        check_without_objects(graph, runs[0][1])
        check_op_log(graph, runs[0][1])
        check_printed(graph, runs[0][1])
        check_files(graph, runs[0][1])
        check_timeline(runs[0][1])
        check_steps(graph, runs)
        check_loop(graph, runs[0][1])
        check_context(train, feed)
    check_trained_variables()
    print('%d comparisons, %d differ' % (checked, len(faults)))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
