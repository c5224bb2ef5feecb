# SPDX-License-Identifier: Apache-2.0
"""The Markdown that the library writes, as HTML: headings, tables and lines. Nothing else occurs in it."""
import html
import re

_CELL = re.compile(r'(?<!\\)\|')
_STYLE = '<style>.tfprof td,.tfprof th{white-space:nowrap;text-align:left;padding:1px 8px}' \
         '.tfprof .r{text-align:right;font-variant-numeric:tabular-nums}</style>'


def _text(markdown):
    """The text of a cell or a line."""
    plain = re.sub(r'\\([\\`*_{}\[\]<>()#+.!|~-])', r'\1', markdown.strip())
    plain = html.unescape(plain)
    if len(plain) > 1 and plain[0] == plain[-1] == '`':
        plain = plain.strip('`')
    return html.escape(plain)


def _cells(line):
    return [_text(cell) for cell in _CELL.split(line.strip())[1:-1]]


def _table(lines):
    aligned = ['r' if cell.strip().endswith(':') else '' for cell in lines[1].strip().strip('|').split('|')]
    rows = []
    for i, line in enumerate(lines):
        if i == 1:
            continue
        tag = 'th' if i == 0 else 'td'
        cells = ''.join('<%s%s>%s</%s>' % (tag, ' class="r"' if kind else '', cell, tag)
                        for cell, kind in zip(_cells(line), aligned))
        rows.append('<tr>%s</tr>' % cells)
    return '<table class="dataframe"><thead>%s</thead><tbody>%s</tbody></table>' % (rows[0], ''.join(rows[1:]))


def to_html(markdown):
    parts, table = [], []

    def end_table():
        if len(table) > 1:
            parts.append(_table(table))
        table.clear()

    for line in markdown.split('\n'):
        if line.startswith('|'):
            table.append(line)
            continue
        end_table()
        if line.startswith('#'):
            parts.append('<p><b>%s</b></p>' % _text(line.lstrip('#')))
        elif line.strip():
            parts.append('<p>%s</p>' % _text(line.lstrip('-* ')))
    end_table()
    return '<div class="tfprof">%s%s</div>' % (_STYLE, ''.join(parts))
