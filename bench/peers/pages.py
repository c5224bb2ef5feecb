#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `tfprof report` with the data of all pages of xprof (TensorBoard's Profile tab): how long they take, and how large they are.

    python3 -m venv VENV && VENV/bin/pip install xprof
    pages.py --bin build/release/tfprof --python VENV/bin/python FILE.xplane.pb...

xprof's program that draws the pages is not in its sizes, but in those of `report`. Each is made once, in a process of its own.
"""
import argparse
import json
import pathlib
import subprocess
import time

from log_directory import log_directory

# Prints the name, seconds and bytes of each page that xprof offers for a file.
PAGES = '''
import json, sys, time
from xprof.convert import raw_to_tool_data as convert
made = []
for tool in convert.xspace_to_tool_names([sys.argv[1]]):
    begin = time.monotonic()
    try:
        data, _ = convert.xspace_to_tool_data([sys.argv[1]], tool, {})
    except Exception:
        data = None
    made.append((tool, time.monotonic() - begin, len(data) if data else None))
print(json.dumps(made))
'''


def compare(path, args):
    with log_directory(path) as copy:
        begin = time.monotonic()
        done = subprocess.run([args.python, '-c', PAGES, copy], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        theirs = time.monotonic() - begin
        pages = json.loads(done.stdout.splitlines()[-1])
        made = [(tool, size) for tool, _, size in pages if size]
        page = copy.parent / 'page.html'
        begin = time.monotonic()
        subprocess.run([args.bin, 'report', page, copy], check=True, stderr=subprocess.DEVNULL)
        ours = time.monotonic() - begin
        print(f'{path.name}, {path.stat().st_size / 1e6:.1f} MB')
        print(f'  xprof, {len(made)} of {len(pages)} pages: {theirs:.1f} s, {sum(size for _, size in made) / 1e6:.2f} MB')
        print(f'  tfprof report: {ours:.2f} s, {page.stat().st_size / 1e6:.2f} MB')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True, help='our program')
    parser.add_argument('--python', required=True, help='with xprof installed')
    parser.add_argument('files', nargs='+', type=pathlib.Path)
    args = parser.parse_args()
    for path in args.files:
        compare(path, args)


main()
