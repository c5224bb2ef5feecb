#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares tfprof with xprof (the converters of TensorBoard's Profile tab) in one run.

    python3 -m venv VENV && VENV/bin/pip install xprof
    xprof.py --bin build/release/tfprof --python VENV/bin/python FILE.xplane.pb...

Every answer comes from a separate process and a file in a new folder: xprof caches its results next
to the file and would read them the next time. Each measured run directly follows an unmeasured run
of the same command, whose results are removed: in a virtual machine, memory that the previous
program freed is slow to allocate again, and the copy was just written. Rounds alternate, and the
best is reported. CPU is the user and system time of the process, memory its peak resident set. The
cost of python and xprof before they open a file (`xprof, imports`) is reported separately.
"""
import argparse
import pathlib
import sys

from log_directory import log_directory
from process import cost

TOOLS = {'overview': 'overview_page', 'kernels': 'kernel_stats', 'op_stats': 'framework_op_stats',
         'memory': 'memory_profile'}
CONVERT = '''
import sys
from xprof.convert import raw_to_tool_data
if len(sys.argv) > 2:
    data, _ = raw_to_tool_data.xspace_to_tool_data([sys.argv[2]], sys.argv[1], {})
    sys.exit(0 if data else 1)
'''


def of_fresh_copy(path, command):
    """Returns the cost of the second run of command(copy of the file in a new log directory)."""
    with log_directory(path) as copy:
        cost(command(copy))
        for made in copy.parent.iterdir():
            if made != copy:
                made.unlink()
        return cost(command(copy))[1:]


def best(costs):
    return tuple(min(values) for values in zip(*costs))


def line(name, measured, other=None):
    # The clock of CPU time ticks every 10 ms.
    ratios = '' if other is None else '{:>9.1f}x{:>9.1f}x{:>9.1f}x'.format(
        *(b / max(a, 0.01) for a, b in zip(measured, other)))
    print('{:<28}{:>9.2f}{:>9.2f}{:>9.0f}{}'.format(name, *measured, ratios), flush=True)


def compare(path, args):
    print(f'\n{path.name}, {path.stat().st_size / 1e6:.0f} MB; best of {args.rounds}')
    print('{:<28}{:>9}{:>9}{:>9}{:>10}{:>10}{:>10}'.format(
        '', 'CPU s', 'wall s', 'MB', 'CPU', 'wall', 'memory'))
    imports = best([cost([args.python, '-c', CONVERT, 'none'])[1:] for _ in range(args.rounds)])
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
