# SPDX-License-Identifier: Apache-2.0
"""The messages of the original's results, and of what is given to it, without protobuf.

A message is read once and not changed. It nests as deep as a profile does: nothing here recurses.
"""
import functools
import os
import struct

# By number; the types of tensors that results name.
_TYPES = ('INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 BFLOAT16 '
          'QINT16 QUINT16 UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64').split()


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


_SCALARS = {'int': 0, 'bool': False, 'type': 0, 'double': 0.0, 'string': ''}


def _number(kind, value):
    return value != 0 if kind == 'bool' else _signed(value)


class Message:
    """A message with the fields of FIELDS: number to (name, kind, is it repeated).

    A kind is the name of a scalar, a message, or (kind of the keys, kind of the values) of a map.
    """
    FIELDS = {}

    def __init__(self, data=b'', begin=0, end=None):
        self._data, self._begin, self._end = data, begin, len(data) if end is None else end
        self._values = None

    @classmethod
    def FromString(cls, data):  # pylint: disable=invalid-name
        message = cls(bytes(data))
        message._fields()
        return message

    def _fields(self):
        """The values by name. Messages inside are read when they are asked for."""
        if self._values is None:
            try:
                self._values = _read(self, self._data, self._begin, self._end)
            except (IndexError, struct.error) as error:
                raise ValueError('not a %s' % type(self).__name__) from error
        return self._values

    def SerializeToString(self):  # pylint: disable=invalid-name
        return self._data[self._begin:self._end]

    def ByteSize(self):  # pylint: disable=invalid-name
        return self._end - self._begin

    def HasField(self, name):  # pylint: disable=invalid-name
        return name in self._fields()

    def ListFields(self):  # pylint: disable=invalid-name
        values = self._fields()
        return [(name, values[name]) for _, (name, _, _) in sorted(self.FIELDS.items()) if name in values]

    def __getattr__(self, name):
        if name.startswith('_'):  # what pickle and copy look for
            raise AttributeError(name)
        values = self._fields()
        if name in values:
            return values[name]
        for known, kind, repeated in self.FIELDS.values():
            if known == name:
                empty = [] if repeated else {} if isinstance(kind, tuple) else \
                    _SCALARS[kind] if isinstance(kind, str) else kind()
                return empty
        raise AttributeError('%s has no field %s' % (type(self).__name__, name))

    def __dir__(self):
        return [*super().__dir__(), *(name for name, _, _ in self.FIELDS.values())]

    def __eq__(self, other):
        return hasattr(other, 'SerializeToString') and self.SerializeToString() == other.SerializeToString()

    __hash__ = None

    def __str__(self):
        return ''.join(_lines(self))

    __repr__ = __str__


def _read(message, data, at, end):
    """The values of the fields of a message, by name."""
    values = {}
    fields = message.FIELDS
    while at < end:
        tag, at = _varint(data, at)
        name, kind, repeated = fields.get(tag >> 3, (None, None, None))
        wire = tag & 7
        if wire == 0:
            value, at = _varint(data, at)
            if name is not None:
                _put(values, name, repeated, _number(kind, value))
        elif wire == 1:
            if name is not None:
                _put(values, name, repeated, struct.unpack_from('<d', data, at)[0])
            at += 8
        elif wire == 5:
            at += 4
        elif wire == 2:
            size, at = _varint(data, at)
            if at + size > end:
                raise IndexError
            if name is not None:
                _put_bytes(values, name, kind, repeated, data, at, at + size)
            at += size
        else:
            raise IndexError
    if at > end:
        raise IndexError
    return values


def _put(values, name, repeated, value):
    if repeated:
        values.setdefault(name, []).append(value)
    else:
        values[name] = value


def _put_bytes(values, name, kind, repeated, data, at, end):
    if isinstance(kind, tuple):
        entry = _entry_of(kind)(data, at, end)
        values.setdefault(name, {})[entry.key] = entry.value
    elif not isinstance(kind, str):
        _put(values, name, repeated, kind(data, at, end))
    elif kind == 'string':
        _put(values, name, repeated, data[at:end].decode('utf-8', 'backslashreplace'))
    elif kind == 'double':  # packed
        values.setdefault(name, []).extend(struct.unpack('<%dd' % ((end - at) // 8), data[at:end]))
    else:
        while at < end:
            value, at = _varint(data, at)
            _put(values, name, True, _number(kind, value))


@functools.lru_cache(maxsize=None)
def _entry_of(kind):
    """The message of an entry of a map."""
    return type('Entry', (Message,), {'FIELDS': {1: ('key', kind[0], False), 2: ('value', kind[1], False)}})


def _scalar(kind, value):
    if kind == 'string':
        return '"%s"' % value.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n')
    if kind == 'bool':
        return 'true' if value else 'false'
    if kind == 'type':
        base = value - 100 if value > 100 else value
        name = 'DT_' + _TYPES[base] + ('_REF' if value > 100 else '') if 0 <= base < len(_TYPES) else str(value)
        return name
    if kind == 'double':
        return repr(value)
    return str(value)


def _lines(root):
    """The text of a message, as protobuf prints it."""
    waiting = [(root, 0, None)]  # (message or None, depth, text)
    while waiting:
        message, depth, text = waiting.pop()
        if message is None:
            yield text
            continue
        pieces, fields = [], message._fields()
        for _, (name, kind, repeated) in sorted(message.FIELDS.items()):
            if name not in fields:
                continue
            value = fields[name]
            indent = '  ' * depth
            if isinstance(kind, tuple):
                entry = _entry_of(kind)
                values = []
                for key, of_key in value.items():
                    values.append(entry())
                    values[-1]._values = {'key': key, 'value': of_key}
                kind = entry
            else:
                values = value if repeated else [value]
            for one in values:
                if isinstance(kind, str):
                    pieces.append((None, 0, '%s%s: %s\n' % (indent, name, _scalar(kind, one))))
                else:
                    pieces += [(None, 0, '%s%s {\n' % (indent, name)), (one, depth + 1, None),
                               (None, 0, '%s}\n' % indent)]
        waiting.extend(reversed(pieces))


class Dim(Message):
    FIELDS = {1: ('size', 'int', False), 2: ('name', 'string', False)}


class TensorShapeProto(Message):
    FIELDS = {2: ('dim', Dim, True), 3: ('unknown_rank', 'bool', False)}


class TFProfTensorProto(Message):
    FIELDS = {1: ('dtype', 'type', False), 2: ('value_double', 'double', True), 3: ('value_int64', 'int', True),
              4: ('value_str', 'string', True)}


def _numbers(names):
    return {number: (name, 'int', False) for number, name in names.items()}


class GraphNodeProto(Message):
    """A node of the views scope and graph. Times are in microseconds; total_ fields include the children."""
    FIELDS = _numbers({
        2: 'exec_micros', 3: 'requested_bytes', 4: 'parameters', 6: 'total_exec_micros', 7: 'total_requested_bytes',
        8: 'total_parameters', 13: 'float_ops', 14: 'total_float_ops', 17: 'accelerator_exec_micros',
        18: 'cpu_exec_micros', 19: 'total_accelerator_exec_micros', 20: 'total_cpu_exec_micros', 21: 'run_count',
        22: 'total_run_count', 23: 'total_definition_count', 24: 'peak_bytes', 25: 'residual_bytes',
        26: 'output_bytes', 27: 'total_peak_bytes', 28: 'total_residual_bytes', 29: 'total_output_bytes'})


GraphNodeProto.FIELDS.update({
    1: ('name', 'string', False), 10: ('devices', 'string', True), 11: ('shapes', TensorShapeProto, True),
    12: ('children', GraphNodeProto, True), 15: ('tensor_value', TFProfTensorProto, False),
    16: ('input_shapes', ('int', TensorShapeProto), False)})


class MultiGraphNodeProto(Message):
    """A row of the views op and code. Each row of op is the child of the row before it."""
    FIELDS = _numbers({
        2: 'exec_micros', 3: 'requested_bytes', 4: 'parameters', 5: 'float_ops', 6: 'total_exec_micros',
        7: 'total_requested_bytes', 8: 'total_parameters', 9: 'total_float_ops', 12: 'accelerator_exec_micros',
        13: 'cpu_exec_micros', 14: 'total_accelerator_exec_micros', 15: 'total_cpu_exec_micros', 16: 'peak_bytes',
        17: 'residual_bytes', 18: 'output_bytes', 19: 'total_peak_bytes', 20: 'total_residual_bytes',
        21: 'total_output_bytes'})


MultiGraphNodeProto.FIELDS.update({
    1: ('name', 'string', False), 10: ('graph_nodes', GraphNodeProto, True),
    11: ('children', MultiGraphNodeProto, True)})


class Checker(Message):
    FIELDS = {2: ('reports', 'string', True)}


class AdviceProto(Message):
    """checkers: by name; each has reports."""
    FIELDS = {1: ('checkers', ('string', Checker), False)}


class Trace(Message):
    FIELDS = {1: ('file', 'string', False), 2: ('lineno', 'int', False), 3: ('function', 'string', False),
              4: ('line', 'string', False), 5: ('func_start_line', 'int', False), 6: ('file_id', 'int', False),
              7: ('function_id', 'int', False), 8: ('line_id', 'int', False)}


class CodeDef(Message):
    FIELDS = {1: ('traces', Trace, True)}


class OpLogEntry(Message):
    FIELDS = {1: ('name', 'string', False), 2: ('float_ops', 'int', False), 3: ('types', 'string', True),
              4: ('code_def', CodeDef, False)}


class OpLogProto(Message):
    FIELDS = {1: ('log_entries', OpLogEntry, True), 2: ('id_to_string', ('int', 'string'), False)}


class AllocationDescription(Message):
    FIELDS = {1: ('requested_bytes', 'int', False), 2: ('allocated_bytes', 'int', False),
              3: ('allocator_name', 'string', False), 4: ('allocation_id', 'int', False),
              5: ('has_single_reference', 'bool', False), 6: ('ptr', 'int', False)}


class TensorDescription(Message):
    FIELDS = {1: ('dtype', 'type', False), 2: ('shape', TensorShapeProto, False),
              4: ('allocation_description', AllocationDescription, False)}


class NodeOutput(Message):
    FIELDS = {1: ('slot', 'int', False), 3: ('tensor_description', TensorDescription, False)}


class NodeExecStats(Message):
    FIELDS = {1: ('node_name', 'string', False), 2: ('all_start_micros', 'int', False),
              5: ('all_end_rel_micros', 'int', False), 7: ('output', NodeOutput, True),
              8: ('timeline_label', 'string', False), 10: ('thread_id', 'int', False)}


class DeviceStepStats(Message):
    FIELDS = {1: ('device', 'string', False), 2: ('node_stats', NodeExecStats, True)}


class StepStats(Message):
    FIELDS = {1: ('dev_stats', DeviceStepStats, True)}


class RunMetadata(Message):
    FIELDS = {1: ('step_stats', StepStats, False)}


def to_bytes(given):
    """The bytes of a message: serialized, an object with SerializeToString, or the path of a file; None: none."""
    if given is None:
        return b''
    if isinstance(given, (bytes, bytearray, memoryview)):
        return bytes(given)
    if hasattr(given, 'SerializeToString'):
        return given.SerializeToString()
    if isinstance(given, (str, os.PathLike)):
        with open(given, 'rb') as file:
            return file.read()
    raise TypeError('neither bytes nor a message: %r' % type(given))
