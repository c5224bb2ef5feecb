#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tfprof and xprof (the converters behind TensorBoard's Profile tab) side by side, in one run.

    python3 -m venv VENV && VENV/bin/pip install xprof
    xprof.py --bin build/release/tfprof --python VENV/bin/python FILE.xplane.pb...

Every answer is made by a process of its own, from the file in a fresh folder: xprof keeps what it
computed beside the file, and would read that the next time. Each measured run comes right after one
of the same command that is not, whose results are removed: memory that the program before gave back
is slow to get again in a virtual machine, and the copy was just written. Rounds alternate, the best
counts. CPU is user and system time of the process, memory its largest resident set. What python and
xprof cost before they see a file (`xprof, imports`) is told apart.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOOLS = {'overview': 'overview_page', 'kernels': 'kernel_stats', 'op_stats': 'framework_op_stats',
         'memory': 'memory_profile'}
CONVERT = '''
import sys
from xprof.convert import raw_to_tool_data
if len(sys.argv) > 2:
    data, _ = raw_to_tool_data.xspace_to_tool_data([sys.argv[2]], sys.argv[1], {})
    sys.exit(0 if data else 1)
'''


def cost(command):
    """(CPU s, wall s, MB) of a process that has to succeed."""
    start = os.times().elapsed
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}\n{error.decode("utf-8", "replace")[-2000:]}')
    return used.ru_utime + used.ru_stime, os.times().elapsed - start, used.ru_maxrss / 1024


def of_fresh_copy(path, command):
    """Cost of command(copy of the file, alone in a new log directory), the second time."""
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder, 'plugins', 'profile', 'run')
        run.mkdir(parents=True)
        copy = run / path.name
        shutil.copyfile(path, copy)
        cost(command(copy))
        for made in run.iterdir():
            if made != copy:
                made.unlink()
        return cost(command(copy))


def best(costs):
    return tuple(min(values) for values in zip(*costs))


def line(name, measured, other=None):
    ratios = '' if other is None else '{:>9.1f}x{:>9.1f}x{:>9.1f}x'.format(
        *(b / a for a, b in zip(measured, other)))
    print('{:<28}{:>9.2f}{:>9.2f}{:>9.0f}{}'.format(name, *measured, ratios), flush=True)


def compare(path, args):
    print(f'\n{path.name}, {path.stat().st_size / 1e6:.0f} MB; best of {args.rounds}')
    print('{:<28}{:>9}{:>9}{:>9}{:>10}{:>10}{:>10}'.format(
        '', 'CPU s', 'wall s', 'MB', 'CPU', 'wall', 'memory'))
    imports = best([cost([args.python, '-c', CONVERT, 'none']) for _ in range(args.rounds)])
    line('xprof, imports', imports)
    for tool in args.tools.split(','):
        ours, theirs = [], []
        for _ in range(args.rounds):
            ours.append(of_fresh_copy(path, lambda copy: [args.bin, copy, tool, '-format', 'json']))
            theirs.append(of_fresh_copy(
                path, lambda copy: [args.python, '-c', CONVERT, TOOLS[tool], copy]))
        line(f'xprof {TOOLS[tool]}', best(theirs))
        line(f'tfprof {tool}', best(ours), best(theirs))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True, help='our program')
    parser.add_argument('--python', default=sys.executable, help='with xprof installed')
    parser.add_argument('--tools', default='overview,kernels', help=', '.join(TOOLS))
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('files', nargs='+', type=pathlib.Path)
    args = parser.parse_args()
    for path in args.files:
        compare(path, args)


main()
