#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unpacks a Debian package of ours and runs the program from there on a bundled profile.

    package_test.py PACKAGE.deb
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = ROOT / 'testdata/tensorflow/convnet/profile.pb'
FILES = ['usr/bin/tfprof', 'usr/share/man/man1/tfprof.1.gz', 'usr/share/doc/tfprof/copyright',
         'usr/share/doc/tfprof/changelog.gz', 'usr/share/doc/tfprof/README.md',
         'usr/share/doc/tfprof/docs/options.md', 'usr/share/man/man1/tfprof-capture.1.gz',
         'usr/bin/tfprof-capture', 'usr/bin/tfprof-client', 'usr/lib/tfprof/libtfprof-capture.so',
         'usr/lib/tfprof/libtfprof-capture-exit.so', 'usr/lib/tfprof/python/sitecustomize.py',
         'usr/share/bash-completion/completions/tfprof',
         'usr/share/zsh/vendor-completions/_tfprof',
         'usr/share/fish/vendor_completions.d/tfprof.fish']
LIBRARIES = ['libc6', 'libfmt9', 'libedit2', 'libisal2', 'libstdc++6']
LINKED = ['protobuf', 're2', 'snappy', 'utf8proc']  # as part of the program


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def check_program(folder):
    program = folder / 'usr/bin/tfprof'
    answer = output(program, SAMPLE, 'op', '-select', 'micros', '-n', '1', '-format', 'csv')
    assert 'Conv2DBackpropFilter' in answer, answer
    assert output('python3', ROOT / 'tests/e2e/completion_test.py', program) is not None
    recorder = folder / 'usr/lib/tfprof/libtfprof-capture.so'
    capture = folder / 'usr/bin/tfprof-capture'
    assert str(recorder) in output(capture, 'env')
    # Nothing of the machine that built it.
    for built in (program, capture, recorder):
        words = re.findall(rb'[\x20-\x7e]{6,}', built.read_bytes())
        named = [word for word in words if bytes(ROOT) in word]
        assert not named, named[:5]


def main():
    package = sys.argv[1]
    fields = output('dpkg-deb', '-f', package)
    depends = re.search(r'^Depends: (.*)$', fields, re.M)[1]
    missing = [name for name in LIBRARIES if name not in depends]
    assert not missing, (missing, depends)
    twice = [name for name in LINKED if name in depends]
    assert not twice, (twice, depends)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(['dpkg-deb', '-x', package, folder], check=True)
        terms = [f'usr/share/doc/tfprof/libraries/{name}' for name in LINKED]
        missing = [path for path in FILES + terms if not (folder / path).is_file()]
        assert not missing, missing
        check_program(folder)
    if shutil.which('lintian'):
        done = subprocess.run(['lintian', '--allow-root', '--fail-on', 'error,warning', package],
                              stdout=subprocess.PIPE, text=True)
        assert done.returncode == 0, done.stdout


main()
