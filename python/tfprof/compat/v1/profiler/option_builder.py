# SPDX-License-Identifier: Apache-2.0
"""Options of the profiler: a dictionary, and what builds one."""
import copy

TRAINABLE_VARIABLES = '_trainable_variables'


def _everything():
    return {'max_depth': 100, 'min_bytes': 0, 'min_micros': 0, 'min_params': 0, 'min_float_ops': 0,
            'min_occurrence': 0, 'order_by': 'name', 'account_type_regexes': ['.*'], 'start_name_regexes': ['.*'],
            'trim_name_regexes': [], 'show_name_regexes': ['.*'], 'hide_name_regexes': [],
            'account_displayed_op_only': False, 'select': ['micros'], 'step': -1, 'output': 'stdout'}


def _preset(order_by, select, **more):
    return dict(_everything(), max_depth=10000, order_by=order_by, account_displayed_op_only=True, select=select,
                **more)


class ProfileOptionBuilder:
    """Builds the options of a profile. Methods change one option and return the builder; build() returns a copy.

        opts = (ProfileOptionBuilder(ProfileOptionBuilder.time_and_memory())
                .with_step(7).with_timeline_output('timeline.json').build())
    """

    def __init__(self, options=None):
        self._options = copy.deepcopy(options) if options is not None else _everything()

    @staticmethod
    def trainable_variables_parameter():
        """Parameters of trainable variables, for the view scope."""
        return dict(_preset('name', ['params']), account_type_regexes=[TRAINABLE_VARIABLES])

    @staticmethod
    def float_operation():
        """Float operations of nodes that have any."""
        return dict(_preset('float_ops', ['float_ops']), min_float_ops=1)

    @staticmethod
    def time_and_memory(min_micros=1, min_bytes=1, min_accelerator_micros=0, min_cpu_micros=0, min_peak_bytes=0,
                        min_residual_bytes=0, min_output_bytes=0):
        """Times in microseconds and memory in bytes, of rows that have at least the given."""
        return dict(_preset('micros', ['micros', 'bytes']), min_micros=min_micros, min_bytes=min_bytes,
                    min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros,
                    min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                    min_output_bytes=min_output_bytes)

    def build(self):
        return copy.deepcopy(self._options)

    def _with(self, **options):
        self._options.update(options)
        return self

    def with_max_depth(self, max_depth):
        """The depth of the rows of a tree; of op, their number less one."""
        return self._with(max_depth=max_depth)

    def with_min_memory(self, min_bytes=0, min_peak_bytes=0, min_residual_bytes=0, min_output_bytes=0):
        """Hides rows with less memory, in bytes."""
        return self._with(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                          min_output_bytes=min_output_bytes)

    def with_min_bytes(self, min_bytes):
        """Hides rows that requested less memory, in bytes; the other limits of memory stay."""
        return self._with(min_bytes=min_bytes)

    def with_min_micros(self, min_micros):
        """Hides rows that took less time, in microseconds; the other limits of time stay."""
        return self._with(min_micros=min_micros)

    def with_min_execution_time(self, min_micros=0, min_accelerator_micros=0, min_cpu_micros=0):
        """Hides rows that took less time, in microseconds."""
        return self._with(min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
                          min_cpu_micros=min_cpu_micros)

    def with_min_parameters(self, min_params):
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence):
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops):
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes):
        """Counts the nodes one of whose types matches one of the expressions: an operation, a device, ..."""
        return self._with(account_type_regexes=copy.copy(account_type_regexes))

    def with_node_names(self, start_name_regexes=None, show_name_regexes=None, hide_name_regexes=None,
                        trim_name_regexes=None):
        """Expressions of names, where rows begin, are shown, are hidden and end. None: unchanged."""
        given = {'start_name_regexes': start_name_regexes, 'show_name_regexes': show_name_regexes,
                 'hide_name_regexes': hide_name_regexes, 'trim_name_regexes': trim_name_regexes}
        return self._with(**{name: copy.copy(value) for name, value in given.items() if value is not None})

    def account_displayed_op_only(self, is_true):
        """Whether rows count only what is shown below them."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self):
        return self._with(output='none')

    def with_stdout_output(self):
        return self._with(output='stdout')

    def with_file_output(self, outfile):
        return self._with(output='file:outfile=%s' % outfile)

    def with_timeline_output(self, timeline_file):
        """A Chrome trace; its name is followed by _ and the step."""
        return self._with(output='timeline:outfile=%s' % timeline_file)

    def with_pprof_output(self, pprof_file):
        """Samples for pprof, of the view code."""
        return self._with(output='pprof:outfile=%s' % pprof_file)

    def order_by(self, attribute):
        return self._with(order_by=attribute)

    def select(self, attributes):
        return self._with(select=copy.copy(attributes))

    def with_step(self, step):
        """A step of add_step; -1: the mean of all."""
        return self._with(step=step)
