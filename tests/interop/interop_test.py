#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tfprof writes, given to the tfprof of TensorFlow, and the messages of both compared.

    interop_test.py --bin PATH [CASE...]

Needs a python that has TensorFlow; without it: status 77, skipped.
- The original opens a file that `save` wrote, and answers as about the files it was made from.
- `-output proto` holds what the original's Profile() returns.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / 'testdata' / 'tensorflow'))
os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')

SKIPPED = 77


def run(binary, flags, *words, commands=''):
    """Our program, first door; standard input is `commands`."""
    args = [binary] + ['--%s=%s' % item for item in flags.items()] + list(words)
    done = subprocess.run(args, cwd=TOP, input=commands, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit('%s\n%s' % (' '.join(args), done.stderr))


def check_saved(binary, files, commands, original):
    """The names of the commands that the original answers otherwise about what we saved."""
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, 'profile.pb')
        run(binary, files, 'save', saved)
        answers = original.ask({'profile_path': saved}, commands)
    wanted = original.ask(files, commands)
    return [' '.join(command) for command, ours, theirs in zip(commands, answers, wanted)
            if ours != theirs]


def messages_of(binary, files, commands):
    """Our messages, one per command."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, '%d.pb' % i) for i in range(len(commands))]
        run(binary, files, commands=''.join(
            ' '.join(command) + ' -output proto:outfile=' + path + '\n'
            for command, path in zip(commands, paths)))
        return [pathlib.Path(path).read_bytes() for path in paths]


def parse(view, data):
    from tensorflow.core.profiler import tfprof_output_pb2 as output
    kind = output.GraphNodeProto if view in ('scope', 'graph') else output.MultiGraphNodeProto
    return kind.FromString(data)


def check_messages(binary, files, commands, original):
    """The names of the commands for which the two messages differ."""
    ours = messages_of(binary, files, commands)
    theirs = original.ask(files, commands, kind='message')
    wrong = []
    for command, a, b in zip(commands, ours, theirs):
        if not b or parse(command[0], a) != parse(command[0], b):
            wrong.append(' '.join(command))
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--bin', required=True)
    parser.add_argument('cases', nargs='*')
    options = parser.parse_args()
    try:
        from tensorflow.python.util import _pywrap_tfprof  # noqa: F401
    except ImportError:
        print('skipped: this python has no TensorFlow')
        return SKIPPED
    import goldens
    import original
    binary = str(pathlib.Path(options.bin).resolve())
    failed = 0
    for case in options.cases or goldens.CASES:
        files, commands = goldens.questions(case)[0]
        for what, wrong in (
                ('opens what is saved', check_saved(binary, files, commands, original)),
                ('returns the same messages', check_messages(binary, files, commands, original))):
            print('%s: the original %s: %d of %d' %
                  (case, what, len(commands) - len(wrong), len(commands)))
            for name in wrong:
                print('  differs: ' + name)
            failed += len(wrong)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
