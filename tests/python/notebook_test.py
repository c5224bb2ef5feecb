#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes python/examples/profile.ipynb and checks what each cell shows, as a notebook would.

    PYTHONPATH=build/release/python notebook_test.py [PAGE.html]

Needs no Jupyter: a cell shows the value of its last expression, in the richest form that it has. With
PAGE.html, all of it is written there, to be looked at.
"""
import ast
import html
import json
import os
import pathlib
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / 'python/examples/profile.ipynb'


def value_of(source, names):
    """Runs the cell; returns the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, 'cell', 'exec'), names)  # pylint: disable=exec-used
    return eval(compile(ast.Expression(last.value), 'cell', 'eval'), names) if last else None


def shown(value):
    """HTML of what a notebook shows."""
    for form in ('_repr_html_', '_repr_svg_'):
        if hasattr(value, form):
            return getattr(value, form)()
    return '<pre>%s</pre>' % html.escape(repr(value))


def main():
    os.environ['TFPROF_TESTDATA'] = str(ROOT / 'testdata')
    names, page, pictures, tables = {}, [], 0, 0
    for cell in json.loads(NOTEBOOK.read_text())['cells']:
        source = ''.join(cell['source'])
        if cell['cell_type'] != 'code':
            page.append('<p>%s</p>' % html.escape(source))
            continue
        text = shown(value_of(source, names))
        page.append('<pre style="background:#eee">%s</pre>%s' % (html.escape(source), text))
        if '<svg' in text:
            root = xml.fromstring(text[text.index('<svg'):])
            drawn = [one for one in root.iter() if one.tag.endswith('rect')]
            assert len(drawn) > 3, source
            assert 'flops known' not in text, source  # none draws flops
            pictures += 1
        if '<table' in text:
            xml.fromstring('<x>%s</x>' % text)  # well formed
            tables += 1
    assert (pictures, tables) == (4, 5), (pictures, tables)
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).write_text('<!doctype html><meta charset="utf-8"><body>' + ''.join(page))


main()
