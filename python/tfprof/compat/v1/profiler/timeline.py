# SPDX-License-Identifier: Apache-2.0
"""timeline.Timeline: the runs of one step as a Chrome trace, event by event as TensorFlow's client writes it."""
import collections
import json
import re

from tfprof.compat.v1.profiler import messages

AllocationMaximum = collections.namedtuple('AllocationMaximum', ('timestamp', 'num_bytes', 'tensors'))
StepStatsAnalysis = collections.namedtuple('StepStatsAnalysis', ('chrome_trace', 'allocator_maximums'))

_LABEL = re.compile(r'(.*) = (.*)\((.*)\)')


class ChromeTrace:
    """Events of the Trace Event Format."""

    def __init__(self):
        self.processes, self.events = [], []

    def name_process(self, pid, name):
        self.processes.append({'name': 'process_name', 'ph': 'M', 'pid': pid, 'args': {'name': name}})

    def add(self, phase, category, name, pid, tid, time, **more):
        self.events.append(dict({'ph': phase, 'cat': category, 'name': name, 'pid': pid, 'tid': tid, 'ts': time},
                                **more))

    def format_to_string(self, pretty=False):
        style = {'indent': 4, 'separators': (',', ': ')} if pretty else {'separators': (',', ':')}
        return json.dumps({'traceEvents': self.processes + self.events}, **style)


class _Tensor:
    def __init__(self, number, time, pid, allocation):
        self.number, self.created, self.pid = number, time, pid
        self.allocator, self.bytes = allocation.allocator_name, allocation.requested_bytes
        self.last_use = None  # the latest end of what reads or makes it

    def used_until(self, time):
        self.last_use = time if self.last_use is None else max(self.last_use, time)


class _Run:
    """A run of a node; times may be moved, which its message is not."""

    def __init__(self, stats):
        self.stats, self.name, self.label = stats, stats.node_name, stats.timeline_label
        self.start, self.duration, self.lane = stats.all_start_micros, stats.all_end_rel_micros, 0

    @property
    def end(self):
        return self.start + self.duration


def _kernel(run):
    """(node, operation) of the label of a kernel: RESULT (ARG) DETAIL @@NODE:OPERATION#..."""
    begin, end = run.label.find('@@'), run.label.find('#')
    name = run.label[begin + 2:end] if begin >= 0 and end >= 0 and begin + 2 < end else run.name
    name, operation = (name.split(':') + ['unknown'])[:2]
    return name, operation


def _operation(run):
    """(operation, inputs) of a label: NODE = OPERATION(INPUT, INPUT)."""
    match = _LABEL.match(run.label)
    if match is None:
        return 'unknown', []
    return match[2], match[3].split(', ') if match[3] else []


def _is_of_kernels(device):
    return '/stream:' in device or '/memcpy' in device


class Timeline:
    """The timeline of a step: a StepStats as a message or bytes. A RunMetadata has one in step_stats."""

    def __init__(self, step_stats, graph=None):
        self._stats = messages.StepStats.FromString(messages.to_bytes(step_stats))

    def _devices(self, op_time):
        devices = [(stats.device, [_Run(run) for run in stats.node_stats]) for stats in self._stats.dev_stats]
        if op_time == 'schedule':
            return devices
        spans = {}  # of the kernels of a node
        for device, runs in devices:
            if '/stream:all' in device:
                for run in runs:
                    first, last = spans.get(_kernel(run)[0], (run.start, run.end))
                    spans[_kernel(run)[0]] = (min(first, run.start), max(last, run.end))
        for device, runs in devices:
            if '/stream:all' in device or '/job' not in device:
                continue
            for run in runs:
                if run.name in spans:
                    first, last = spans[run.name]
                    end = max(last, run.end)
                    run.start = first if op_time == 'gpu' else run.start
                    run.duration = end - run.start
        return devices

    def analyze_step_stats(self, show_dataflow=True, show_memory=True, op_time='schedule'):
        """The trace, and the most memory of each allocator at once (with show_memory)."""
        devices = self._devices(op_time)
        trace = ChromeTrace()
        trace.name_process(0, 'Allocators')
        pids = []  # (of runs, of tensors) of each device
        for number, (device, _) in enumerate(devices):
            pids.append((2 * number + 1, 2 * number + 2))
            trace.name_process(pids[-1][0], device + ' Compute')
            trace.name_process(pids[-1][1], device + ' Tensors')
        _assign_lanes(devices)
        tensors, origins = _tensors(devices, pids, trace, show_memory)
        _show_runs(devices, pids, tensors, origins, trace, show_dataflow)
        maximums = _show_memory(tensors, trace) if show_memory else {}
        return StepStatsAnalysis(chrome_trace=trace, allocator_maximums=maximums)

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False, op_time='schedule'):
        """The trace as JSON. op_time: schedule, gpu (runs have the time of their kernels) or all (of both)."""
        analysis = self.analyze_step_stats(show_dataflow, show_memory, op_time)
        return analysis.chrome_trace.format_to_string(pretty=True)


def _assign_lanes(devices):
    """Runs of a device that overlap are on different lanes."""
    for _, runs in devices:
        ends = [0]
        for run in runs:
            run.lane = next((i for i, end in enumerate(ends) if run.start > end), len(ends))
            ends[run.lane:run.lane + 1] = [run.end]


def _tensors(devices, pids, trace, show_memory):
    """The tensors by name, and where each comes from: (time, process, lane)."""
    tensors, origins = {}, {}
    for (_, runs), (pid, tensor_pid) in zip(devices, pids):
        for run in runs:
            for index, output in enumerate(run.stats.output):
                name = '%s:%d' % (run.name, index) if index else run.name
                description = output.tensor_description
                tensor = _Tensor(len(tensors), run.start, tensor_pid, description.allocation_description)
                tensor.used_until(run.end)
                tensors[name] = tensor
                origins[name] = (run.end, pid, run.lane)
                if show_memory:
                    trace.add('N', 'Tensor', name, tensor_pid, run.lane, run.start, id=tensor.number)
                    text = str(description).replace('"', '')
                    trace.add('O', 'Tensor', name, tensor_pid, run.lane, run.end - 1, id=tensor.number,
                              args={'snapshot': {'tensor_description': text}})
    return tensors, origins


def _show_runs(devices, pids, tensors, origins, trace, show_dataflow):
    flows = 0
    for (device, runs), (pid, _) in zip(devices, pids):
        of_kernels = _is_of_kernels(device)
        for run in runs:
            inputs = []
            if of_kernels:
                name, operation = _kernel(run)
            elif run.name == 'RecvTensor':  # its label has no operation
                name, operation = run.name, 'RecvTensor'
            else:
                name = run.name
                operation, inputs = _operation(run)
            args = {'name': name, 'op': operation}
            args.update(('input%d' % i, text) for i, text in enumerate(inputs))
            trace.add('X', 'Op', operation, pid, run.lane, run.start, dur=run.duration, args=args)
            for text in inputs:
                # What was sent between devices has the name of the node and a number.
                if text not in tensors and text.rfind('/_') > 0:
                    text = text[:text.rfind('/_')]
                if text not in tensors:
                    continue
                tensors[text].used_until(run.end - 1)
                time, from_pid, from_lane = origins[text]
                if not show_dataflow or (from_pid, from_lane) == (pid, run.lane):
                    continue
                trace.add('s', 'DataFlow', text, from_pid, from_lane, time, id=flows)
                trace.add('t', 'DataFlow', text, pid, run.lane, run.start, id=flows)
                flows += 1


def _show_memory(tensors, trace):
    """Counters of the allocators; their maximums."""
    changes = {}  # by allocator: (time, bytes, tensor)
    for name, tensor in tensors.items():
        trace.add('D', 'Tensor', name, tensor.pid, 0, tensor.last_use, id=tensor.number)
        of_allocator = changes.setdefault(tensor.allocator, [])
        of_allocator += [(tensor.created, tensor.bytes, name), (tensor.last_use, -tensor.bytes, name)]
    maximums = {}
    for allocator, of_allocator in changes.items():
        total, there = 0, set()
        maximums[allocator] = AllocationMaximum(0, 0, set())
        for time, size, name in sorted(of_allocator):
            total += size
            (there.discard if size < 0 else there.add)(name)
            if total > maximums[allocator].num_bytes:
                maximums[allocator] = AllocationMaximum(time, total, set(there))
            trace.add('C', 'Memory', allocator, 0, 0, time, args={allocator: total})
    return maximums
