# SPDX-License-Identifier: Apache-2.0
"""The answer of a view: tables with typed columns, facts beside them, notes."""
import shutil

from tfprof import markdown, picture

SHOWN_ROWS = 20  # of each table, where it is displayed


class Column:
    """One column of a table: id, title, unit, meaning, type; its cells as a list or an array."""

    def __init__(self, table, number, info):
        self._report, self._table, self._number = table.native, table.number, number
        self.id, self.title, self.unit = info['id'], info['title'], info['unit']
        self.meaning, self.type = info['meaning'], info['type']
        self._divisor, self._scale = info['divisor'], info['scale']

    @property
    def is_real(self):
        return self.type == 'real' or (self.type == 'integer' and self._divisor != 1)

    def to_list(self):
        """The cells; None: not measured."""
        return self._report.cells(self._table, self._number)

    def to_numpy(self):
        """Numbers as an array, in the unit of the column; NaN: not measured.

        Whole numbers stay whole if each was measured; then, and for reals, nothing is copied. Others are objects.
        """
        import numpy
        if self.type not in ('integer', 'boolean', 'real'):
            objects = numpy.empty(len(cells := self.to_list()), dtype=object)
            objects[:] = cells
            return objects
        kept = self._report.array(self._table, self._number)
        if self.type == 'real':
            return kept if self._scale == 1 else kept * self._scale
        absent = kept == ABSENT
        if self.type == 'boolean' and not absent.any():
            return kept != 0
        if not self.is_real and not absent.any():
            return kept
        numbers = kept / self._divisor
        numbers[absent] = numpy.nan
        return numbers

    def __len__(self):
        return len(self.to_list())

    def __repr__(self):
        return 'Column(%s, %s%s)' % (self.id, self.type, ', ' + self.unit if self.unit else '')


ABSENT = -2**63


class Table:
    """One table of a report. Rows are a list, or a tree in depth-first order (`depth`, `parent`)."""

    def __init__(self, native, number, info):
        self.native, self.number = native, number
        self.name, self.title, self.rows = info['name'], info['title'], info['rows']
        self.is_tree, self.omitted_rows = info['is_tree'], info['omitted_rows']
        self.columns = [Column(self, i, column) for i, column in enumerate(info['columns'])]

    def __len__(self):
        return self.rows

    def __getitem__(self, name):
        for column in self.columns:
            if column.id == name:
                return column
        raise KeyError('%s; the columns are %s' % (name, ', '.join(self)))

    def __iter__(self):
        """The ids of the columns, as in a DataFrame."""
        return (column.id for column in self.columns)

    def to_rows(self):
        """A dictionary for each row."""
        names = [column.id for column in self.columns]
        cells = [column.to_list() for column in self.columns]
        if self.is_tree:
            names = ['depth', 'parent'] + names
            cells = list(self.native.tree(self.number)) + cells
        return [dict(zip(names, row)) for row in zip(*cells)]

    def __arrow_c_stream__(self, requested_schema=None):
        """For Arrow, pandas, polars, DuckDB: numbers are not copied."""
        return self.native.stream(self.number)

    def to_arrow(self):
        """A pyarrow.Table. Numbers are not copied, except those that are kept in another unit."""
        import pyarrow
        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def to_pandas(self):
        """A pandas.DataFrame. Columns have a unit in their names; a cell that was not measured is missing."""
        import pandas
        try:
            table = self.to_arrow()
        except ImportError:
            return pandas.DataFrame(self._pandas_columns(pandas), copy=False)
        # Whole numbers with missing cells stay whole.
        kinds = {'int64': pandas.Int64Dtype(), 'uint32': pandas.UInt32Dtype(), 'bool': pandas.BooleanDtype()}
        missing = {field.name for field, column in zip(table.schema, table.columns) if column.null_count}
        return self._frame(pandas, table, kinds, missing)

    @staticmethod
    def _frame(pandas, table, kinds, missing):
        columns = {}
        for field, column in zip(table.schema, table.columns):
            kind = kinds.get(str(field.type)) if field.name in missing else None
            if kind is not None:
                columns[field.name] = kind.__from_arrow__(column)
            else:
                columns[field.name] = column.to_pandas()
        return pandas.DataFrame(columns, copy=False)

    def _pandas_columns(self, pandas):
        columns = {}
        if self.is_tree:
            depth, parent = self.native.tree(self.number)
            columns = {'depth': depth, 'parent': pandas.array(parent, dtype='Int64')}
        for column in self.columns:
            cells = column.to_numpy()
            if column.type == 'integer' and not column.is_real and cells.dtype.kind == 'f':
                cells = pandas.array(column.to_list(), dtype='Int64')
            columns[column.id] = cells
        return columns

    def __repr__(self):
        return 'Table(%s, %d rows: %s)' % (self.name, self.rows, ', '.join(self))


class Report:
    """The answer of a view.

    tables: by name; the first is the answer. properties: facts beside them, by id. notes: what a reader should
    know. It shows itself as the program does; to_pandas(), to_arrow() and [ID] are of the first table.
    """

    def __init__(self, native, again):
        self.native, self._again = native, again
        self.view = native.view
        self.tables = {info['name']: Table(native, i, info) for i, info in enumerate(native.tables())}
        self.properties = native.properties()
        self.notes = native.notes()

    @property
    def table(self):
        """The first table."""
        return next(iter(self.tables.values()))

    @property
    def columns(self):
        """The columns of the first table."""
        return self.table.columns

    def __getitem__(self, column):
        return self.table[column]

    def __iter__(self):
        return iter(self.table)

    def __len__(self):
        return len(self.table) if self.tables else 0

    def __bool__(self):
        return True

    def _table(self, name):
        if name is None:
            return self.table
        if name not in self.tables:
            raise KeyError('%s; the tables are %s' % (name, ', '.join(self.tables)))
        return self.tables[name]

    def to_pandas(self, table=None):
        return self._table(table).to_pandas()

    def to_arrow(self, table=None):
        return self._table(table).to_arrow()

    def to_rows(self, table=None):
        return self._table(table).to_rows()

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)

    def emit(self, format, columns=0, color=False):  # pylint: disable=redefined-builtin
        """The bytes of any output format: csv, json, table, md, flame_svg, speedscope, ..."""
        return self.native.emit(format, columns, color)

    def _for_readers(self):
        """The answer as the program shows it: folded, the first rows."""
        shown = self._again([('format', 'table'), ('n', str(SHOWN_ROWS))])
        return shown if shown is not None else self.native

    def text(self, columns=0, color=False):
        """What the program prints, with the first rows of each table."""
        try:
            shown = self._for_readers()
        except ValueError:  # a view without -n
            shown = self.native
        return shown.emit('table', columns, color).decode('utf-8', 'replace')

    def __repr__(self):
        return self.text(columns=shutil.get_terminal_size().columns).rstrip('\n')

    def _repr_html_(self):
        try:
            shown = self._for_readers()
        except ValueError:
            shown = self.native
        return markdown.to_html(shown.emit('md', 0, False).decode('utf-8', 'replace'))

    def plot(self, column=None, rows=picture.ROWS):
        """A picture: a flame graph of a tree, else bars of a column. `.save(path)` writes it as SVG."""
        return picture.of(self, column, rows)
