# SPDX-License-Identifier: Apache-2.0
"""Classic text of scope, graph, op and code, made from their JSON."""

# ---- numbers ------------------------------------------------------------------------------------


def scaled(value, units):
    """units: (limit, divisor, suffix); the last limit is None."""
    value = value or 0
    for limit, divisor, suffix in units:
        if limit is None or value < limit:
            return '%d%s' % (value, suffix) if divisor == 1 else '%.2f%s' % (value / divisor, suffix)


def count(value):
    return scaled(value, ((1000, 1, ''), (10**6, 1e3, 'k'), (10**9, 1e6, 'm'), (None, 1e9, 'b')))


def time(value):
    return scaled(value, ((1000, 1, 'us'), (10**6, 1e3, 'ms'), (None, 1e6, 'sec')))


def memory(value):
    return scaled(value, ((1000, 1, 'B'), (10**6, 1e3, 'KB'), (None, 1e6, 'MB')))


def percent(part, whole):
    if whole == 0:
        return '-nan' if part == 0 else 'inf' if part > 0 else '-inf'
    return '%.2f' % (100.0 * part / whole)


# ---- cells --------------------------------------------------------------------------------------

# select, id, legend, format, suffix in trees, suffix in op
MEMORY = [('bytes', 'requested bytes'), ('peak_bytes', 'peak bytes'),
          ('residual_bytes', 'residual bytes'), ('output_bytes', 'output bytes')]
TIMES = [('micros', 'total execution time'), ('accelerator_micros', 'accelerator execution time'),
         ('cpu_micros', 'cpu execution time')]
COUNTS = [('params', '# parameters', ' params', ' params'),
          ('float_ops', '# float_ops', ' flops', ' float_ops')]


def cells(view, select):
    """(id, legend, format, suffix): format is None for what is no number."""
    op = view == 'op'
    numbers = [(i, l, memory, '') for i, l in MEMORY if i in select]
    numbers += [(i, l, time, '') for i, l in TIMES if i in select or 'micros' in select]
    counts = [(i, l, count, o if op else t) for i, l, t, o in COUNTS if i in select]
    of_nodes = view in ('scope', 'graph')
    rest = [('device', 'assigned devices'), ('op_types', 'op types'),
            ('occurrence', 'op %s (run|defined)' % ('count' if of_nodes else 'occurrence')),
            ('input_shapes', 'input shapes')]
    rest = [(i, l, None, '') for i, l in rest if i in select]
    return (counts + numbers if of_nodes else numbers + counts) + rest


def pair(row, key, form, suffix=''):
    own = form(row[key]) if row['accounted'] else '--'
    return '%s/%s%s' % (own, form(row['total_' + key]), suffix)


def tree_cell(view, row, key, form, suffix):
    """A list: no cell, one, or two."""
    if view == 'code' and key in ('occurrence', 'input_shapes'):
        return [key + ' N/A in code view']
    if form:
        shape = [row['shape']] if key == 'params' and row.get('shape') else []
        return shape + [pair(row, key, form, suffix)]
    if key == 'occurrence':
        defined = count(row['total_occurrence_defined'])
        own = '1' if row['accounted'] else '--'
        return ['%s|%s/%s' % (pair(row, 'occurrence_run', count), own, defined)]
    if key == 'device' and not row[key]:
        return []
    return ['|'.join(row[key])]


def op_cell(row, key, form, suffix, properties):
    if form:
        own, rest = row[key] or 0, row['classic_remainder_' + key] or 0
        whole = properties['total_' + key] or 0
        shares = ('0.00', '0.00')
        if (own if form is memory else rest) > 0:
            shares = percent(rest, whole), percent(own, whole)
        return '%30s' % ('%s%s (%s%%, %s%%)' % (form(own), suffix, *shares))
    if key == 'occurrence':
        return '%10s' % ('%d|%d' % (row['occurrence_run'] or 0, row['occurrence_defined'] or 0))
    return '|'.join(row[key])


# ---- tensors ------------------------------------------------------------------------------------


def tensor_text(tensor):
    values = tensor['values']
    if values is None:
        return ''
    whole = tensor['dtype'] in (3, 9)  # int32, int64
    at = 0

    def value():
        nonlocal at
        at += 1
        v = values[at - 1]
        return '%d ' % v if whole else v + ' ' if isinstance(v, str) else '%.2f ' % float('%g' % v)

    def bracket(text, depth):
        text += '['
        if not tensor['shape']:
            text += value()
        for _ in range(tensor['shape'][depth] if tensor['shape'] else 0):
            last = depth + 1 == len(tensor['shape'])
            text = text + value() if last else bracket(text, depth + 1)
        return text[:10000] + '],\n'

    text = bracket('', 0)
    return text + ('...omitted from display\n\n' if len(text) >= 10000 else '')


# ---- texts --------------------------------------------------------------------------------------


def tables(answer):
    if 'tables' in answer:
        return {name: table['rows'] for name, table in answer['tables'].items()}
    return {answer['view']: answer['rows']}


def c_string(text):
    return text.split('\0')[0]


def tree_text(answer, select):
    view, out = answer['view'], []
    for row in tables(answer)[view]:
        info = [cell for key, _, form, suffix in cells(view, select)
                for cell in tree_cell(view, row, key, form, suffix)]
        out.append('%s%s (%s)\n' % ('  ' * row['depth'], c_string(row['name']), ', '.join(info)))
        if 'tensor_value' in select and view != 'code' and row['tensor_value']:
            out.append(tensor_text(row['tensor_value']))
    return ''.join(out)


def op_text(answer, select):
    shapes, out = {}, []
    for line in tables(answer).get('input_shapes', []):
        text = 'input_type: %s\t(run*%d|defined*%d)\texec_time: %s' % (
            ',\t'.join(line['input_shapes']), line['run'] or 0, line['defined'] or 0, time(line['micros']))
        shapes.setdefault(line['row'], []).append(text)
    for number, row in enumerate(tables(answer)['op']):
        info = [op_cell(row, key, form, suffix, answer['properties'])
                for key, _, form, suffix in cells('op', select) if key != 'input_shapes']
        name = c_string(row['name']).encode('utf-8')
        pad = ' ' * (25 - len(name))
        out.append('%s%s%s\n' % (c_string(row['name']), pad, ', '.join(info)))
        if 'input_shapes' in select and number in shapes:
            out.append('\n%s\n\n' % '\n'.join(shapes[number]))
    return ''.join(out)


def classic_text(answer, select):
    view = answer['view']
    legend = 'node name | %s\n' % ' | '.join(c[1] for c in cells(view, select))
    if view == 'op':
        rows = tables(answer)['op']
        only_root = len(rows) == 1 and not rows[0]['accounted']
        return 'Profile:\n' + ('' if only_root else legend) + op_text(answer, select)
    return 'Profile:\n' + legend + tree_text(answer, select)
