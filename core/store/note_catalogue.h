// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <span>
#include <string_view>

#include "core/store/note.h"

// All notes, one row each: id and text. note::ID is the row.

// clang-format off
#define TFPROF_NOTES(NOTE) \
  NOTE(above_peak_bandwidth, "operations above 100% of the peak memory bandwidth: bytes " \
       "served by a cache count as moved, or the trace records too low a bandwidth for the " \
       "device") \
  NOTE(above_peak_flop_rate, "operations above 100% of the peak FLOP/s: elementwise " \
       "operations count by clock cycles, or the trace records too low a clock for the run") \
  NOTE(added_up_over, "operations are summed over {}: -host and -device select what to compare") \
  NOTE(allocations_without_time, "allocations and frees without a time, skipped") \
  NOTE(allocators_without_event_until_then, "allocators without an allocation or free until then: " \
       "what they held is not recorded") \
  NOTE(also_called, "'{}' is also {}: {} {}") \
  NOTE(awaiting_operations, "operations stalled on async work (copy-done and the like), " \
       "without rates: their recorded cost is that of the work they wait for") \
  NOTE(base_scaled, "values of the base count for as many steps or executions as this profile " \
       "has: {}") \
  NOTE(buffers_without_times, "compiled programs that did not run have no times: `memory -at peak` " \
       "shows what they hold when they hold most") \
  NOTE(bytes_beyond_memory, "operations that only start a transfer, without a memory bandwidth") \
  NOTE(checkpoint_of_other_graph, "checkpoint entries matching no node (most of the " \
       "checkpoint)") \
  NOTE(checkpoint_type_not_shown, "checkpoint values of an unsupported type") \
  NOTE(clocks_of_ranks, "ranks whose clock differs from that of the first one of their groups, by up to {}: " \
       "moved such that collectives end at the same time on all; half of them do within {}") \
  NOTE(code_ignores_displayed_only, "code ignores -account_displayed_op_only") \
  NOTE(code_lacks_attribute, "code has no values for -select {}") \
  NOTE(collectives_without_bytes, "collectives without bytes: kernels of NCCL and RCCL do not " \
       "record how much they move; XLA does, where its programs are in the trace") \
  NOTE(collectives_without_group, "collectives without a recorded group: they have no bus " \
       "bandwidth, and devices whose calls of an operation end together count as one group") \
  NOTE(crowded_links, "producer and consumer IDs shared by too many events, not linked") \
  NOTE(damaged_checkpoint_entries, "damaged entries of a checkpoint, skipped") \
  NOTE(damaged_file, "damaged or truncated file: the rest was not read") \
  NOTE(damaged_gzip, "damaged gzip file: the rest was not read") \
  NOTE(damaged_programs_compared, \
       "operations of damaged programs have no names: they are compared with nothing, and appear as " \
       "new or gone") \
  NOTE(dangling_instructions, "references to instructions or computations that the program " \
       "lacks") \
  NOTE(deep_frames, "frames below depth {} are hidden; -max_depth 100 shows them") \
  NOTE(deep_rows, "rows below depth {} count in the row above them") \
  NOTE(divided_by_runs, "values are per execution of the main program: divided by {}") \
  NOTE(divided_by_steps, "trace totals are divided by the number of steps: {}") \
  NOTE(duplicate_graph_nodes, "graph nodes with a duplicate name: the first one counts") \
  NOTE(duplicate_nodes, "nodes with a duplicate name, skipped") \
  NOTE(events_without_details, "events beyond 4 GiB of their line, without details") \
  NOTE(events_without_node, "events without a graph node; `planes` shows them") \
  NOTE(events_without_time, "events without a time or a duration, skipped") \
  NOTE(execution_traces, "execution traces of PyTorch, skipped: the trace of the profiler has " \
       "the same operations, with their times") \
  NOTE(executions_without_start, "executions without a start time") \
  NOTE(far_lines_clamped, "lines that start more than 106 days from the others, clamped") \
  NOTE(far_times_clamped, "times more than 106 days after the first, clamped") \
  NOTE(files_given_twice, "files given twice, read once") \
  NOTE(first_and_last_step_left_out, "the first and last steps are excluded: recording started " \
       "and ended in them; `pod` shows all steps") \
  NOTE(flops_known, "flops known for {}; -shape NAME=1,224,224,3 gives the shape of an input") \
  NOTE(flops_known_of_time, "flops known for {} ({}% of the time)") \
  NOTE(frames_without_file, "frames without a recorded file or function") \
  NOTE(functions_not_in_graph, "functions of the graph's library, not part of the graph") \
  NOTE(gradients_without_forward_node, "gradient nodes skipped: their forward node has no code " \
       "trace") \
  NOTE(graphs_without_versions, "graphs without versions, possibly truncated: versions are " \
       "stored at the end") \
  NOTE(host_idle_not_known, "steps are marked by devices: hosts work for a step before and " \
       "after it, so their idle time in it is unknown; -device host:CPU shows their own steps, " \
       "if they marked any") \
  NOTE(hosts_without_steps, "hosts without steps, excluded") \
  NOTE(input_of_all_devices, "host operations are shown for any -device: a host feeds all of " \
       "its devices") \
  NOTE(job_not_opened, "job not opened: {}") \
  NOTE(log_entries_of_unknown_nodes, "log entries matching no graph node, ignored") \
  NOTE(long_durations_clamped, "durations over 106 days, clamped") \
  NOTE(loops_counted_once, "loops whose bodies count once in flops: the number of trips is unknown") \
  NOTE(malformed_code_texts, "malformed texts of code traces, skipped") \
  NOTE(malformed_code_traces, "malformed code traces, shown up to the damage") \
  NOTE(malformed_events, "malformed events, skipped") \
  NOTE(malformed_log_entries, "malformed log entries, skipped") \
  NOTE(malformed_manifest, "manifest not used, {}: the folder was opened by its file names") \
  NOTE(malformed_memory_records, "malformed memory records, skipped") \
  NOTE(malformed_node_parts, "malformed parts of nodes, skipped") \
  NOTE(malformed_records, "malformed records, skipped") \
  NOTE(malformed_times, "times that are not pairs of start and duration, skipped") \
  NOTE(manifest_names_absent_file, "traces that the manifest names but the folder lacks") \
  NOTE(manifest_names_other_folder, "traces that the manifest names outside of its folder, not " \
       "opened") \
  NOTE(memory_counted_from_executions, "allocations are those recorded by executions: `in use` " \
       "starts at 0 in every step, and memory held before the step is not recorded") \
  NOTE(moments_are_not_busy, "busy time counts events with a duration; `overview`, `input` and " \
       "`pod`, like xprof, extend an event without one to the start of the next event of its " \
       "kind") \
  NOTE(more_times_than_runs, "executions with more times than runs") \
  NOTE(names_as_types, "nodes without an operation type, as no graph was loaded: the name counts " \
       "as type") \
  NOTE(needs_trace, "this view needs a trace: `op` and `scope` show the cost of operations (on " \
       "accelerators with -select accelerator_micros), `steps` the steps") \
  NOTE(negative_durations, "negative durations, set to 0") \
  NOTE(negative_float_ops, "nodes with negative float operations") \
  NOTE(no_allocations, "no allocations were recorded: PyTorch's profiler records them with " \
       "profile_memory=True, GPU and TPU allocators in traces with host_tracer_level 2 (the " \
       "default) or higher, and TensorFlow 1 in its executions") \
  NOTE(no_allocations_but_executions, "no allocations were recorded; for the bytes that " \
       "executions requested: op -select bytes -order_by bytes") \
  NOTE(no_buffers, "no compiled program has an assignment of buffers: traces of GPUs keep it, and " \
       "so do dumps with --xla_dump_hlo_as_proto") \
  NOTE(no_checkpoint, "no values: no checkpoint was loaded") \
  NOTE(no_collectives, "no collectives were recorded: GPUs and TPUs record them unless " \
       "device_tracer_level is 0, and only programs that run on several devices have any") \
  NOTE(no_compilations, "nothing was traced or compiled: functions are at their first call, which " \
       "was before the recording, or host_tracer_level was below 2") \
  NOTE(no_copies, "no device copies were recorded: GPUs and TPUs record them unless " \
       "device_tracer_level is 0; `sync` shows host calls that move data") \
  NOTE(no_device_waits, "no call that waits for a device was recorded: CUDA and HIP calls need " \
       "device_tracer_level 1 (the default), runtime calls host_tracer_level 2 or higher, and " \
       "JAX's block_until_ready python_tracer_level 1; in PyTorch ProfilerActivity.CUDA") \
  NOTE(no_device_work, "no device work was recorded: GPUs and TPUs record it unless " \
       "device_tracer_level is 0, PyTorch's profiler with ProfilerActivity.CUDA") \
  NOTE(no_events, "no event was recorded: record while the program runs; with a schedule " \
       "PyTorch's profiler records in the active steps, which prof.step() counts") \
  NOTE(no_input_operations, "no input pipeline operation was recorded: tf.data records them at " \
       "host_tracer_level 2, PyTorch's profiler where the program iterates over a DataLoader") \
  NOTE(no_iterators, "no tf.data iterator was recorded: they run on host threads, are recorded " \
       "at host_tracer_level 1 or higher (the default is 2), and only while the program " \
       "requests elements") \
  NOTE(no_kernels, "no kernels were recorded: only GPUs record them, in traces with " \
       "device_tracer_level 1 (the default), in PyTorch with ProfilerActivity.CUDA") \
  NOTE(no_known_costs, "no operation with known cost ran: TPUs record costs; for GPUs they are " \
       "computed from XLA's compiled programs (JAX, TensorFlow with jit_compile=True) and from " \
       "shapes that PyTorch's profiler records with record_shapes=True") \
  NOTE(no_operations, "no operations were recorded: record with host_tracer_level 2 (the " \
       "default), and on a GPU or TPU with device_tracer_level 1") \
  NOTE(no_planes, "no planes: `info` lists the devices") \
  NOTE(no_programs, "no compiled programs ran: only XLA compiles them (JAX, TensorFlow with " \
       "jit_compile=True), and on CPUs only recent versions record which instruction ran") \
  NOTE(no_step_here, "nothing selected by -host and -device marks a step") \
  NOTE(no_step_marked, "no step was recorded: mark each step with " \
       "tf.profiler.experimental.Trace('train', step_num=i, _r=1) or " \
       "jax.profiler.StepTraceAnnotation('train', step_num=i), in PyTorch with prof.step()") \
  NOTE(no_step_parts, "a step breakdown needs a trace: `steps` lists the steps, `summary` and " \
       "`op` show where the time went") \
  NOTE(no_step_recorded, "no step was recorded: trace one with " \
       "RunOptions(trace_level=RunOptions.FULL_TRACE)") \
  NOTE(no_step_statistics, "run metadata without step statistics, adds no step") \
  NOTE(no_time_recorded, "no time was recorded for it: record a run") \
  NOTE(not_compared, "no {} in {}, unlike in the other profile: nothing is compared") \
  NOTE(not_saved_allocations, "not saved: allocations of host memory and on uncounted devices") \
  NOTE(not_saved_checkpoint_values, "not saved: values of checkpoint entries") \
  NOTE(not_saved_memory, "not saved: memory of executions on uncounted devices") \
  NOTE(not_saved_records_without_node, "not saved: records matching no graph node") \
  NOTE(not_saved_second_devices, "not saved: records of a node on a second device") \
  NOTE(nothing_to_show, "nothing to show for {}: {}") \
  NOTE(odd_snapshot_entries, "entries of a snapshot without a size or an action, skipped") \
  NOTE(one_graph_of_several, "of the {} graphs in the saved model only the one tagged {} is " \
       "read, not: {}") \
  NOTE(only_instructions, "hosts ran instructions of compiled programs: `hlo` and `op` show " \
       "them") \
  NOTE(operations_over_links, "operations that move data over links (collectives, infeed, " \
       "copies to the host), not bounded by a peak: link bandwidth is not recorded") \
  NOTE(operations_within_operations, "operations that contain others: the contained time " \
       "counts once") \
  NOTE(operations_without_code, "operations without a recorded source line") \
  NOTE(other_devices, "other devices: {}") \
  NOTE(other_devices_not_counted, "executions on devices other than cpu and gpu, not counted") \
  NOTE(other_files_of_folders, "files in a folder that are not part of its profile, or cannot be " \
       "read: skipped") \
  NOTE(other_profiles_of_folders, "other profiles in a folder, skipped: the last one by name is " \
       "read; --run NAME selects another") \
  NOTE(other_runs, "traces recorded at a different time, probably of another run: answers sum " \
       "unrelated data; open them separately, select one with -host, or compare two with " \
       "`diff`") \
  NOTE(other_stages, "programs in earlier stages of their compilation, not shown: -stage selects " \
       "a stage") \
  NOTE(overlap_not_judged, "steps overlap: {} of their time also lies in an earlier step; " \
       "InputBoundChecker, CopyChecker, CollectiveChecker, StallChecker, OtherTimeChecker and " \
       "StragglerChecker do not judge them") \
  NOTE(pageable_copies, "copies from or to pageable memory: the driver stages them and cannot " \
       "overlap them with kernels; pinned memory avoids both costs") \
  NOTE(part_of_recording, "shown: the last {} of the recording (`tfprof-capture convert` makes " \
       "traces of all of it)") \
  NOTE(pipelines_are_of_hosts, "input pipelines run on host threads, which -device excludes; " \
       "-host selects hosts") \
  NOTE(process_without_trace, "process without a trace: {}") \
  NOTE(processes_still_running, "processes still running when their traces were made: the rest " \
       "of their work is missing") \
  NOTE(profiles_without_steps, "profiles without the steps of their nodes, possibly truncated") \
  NOTE(program_in_two_forms, "programs as text whose serialized form is read") \
  NOTE(rates_of_a_part, "operations with partly unknown cost (the time is that of the unknown " \
       "part): rates cover the known part only") \
  NOTE(recorder_error, "recorder error: {}") \
  NOTE(recorder_warning, "recorder warning: {}") \
  NOTE(records_not_drawn, "records without a time, not drawn") \
  NOTE(records_of_other_graph, "most records of a file match no graph node: does it belong to " \
       "this graph?") \
  NOTE(records_without_start, "records without a start time: no time, no run, no memory") \
  NOTE(rows_cut, "without -n a table has at most {} rows: `{} -format csv > FILE` writes all " \
       "rows") \
  NOTE(rows_without_value, "rows without a value in the checkpoint") \
  NOTE(runtime_records_without_node, "runtime records matching no graph node") \
  NOTE(saved_later_times, "saved with shifted times, because 0 means absent in the format: " \
       "all, by us") \
  NOTE(saved_other_outputs, "saved as reading output 0: inputs from another output, and " \
       "control inputs") \
  NOTE(saved_whole_microseconds, "saved in whole microseconds: records with finer times") \
  NOTE(saved_without_times, "saved without times, as device names only: single streams, copies " \
       "and the like") \
  NOTE(second_code_traces, "duplicate code traces of a node, ignored") \
  NOTE(second_devices_not_counted, "executions of nodes on a second device, not counted") \
  NOTE(self_time_has_waiting, "`self` includes waiting for other threads, as in xprof; " \
       "`exclusive` and the self time of `tfdata` exclude the time in which iterators on other " \
       "threads work for it") \
  NOTE(several_gpu_allocators, "records with several gpu allocators") \
  NOTE(shape_of_no_node, "-shape: the graph has no node '{}'") \
  NOTE(shorter_than_resolution, "executions shorter than the resolution of the file, 1 us, count as " \
       "0") \
  NOTE(single_streams_not_counted, "executions on single streams and copy engines, counted " \
       "only through the sum over all streams") \
  NOTE(steps_are_of_devices, "steps are marked by devices: host work in them is not measured") \
  NOTE(steps_are_of_devices_not_host, "steps are marked by devices: host work in them is not " \
       "measured; -device host:CPU shows the host's own steps, if it marked any") \
  NOTE(steps_beyond, "-step {}: {}") \
  NOTE(steps_inferred, "the program marks no step: steps are inferred from {}, from one start to the " \
       "next") \
  NOTE(steps_not_on_all_hosts, "steps that some hosts lack, excluded") \
  NOTE(steps_overlap_parts, "steps overlap: {} of their time also lies in an earlier step; " \
       "while one step waits, devices and threads may work for another, so the parts of a step " \
       "do not show what limits it") \
  NOTE(steps_overlap_times, "steps overlap: {} of their time also lies in an earlier step, so " \
       "their durations sum to more than the elapsed time") \
  NOTE(tensor_cores_not_known, "tensor-core use cannot be inferred from the kernel names of " \
       "these GPUs") \
  NOTE(times_by_device_clock, "times use the devices' own clock; times by the clock of the " \
       "trace, which all views use without -ids original, {}") \
  NOTE(times_by_trace_clock, "device times use the clock of the trace; the devices' own clock " \
       "gives times that {}") \
  NOTE(traces_without_process, "traces in a folder that its manifest does not name: not opened") \
  NOTE(unattributed_work, "device work that names no operation and has no launch") \
  NOTE(unconsumed_cycles, "nodes in cycles without an outside consumer, not shown in the graph " \
       "view") \
  NOTE(unfinished_copies, "copies without a recorded end, skipped") \
  NOTE(unknown_event_fields, "unknown fields of XEvent, skipped") \
  NOTE(unknown_fields, "unknown fields of {}, skipped ({} bytes): written by a newer recorder, " \
       "or damaged") \
  NOTE(unknown_inputs, "inputs that are not nodes of the profile") \
  NOTE(unknown_names, "events of an unknown name") \
  NOTE(unmatched_begins, "events of which only the begin or only the end was recorded") \
  NOTE(unmatched_collectives, "operations whose calls are not matched between devices: the " \
       "trace lacks devices of the group, or their calls do not end together") \
  NOTE(unnamed_device_work, "no device work names its operation: `kernels` shows it by kernel, " \
       "`op` by launching operation") \
  NOTE(unpaired_collectives, "collectives of which only the start or only the end was " \
       "recorded, skipped") \
  NOTE(unreadable_checkpoint_values, "checkpoint values that cannot be read: {}") \
  NOTE(unreadable_files_of_folders, "files in a folder that cannot be read: skipped") \
  NOTE(unreadable_program, "compiled program skipped: {}") \
  NOTE(untraced_share, "{} of {} ({}) belong to nodes without a code trace: [untraced]") \
  NOTE(whole_microseconds, "times are in whole microseconds; work of less than 1 us on an accelerator " \
       "counts as 1 us") \
  NOTE(work_of_no_step, "work outside all steps, which -step excludes") \
  NOTE(work_without_place, "device work recorded as a sum without a start: only its runs count")
// clang-format on

namespace tfprof {

namespace note {
#define TFPROF_NOTE_ROW(ID, TEXT) inline constexpr NoteRow ID{#ID, TEXT};
TFPROF_NOTES(TFPROF_NOTE_ROW)
#undef TFPROF_NOTE_ROW

NoteWords With(const NoteRow& row, std::initializer_list<std::string_view> values);
}  // namespace note

// All rows, by id.
std::span<const NoteRow> NoteCatalogue();

}  // namespace tfprof
