// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "core/base/arith.h"
#include "core/base/column.h"
#include "core/base/ids.h"

// Tables of the store: places and events.

namespace tfprof {

// ---- places -------------------------------------------------------------------------------------

// A machine of the run.
struct Host {
  NameId name;
};

enum class DeviceKind : uint8_t { gpu, tpu, other };

// An accelerator as its driver describes it; facts that are not recorded are kNoInt, NaN or no
// name.
struct Device {
  HostId host;
  ProcessId process;  // with the events of the device
  DeviceKind kind = DeviceKind::other;
  int32_t ordinal = -1;  // its number on the host; -1: not recorded
  NameId model;
  NameId vendor;
  int64_t capability_major = kNoInt;  // CUDA compute capability
  int64_t capability_minor = kNoInt;
  int64_t cores = kNoInt;  // multiprocessors
  int64_t clock_khz = kNoInt;
  int64_t memory_bytes_per_s = kNoInt;
  int64_t memory_bytes = kNoInt;  // that it has
  double peak_flops_per_s = kNoReal;
};

enum class ProcessKind : uint8_t { host, device, metadata, environment, other };

// A group of lanes in a trace: the threads of a host process, the streams of a device, or tables
// without events. Neither names nor ids are unique; (source, index) is.
struct Process {
  NameId name;
  HostId host;
  SourceId source;
  uint32_t index = 0;  // its index in the source, from 0
  int64_t id = 0;      // in the file's numbering
  ProcessKind kind = ProcessKind::other;
  DeviceId device;    // of kind `device`
  Range lanes;        // of Store::lanes
  Range labels;       // of Store::labels: those that can run in it
  NameId text_id;     // in the file's numbering, as text; none: it is `id`
  NameId own_name;    // as the file names it; none: not named, or it is `name`
  NameId tags;        // further words of the file about it; none: there are none
  int64_t names = 0;  // number of names in the file
  int64_t keys = 0;   // number of attributes that its records can have
};

// ---- lanes and events ---------------------------------------------------------------------------

// `steps`, `modules`, `ops`: lanes of a device with its steps, its compiled programs and their
// operations. `framework_ops`: the framework operations of a GPU, derived by the recorder.
enum class LaneRole : uint8_t {
  executor,
  stream,
  sum_of_streams,
  copies,
  thread,
  input_thread,  // runs functions of an input pipeline
  other,
  steps,
  modules,
  ops,
  framework_ops,
  instants,  // points in time, such as allocations: they have no duration
};
enum class Measures : uint8_t { host_time, accelerator_time, nothing };
// The overlap of records of a lane: a call stack, any overlap, or none.
enum class Nesting : uint8_t { stack, parallel, serial };

// A thread, stream or executor. Its events are rows [rows.first, rows.first + rows.count): first
// the unplaced ones (kNoTime), then by start, equal starts in file order.
struct Lane {
  NameId name;     // TF: the device text of the record in lower case, e.g. /device:gpu:0/stream:all
  NameId display;  // the file's spelling, or its display name
  ProcessId process;     // none: the format only has devices
  uint32_t index = 0;    // its index in the process, from 0
  int64_t id = 0;        // in the file's numbering
  NameId text_id;        // likewise, as text; none: it is `id`
  NameId own_name;       // as the file names it; none: not named, or it is `name`
  bool derived = false;  // computed from other lanes after the recording: repeats their time
  LaneRole role = LaneRole::other;
  Measures measures = Measures::host_time;
  Nesting nesting = Nesting::parallel;
  int64_t tick_ps = kPsPerUs;  // the file's resolution; no time is rounded to it
  Range rows;
  uint32_t unplaced = 0;
  Range step_runs;  // of Store::step_runs: the steps of the rows, in row order, without gaps

  Range PlacedRows() const { return {rows.first + unplaced, rows.count - unplaced}; }
};

// Rows [first_row, first_row of the next run or end of the lane) belong to `step` (none: no step).
struct StepRun {
  uint32_t first_row = 0;
  StepId step;
};

// What the name of an event says about it: each loader maps the names that its recorders use.
enum class EventRole : uint8_t {
  none,              // an operation, a function, a region of the user
  step_marker,       // lies around a step
  root_step_marker,  // likewise, of recorders that mark roots of events by no attribute
  function_run,      // runs a function: a root, and the events in it have the time
  graph_run,         // runs a graph: a root
  graph_executor,    // likewise, for one iteration
  eager_executor,    // runs one operation, or a function: the events in it have the time
  wrapper,           // the events in it have the time
  program_run,       // runs a compiled program; the suffix follows the program's name
  input_fetch,       // takes the next element of an input pipeline
  iterator,          // a call of an iterator of an input pipeline
  root_iterator,     // by the program
  device_iterator,   // that copies elements to a device
  iterator_made,     // by the program, or by another iterator
  element_produced,  // hands an element over to another thread
  element_consumed,  // takes it there
  region_start,      // a thread pool begins work; takes no time
  region_stop,
  allocation,
  deallocation,
  wait_for_device,  // for everything that the device was given
  wait_for_stream,  // for everything that was queued on a stream
  wait_for_event,   // for a mark on a stream
  wait_for_copy,    // a copy that returns when it is done
  wait_for_result,  // for a buffer of a program, or for the program
  copy_to_device,
  copy_to_host,
  copy_on_device,
  copy_to_peer,  // from one device to another
  copy_on_host,
  // Of a program that calls compiled programs and functions from Python:
  program_call,     // starts a compiled program; Label::prefix and suffix surround its name
  program_started,  // likewise, once per execution, without a name
  lowering,         // turns a traced function into what is compiled
  compile,          // compiles a program
  tracing,          // builds the graph of a function
  runtime_call,     // a function of the runtime, which starts operations
  kernel_run,       // an operation computes, or a function runs
  read_result,      // waits for a result and copies it to the host
  put_on_device,    // copies an array to a device
  collector_mark,   // begin and end of a run of Python's garbage collector, alternating
  array_made,       // results of a program get their memory
  array_freed,      // waits until nothing uses an array, to release it
  collective,       // exchanges data with the other processes of a job, or waits for them
  array_copy,       // copies the elements of an array to another one,
  array_layout,     // only if the array has another layout than this operation needs,
  array_type,       // or to another type, device or layout
  device_memory,    // gets memory from a device's driver, or returns it
  update,           // changes what the program learns: once in a step of training
};

// What an event is by the category that its recorder gives it.
enum class EventClass : uint8_t {
  none,               // the recorder has no categories, or it is another one
  annotation,         // a region of the program, on its thread
  python_call,        // a function of Python or of a module
  op,                 // an operation of the framework
  runtime_call,       // a call of the device's runtime or driver; it may launch work
  kernel,             // the work of a device: kernels,
  copy,               // copies between memories,
  fill,               // and fills of memory
  device_annotation,  // an annotation around the work that was launched in it
  device_other,       // on a device, but none of its work
  recorder,           // of the recorder itself
};
constexpr bool IsDeviceWork(EventClass of) {
  return of == EventClass::kernel || of == EventClass::copy || of == EventClass::fill;
}
constexpr bool IsOnDevice(EventClass of) {
  return IsDeviceWork(of) || of == EventClass::device_annotation || of == EventClass::device_other;
}

enum class PythonForm : uint8_t {
  function,
  native,  // a function in C
  module,  // a part of a model, which is called like a function: a scope of what runs in it
};

// A function, or part of a model, whose calls a Python tracer recorded.
struct PythonFunction {
  NameId file;       // with the folders that are recorded; in C: its module or type; none: unknown
  NameId function;   // of a part of a model: its name
  int32_t line = 0;  // the first line of the function; 0: in C, or not recorded
  PythonForm form = PythonForm::function;
};

// The name of an event: the text of the record and its graph node (none: not a node, e.g. a
// transfer of the runtime).
struct Label {
  NameId name;
  NodeId node;
  NameId display;  // a shorter text for display; none: the name
  EventRole role = EventRole::none;
  uint8_t suffix = 0;  // bytes at the end of the name that say the role; before them: of what
  uint8_t prefix = 0;  // likewise at its beginning
  EventClass of = EventClass::none;
  NameId category;          // as recorded; none: no category
  PythonFunctionId python;  // none: no call of Python
  NameId path;  // of a range of the program: "//A/B/C", with the ranges around it; none: the name
                // says the operation
};

// One execution. 24 bytes per row; rarer facts are in side tables.
struct Events {
  Column<int64_t> start_ps;     // from the store's epoch; kNoTime: time not recorded
  Column<int64_t> duration_ps;  // >= 0, as recorded
  Column<LabelId> label;
  Column<uint32_t> detail;  // position of more details, for the DetailReader; empty: none

  int64_t EndPs(uint32_t row) const { return SaturatingAdd(start_ps[row], duration_ps[row]); }
};

// The events that a store contains: all, unless it was loaded for one query that needs less.
struct EventsRead {
  bool hosts = true;   // false: only lanes of devices have rows
  bool starts = true;  // false: Events::start_ps is empty, rows are in file order

  bool All() const { return hosts && starts; }
};

// An event that represents a number of occurrences other than one (0: the node ran on this lane in
// this step; count and time are recorded elsewhere or not at all). Sorted by event.
struct Aggregate {
  EventId event;
  int64_t occurrences = 1;
};

// The lanes whose work counts for graph nodes: at most one by the original's rules; for a trace,
// all lanes on which a node ran.
struct CountingLanes {
  struct ExtraLane {
    NodeId node;
    LaneId lane;
  };
  Column<LaneId> first;     // by node; none: it has no such lane
  Column<ExtraLane> extra;  // the other lanes, ascending by node

  LaneId operator[](size_t node) const { return first[node]; }
  std::span<const ExtraLane> ExtraLanes(NodeId node) const {
    if (extra.empty()) return {};
    const auto less = [](const ExtraLane& a, NodeId b) { return a.node < b; };
    const ExtraLane* begin = std::lower_bound(extra.begin(), extra.end(), node, less);
    const ExtraLane* end = begin;
    while (end != extra.end() && end->node == node) ++end;
    return {begin, end};
  }
  template <class Visit>
  void Each(NodeId node, Visit visit) const {
    if (first[node.value].some()) visit(first[node.value]);
    for (const ExtraLane& more : ExtraLanes(node)) visit(more.lane);
  }
};

}  // namespace tfprof
