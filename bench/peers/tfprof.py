#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares tfprof with the tfprof inside TensorFlow in one run; prints a Markdown table.

    python3 -m venv VENV && VENV/bin/pip install tensorflow-cpu
    cmake --preset release -DTFPROF_BUILD_BENCH=ON
    cmake --build --preset release --target tfprof tfprof_generate
    tfprof.py --bin build/release/tfprof --generate build/release/bench/tfprof_generate \\
              --python VENV/bin/python

The wheel has the original as a Python module, not as a program. It is measured within its process,
after the imports: CPU time (user and system) of opening the files, of the first run of a query, and
of a repeated run. Ours is a program: the cost of opening is the difference between a process that
opens files and one that does not; the cost of a query is the CPU time that the kernel counts for its
thread during the query. Both write the classic text to a file; the original also makes its answer as
a message, which cannot be turned off. Memory is the growth of the peak resident set since before the
files were opened. The original recurses along chains of inputs, so it gets the max stack. Rounds
alternate, and the best value of each figure is reported. Differing texts are reported.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ORIGINAL = HERE.parent.parent / 'testdata' / 'tensorflow'  # runs the original

QUESTIONS = {
    'scope': ['scope'],
    'graph': ['graph'],
    'op': ['op', '--select=micros,bytes,occurrence', '--order_by=micros'],
    'code': ['code'],
    'scope, regular expressions': ['scope', '--account_type_regexes=.*MatMul.*',
                                   '--show_name_regexes=.*layer_0/.*,.*attention.*',
                                   '--hide_name_regexes=.*gradients.*'],
}
FILES = ('graph', 'op_log', 'run_metadata', 'profile')
FLAGS = {'graph': 'graph_path', 'op_log': 'op_log_path', 'run_metadata': 'run_meta_path'}


# ---- in the process of the original

def resident(field):
    with open('/proc/self/status', encoding='ascii') as file:
        for line in file:
            if line.startswith(field):
                return int(line.split()[1]) / 1024  # MB


def measure_original():
    """Reads a request from standard input, prints the measurements as one line of JSON."""
    import time
    sys.path.insert(0, str(ORIGINAL))
    import original
    from tensorflow.python.util import _pywrap_tfprof  # noqa: F401, excludes imports from opening
    request = json.load(sys.stdin)

    def seconds(work):
        start = time.process_time()
        result = work()
        return time.process_time() - start, result

    before = resident('VmRSS')
    load, tfprof = seconds(lambda: original.open_profile(request['flags']))
    measured = {'start': 0, 'load': load, 'memory': resident('VmHWM') - before,
                'questions': {}}
    for name, words in request['questions'].items():
        first, text = seconds(lambda: original.answer(tfprof, words))
        again, _ = seconds(lambda: [original.answer(tfprof, words)
                                    for _ in range(request['times'])])
        measured['questions'][name] = {'first': first, 'again': again / request['times'],
                                       'text': text}
    measured['memory with answers'] = resident('VmHWM') - before
    print('\n' + json.dumps(measured), flush=True)
    os._exit(0)


def all_stack():
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (most, most))


def of_original(python, flags, questions, times):
    request = json.dumps({'flags': flags, 'questions': questions, 'times': times})
    done = subprocess.run([python, __file__, '--measure-original'], input=request, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env=dict(os.environ, TF_CPP_MIN_LOG_LEVEL='3'), preexec_fn=all_stack)
    return json.loads(done.stdout.splitlines()[-1])


# ---- ours

# The command with which our program reports its usage: CPU time of its thread in ns, and the peak
# resident set in KB.
USED = ("echo | awk '/VmHWM/ {print $2} FNR == 1 && NF == 3 {print $1}' "
        '/proc/$PPID/schedstat /proc/$PPID/status')


def run(command):
    """Returns (CPU s, standard output) of a process, which must succeed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            err.seek(0)
            sys.exit(f'{" ".join(command)}\n{err.read().decode("utf-8", "replace")[-2000:]}')
        out.seek(0)
        return used.ru_utime + used.ru_stime, out.read().decode()


def used_by(command):
    """Returns [(CPU s, MB)] for each USED command in the script."""
    figures = [int(line) for line in run(command)[1].split()]
    return [(cpu / 1e9, kilobytes / 1024) for cpu, kilobytes in zip(figures[::2], figures[1::2])]


def line_of(words):
    """The command line as typed in our shell."""
    return ' '.join(word.replace('--', '-', 1).replace('=', ' ', 1) for word in words)


def of_ours(binary, files, questions, times):
    with tempfile.TemporaryDirectory() as folder:
        script = [USED, USED]
        for number, words in enumerate(questions.values()):
            line = f'{line_of(words)} -format classic > {folder}/{number}'
            script += [line, USED] + [line] * times + [USED]
        path = pathlib.Path(folder, 'script')
        path.write_text('\n'.join(script) + '\n', encoding='ascii')
        start, _ = run([binary, '-c', 'echo'])
        load, _ = run([binary, *files, '-c', 'echo'])
        (_, before), = used_by([binary, '-c', USED])
        used = used_by([binary, *files, '-f', path])
        texts = [pathlib.Path(folder, str(number)).read_text() for number in range(len(questions))]
    asking = used[1][0] - used[0][0]
    measured = {'start': start, 'load': load, 'memory': used[0][1] - before, 'questions': {},
                'memory with answers': used[-1][1] - before}
    for number, name in enumerate(questions):
        (cpu, _), (one, _), (many, _) = used[1 + 2 * number:4 + 2 * number]
        measured['questions'][name] = {
            'first': one - cpu - asking, 'again': (many - one - asking) / times,
            'text': texts[number][texts[number].index('\nProfile:') + 1:]}
    return measured


# ---- both

def best(rounds):
    """Returns the min of each figure."""
    result = {key: min(one[key] for one in rounds)
              for key in ('start', 'load', 'memory', 'memory with answers')}
    result['load'] -= result.pop('start')  # the min difference would have a slow start
    result['questions'] = {
        name: {key: min(one['questions'][name][key] for one in rounds) for key in ('first', 'again')}
        for name in rounds[0]['questions']}
    return result


def differing(ours, theirs):
    return [name for name, answer in ours['questions'].items()
            if answer['text'].rstrip() != theirs['questions'][name]['text'].rstrip()]


def compare(args, flags, questions, times):
    ours, theirs = [], []
    for _ in range(args.rounds):
        # Of two runs the second one counts: a virtual machine is slow to get back memory that
        # another program released.
        for _ in range(2):
            our = of_ours(args.bin, flags.values(), questions, times)
        for _ in range(2):
            their = of_original(args.python, flags, questions, times)
        ours.append(our)
        theirs.append(their)
    for name in differing(ours[0], theirs[0]):
        print(f'the answers of "{name}" are not the same', file=sys.stderr)
    return best(ours), best(theirs)


def row(what, unit, ours, theirs):
    """Prints a row. Figures below the measurable min are printed as "< min"."""
    scale, least, digits = {'ms': (1000, 0.1, 1), 'MB': (1, 1, 0)}[unit]
    ours, theirs = ours * scale, theirs * scale
    ratio = max(theirs, least) / max(ours, least)
    told = f'{ours:,.{digits if ours >= 10 else 1}f}' if ours >= least else f'< {least:,.{digits}f}'
    print(f'| {what} | {theirs:,.{digits}f} {unit} | {told} {unit} '
          f'| {"" if ours >= least else "> "}{ratio:.{0 if ratio >= 10 else 1}f}x |', flush=True)


def generate(args, nodes, folder):
    paths = {}
    for what in FILES:
        paths[what] = os.path.join(folder, what)
        subprocess.run([args.generate, what, paths[what], '--nodes', str(nodes), '--steps', '1'],
                       check=True, stdout=subprocess.DEVNULL)
    return paths


def compare_size(args, nodes):
    with tempfile.TemporaryDirectory() as folder:
        paths = generate(args, nodes, folder)
        times = max(2, args.answered // nodes)
        questions = {name: words for name, words in QUESTIONS.items()
                     if args.only in name}
        print(f'| **{nodes:,} nodes** | | | |')
        parts = {FLAGS[what]: paths[what] for what in FLAGS}
        ours, theirs = compare(args, parts, questions, times)
        row('open graph, op log, run metadata', 'ms', ours['load'], theirs['load'])
        row('memory for that', 'MB', ours['memory'], theirs['memory'])
        for name in questions:
            for when in ('first', 'again'):
                row(f'`{name}`, {when}' if ',' not in name else f'{name}, {when}', 'ms',
                    ours['questions'][name][when], theirs['questions'][name][when])
        row('memory with answers', 'MB', ours['memory with answers'],
            theirs['memory with answers'])
        ours, theirs = compare(args, {'profile_path': paths['profile']}, {}, 1)
        row('open a profile', 'ms', ours['load'], theirs['load'])
        row('memory for that', 'MB', ours['memory'], theirs['memory'])


def main():
    if sys.argv[1:] == ['--measure-original']:
        return measure_original()
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True, help='our program')
    parser.add_argument('--generate', required=True, help='our tfprof_generate')
    parser.add_argument('--python', default=sys.executable, help='with tensorflow-cpu installed')
    parser.add_argument('--nodes', default='2000,20000,200000')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--only', default='', help='questions with this in their name')
    parser.add_argument('--answered', type=int, default=100000,
                        help='nodes that repeated questions are about in all')
    args = parser.parse_args()
    print('| | original | tfprof | ratio |\n|---|---|---|---|')
    for nodes in args.nodes.split(','):
        compare_size(args, int(nodes))


main()
