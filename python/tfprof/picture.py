# SPDX-License-Identifier: Apache-2.0
"""Pictures of reports, as SVG: nothing else is needed to draw them."""
import html
import math
import os

ROWS = 20
_ROW, _BAR, _LABEL, _WIDTH = 22, 14, 300, 900


class Picture:
    """An SVG picture, which notebooks show."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        with open(os.fspath(path), 'w', encoding='utf-8') as file:
            file.write(self.svg)


def _measure(table):
    """The column that bars show: the first time, else the first number."""
    numbers = [column for column in table.columns if column.type in ('integer', 'real') and column.unit]
    times = [column for column in numbers if column.unit in ('us', 'ms')]
    if not numbers:
        raise ValueError('%s has no numbers to draw' % table.name)
    return (times or numbers)[0]


def _shown(value, unit):
    if unit == 'us':
        for size, name in ((1e6, 's'), (1e3, 'ms')):
            if abs(value) >= size:
                return '%.4g %s' % (value / size, name)
    if unit == 'B':
        for size, name in ((2**30, 'GiB'), (2**20, 'MiB'), (2**10, 'KiB')):
            if abs(value) >= size:
                return '%.4g %s' % (value / size, name)
    return '%.4g %s' % (value, '' if unit == 'count' else unit)


def _bars(title, rows, unit):
    most = max((abs(value) for _, value in rows), default=0) or 1
    height = _ROW * (len(rows) + 1) + 10
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" '
             'font-size="12"><text x="4" y="16" font-weight="bold" fill="currentColor">%s</text>' %
             (_WIDTH, height, html.escape(title))]
    for i, (name, value) in enumerate(rows):
        y = _ROW * (i + 1) + 4
        width = (_WIDTH - _LABEL - 110) * abs(value) / most
        short = name if len(name) <= 44 else name[:20] + '…' + name[-23:]
        parts.append('<g><title>%s: %s</title><text x="%d" y="%d" text-anchor="end" fill="currentColor">%s</text>'
                     '<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>'
                     '<text x="%.1f" y="%d" fill="currentColor">%s</text></g>' %
                     (html.escape(name), html.escape(_shown(value, unit)), _LABEL - 6, y + 12, html.escape(short),
                      _LABEL, y + 1, width, _BAR, '#3b82c4' if value >= 0 else '#c4553b', _LABEL + width + 6, y + 12,
                      html.escape(_shown(value, unit))))
    return ''.join(parts) + '</svg>'


def _labels(table):
    """The names of the rows: the column `name`, else the first texts that differ."""
    texts = [column for column in table.columns if column.type == 'text']
    texts.sort(key=lambda column: column.id != 'name')
    for column in texts:
        cells = column.to_list()
        if column.id == 'name' or len(set(cells)) > 1 or len(cells) == 1:
            return ['-' if cell is None else cell for cell in cells]
    return [str(row) for row in range(table.rows)]


def of(report, column=None, rows=ROWS):
    if not report.tables:
        raise ValueError('%s has no table to draw' % report.view)
    table = report.table
    if table.is_tree and column is None:
        return Picture(report.emit('flame_svg').decode('utf-8'))
    measure = table[column] if column else _measure(table)
    labels = _labels(table)
    values = measure.to_list()
    measured = [(name, value) for name, value in zip(labels, values)
                if value is not None and not (isinstance(value, float) and math.isnan(value))]
    return Picture(_bars('%s: %s' % (report.view, measure.title), measured[:rows], measure.unit))
