# SPDX-License-Identifier: Apache-2.0
"""The tfprof inside the TensorFlow wheel, asked the way its own command line did.

A process can have one profile only, so `ask` starts a new process (this file) for each.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))

# The command line's defaults; those that are not given by the protocol buffer itself.
DEFAULTS = {'max_depth': 10, 'step': -1, 'order_by': 'name', 'select': 'micros',
            'account_type_regexes': '.*', 'start_name_regexes': '.*', 'trim_name_regexes': '',
            'show_name_regexes': '.*', 'hide_name_regexes': ''}


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def open_profile(flags):
    """Opens what --profile_path, or --graph_path and its companions, name."""
    from tensorflow.python.util import _pywrap_tfprof as tfprof
    if 'profile_path' in flags:
        tfprof.ProfilerFromFile(flags['profile_path'].encode())
        return tfprof
    op_log = read(flags['op_log_path']) if 'op_log_path' in flags else b''
    assert tfprof.NewProfiler(read(flags['graph_path']), op_log)
    for step, path in enumerate(flags['run_meta_path'].split(',')):
        tfprof.AddStep(step, b'', read(path), b'')
    return tfprof


def options_of(words, output):
    """`--name=value` words over the defaults, as the serialized options message."""
    from tensorflow.core.profiler import tfprof_options_pb2
    options = dict(DEFAULTS)
    options.update(word[2:].split('=', 1) for word in words)
    proto = tfprof_options_pb2.OptionsProto(output=output)
    for name, value in options.items():
        field = getattr(proto, name)
        if name == 'account_displayed_op_only':
            proto.account_displayed_op_only = value == 'true'
        elif isinstance(field, str):
            setattr(proto, name, value)
        elif isinstance(field, int):
            setattr(proto, name, int(value))
        else:
            field.extend(part for part in value.split(',') if part)
    return proto.SerializeToString()


def answer(tfprof, command):
    """The text of one command (view, then options) from the line `Profile:` on."""
    view, *words = command
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'answer')
        tfprof.Profile(view.encode(), options_of(words, 'file:outfile=' + path))
        text = read(path).decode()
    return text[text.index('\nProfile:') + 1:]


def message(tfprof, command):
    """The message that one command returns, serialized, as base64."""
    view, *words = command
    returned = tfprof.Profile(view.encode(), options_of(words, 'none'))
    return base64.b64encode(returned).decode()


def ask(flags, commands, kind='text'):
    """Answers of `commands` (lists of words) about the files that `flags` name (from the root):
    texts, or with the kind `message` the serialized messages."""
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL='3')
    with tempfile.TemporaryDirectory() as folder:
        if 'checkpoint_path' in flags:
            environment['LD_PRELOAD'] = build_open_checkpoint(folder)
            environment['TFPROF_CHECKPOINT'] = flags['checkpoint_path']
        request = json.dumps({'flags': flags, 'commands': commands, 'kind': kind})
        result = subprocess.run([sys.executable, __file__], input=request, cwd=ROOT, check=True,
                                env=environment, stdout=subprocess.PIPE, text=True)
    answers = json.loads(result.stdout.splitlines()[-1])
    return answers if kind == 'text' else [base64.b64decode(text) for text in answers]


def build_open_checkpoint(folder):
    """The library that gives the original its checkpoint: Python has no argument for it."""
    library = os.path.join(folder, 'open_checkpoint.so')
    source = os.path.join(FOLDER, 'open_checkpoint.cc')
    subprocess.run([os.environ.get('CXX', 'c++'), '-std=c++20', '-shared', '-fPIC', '-O1', source,
                    '-o', library, '-ldl'], check=True)
    return library


def main():
    request = json.load(sys.stdin)
    tfprof = open_profile(request['flags'])
    one = answer if request['kind'] == 'text' else message
    answers = [one(tfprof, command) for command in request['commands']]
    print('\n' + json.dumps(answers), flush=True)
    os._exit(0)  # The original's own clean-up is not what is asked here.


if __name__ == '__main__':
    main()
