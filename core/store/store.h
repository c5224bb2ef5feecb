// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/attributes.h"
#include "core/base/column.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/store/details.h"
#include "core/store/lanes.h"
#include "core/store/names.h"
#include "core/store/note.h"

namespace tfprof {

// ---- graph --------------------------------------------------------------------------------------

// A tensor shape: `rank` dimensions from Store::dims[first]; a dimension of -1 is unknown.
struct ShapeRef {
  static constexpr int32_t kNoInformation = -2;
  static constexpr int32_t kUnknownRank = -1;
  uint32_t first = 0;
  int32_t rank = kNoInformation;  // 0: a scalar
};

struct Edge {
  NodeId producer;          // none: the graph has no node of that name
  int32_t input_slot = 0;   // index among the consumer's inputs
  int32_t output_slot = 0;  // of the producer; control_slot for a control edge
  static constexpr int32_t kControlSlot = -1;
};

struct OutputShape {
  int32_t slot = 0;
  ShapeRef shape;
};

struct CalledFlops {
  int64_t flops = 0;  // of these runs
  int64_t runs = 0;
};

struct Node {
  NameId name;             // full name, a/b/c
  NameId type;             // operation type
  StackId stack;           // none: no frames are recorded
  bool defined = false;    // by a graph; false: created from a record of a run
  bool has_trace = false;  // a code trace is recorded (it may be empty)
  ShapeRef parameter;      // shape of a variable; no information for other nodes
  int64_t float_ops = 0;   // of one run, as logged; 0: not logged
  Range inputs;            // of Store::edges, by input slot
  Range types;             // of Store::node_types: added types, without op type and device
  Range lanes;             // of Store::node_lanes: lanes in order of the node's first record there
  Range output_shapes;     // of Store::output_shapes, by slot
};

// The kernel that the runtime ran for a node, if its operation type is not the node's: a rewrite of
// the graph fused or replaced it, or there is no graph and the node's name is its type. Ascending
// by node.
struct RanAs {
  NodeId node;
  NameId type;
};

// The tensor layout of a node that declares one: NHWC, NCHW, ... Ascending by node.
struct DataFormat {
  NodeId node;
  NameId format;
};

struct Step {
  int64_t number = 0;
  bool lacks_accelerator_stream = false;  // GPU records, but no recorded stream that sums them
};

// ---- memory ------------------------------------------------------------------------------------

// The memory of one execution. Bytes as recorded by the runtime: `requested` and `peak` include
// temp and persistent, `residual` includes persistent.
struct ExecMemory {
  EventId event;              // may be an unplaced event
  uint32_t first_output = 0;  // of Store::outputs; the next row's first_output ends the range
  int64_t time_ps = kNoTime;
  int64_t requested = 0;
  int64_t peak = 0;
  int64_t residual = 0;
  int64_t output = 0;
  int64_t temp = 0;
  int64_t persistent = 0;
  int64_t in_use = kNoInt;  // held by the device's allocator afterwards
};

struct OutputMemory {
  int32_t slot = 0;
  int64_t bytes = 0;
  uint64_t address = 0;
};

// An allocation or deallocation during an execution.
struct Allocation {
  EventId event;               // may be an unplaced event
  std::string_view allocator;  // data() == nullptr: not recorded; it is the device's
  int64_t time_ps = kNoTime;
  int64_t bytes = 0;  // negative: freed
};

// An execution whose allocations stay in the file until a query needs them
// (core/store/details.h), and their position in its source.
struct AllocationPlace {
  uint64_t offset = 0;  // with `bytes`: for the source's DetailReader
  uint32_t bytes = 0;
  EventId event;
};

// A copy between memories that a device made, as its record describes it. The record has no node:
// its time is no time of the operation that it serves.
struct RecordedCopy {
  EventId event;
  EventRole direction = EventRole::none;  // copy_to_device, ...; none: not recorded
  int64_t bytes = kNoInt;
  NameId from, to;  // kinds of memory: pageable, device, ...; none: not recorded
  NameId op;        // the operation that it serves; none: not recorded
};

// Memory that an allocator took from its device at once and divides into blocks. Bytes of blocks
// are as large as the allocator makes them, at least what was requested.
struct MemorySegment {
  HostId host;
  NameId allocator;
  NameId pool;  // for which requests it is; none: not recorded
  int64_t stream = kNoInt;
  int64_t bytes = 0;
  int64_t held_bytes = 0;  // of allocated blocks
  int64_t free_bytes = 0;
  int64_t largest_free_bytes = 0;
};

// First start and last end of a node's step if its events lack them.
struct Declared {
  NodeId node;
  StepId step;
  int64_t first_start_ps = kNoTime;
  int64_t last_end_ps = kNoTime;
};

// ---- code --------------------------------------------------------------------------------------

struct Frame {
  NameId file;
  NameId function;
  NameId text;  // the source line, if the file has it
  int32_t line = 0;
  int32_t function_line = 0;
};

// The position of a call stack with frames in its source, which is read when a query needs code
// (core/store/call_stacks.h). For a stack that is in no file: frames of the store, outermost first.
struct StackPlace {
  uint64_t first = 0;  // first byte in the source, or index into Store::frames
  uint32_t count = 0;  // bytes, or frames
  SourceId source;     // none: Store::frames
};

struct CallStacks;
// Appends the texts and stacks of its source, which are `stacks` of the store. Empty: it has none.
// Errors: cancelled; corrupt (the file was truncated since it was opened).
using StackReader = std::function<Result<void>(const Store& store, Range stacks, CallStacks* out,
                                               Context& context)>;

// ---- sources ------------------------------------------------------------------------------------

struct Tensor {
  NameId name;  // of the checkpoint entry
  SourceId source;
  uint32_t detail = 0;  // for the source's DetailReader
};

// A compiled program that is part of the trace; core/hlo/program.h reads its contents.
struct Module {
  uint64_t program_id = 0;
  NameId name;
  ProcessId process;  // the one that contains it
  LabelId label;
  NameId stage;  // of its compilation, if the source is a dump of that stage; none: not known
};

// How a recorder of traces was set. Levels: 0 is nothing, higher ones are more
// detailed.
struct RecorderOptions {
  int64_t host_level = 0;
  int64_t device_level = 0;
  int64_t python_level = 0;
};

// The entries of a file with one phase and category, whether or not they are events of the store.
struct EntryCount {
  NameId phase;     // one letter of the format: X, i, M, ...
  NameId category;  // as written; none: no category
  int64_t entries = 0;
  int64_t complete = 0;     // of these, with a start and a duration
  int64_t sum_ps = kNoInt;  // the durations of these; kNoInt: there are none
};

struct Source {
  std::string path;
  std::string format;  // for display only
  uint64_t file_bytes = 0;
  uint64_t bytes = 0;      // after decompression
  bool rounds_up = false;  // its format stores an execution of less than 1 us as 1 us
  // For run records: the number of nodes of the store that were known when one of their records
  // arrived (in this source or an earlier one), of all nodes after this source. -1: no run records.
  int64_t covered_nodes = -1;
  int64_t known_nodes = -1;
  // Errors that the recorder reported; also in the notes.
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::optional<RecorderOptions> recorder;  // none: the file does not have them
  std::string machine;                      // that it was recorded on; empty: not recorded
  int64_t began_ns = kNoInt;                // its wall time 0, if its times count from its start
  int64_t rank = kNoInt;                    // of its process among those of the job
  int64_t world_size = kNoInt;              // the number of these
  std::vector<EntryCount> entries;          // of a format with categories, in file order
  DetailReader details;
  Range allocations;  // of Store::allocation_places
  StackReader stack_reader;
  Range stacks;  // of Store::stacks
};

// A process of a capture, as the recorder's manifest describes it.
struct CapturedProcess {
  std::string host;
  std::string program;  // file name of its executable
  std::string trace;    // path of the source with its events; empty: none was opened
  int64_t pid = kNoInt;
  bool is_complete = false;  // it ended by itself, and all of it was recorded until then
  bool is_running = false;   // when its trace was made
};

// A folder that a recorder wrote: its manifest says which processes make one job.
struct Capture {
  std::string folder;
  std::vector<CapturedProcess> processes;
  int64_t last_ns = kNoInt;  // the traces have only so much of the end; kNoInt: all

  bool IsRunning() const { return std::ranges::any_of(processes, &CapturedProcess::is_running); }
};

// What a run adds even if all of its nodes, lanes and names are known.
struct StepRecords {
  Events events;
  Column<Aggregate> aggregates;
  Column<ExecMemory> exec_memory;
  Column<OutputMemory> outputs;
  Column<AllocationPlace> allocation_places;  // by source
  Column<RecordedCopy> copies;                // ascending by event
  Column<Declared> declared;
};

// The contents of one or several files of one run, in one shape for all formats. const after
// loading. Invariants: ids are in range or none; the lanes partition the events; ranges are
// monotone in their owner.
struct Store : StepRecords {
  Names names;
  int64_t epoch_ns = 0;  // wall time of time 0

  std::vector<Host> hosts;
  std::vector<Device> devices;
  std::vector<Process> processes;  // in file order
  std::vector<Module> modules;

  std::vector<Lane> lanes;  // in file order of first appearance; grouped by process
  Column<StepRun> step_runs;
  Column<Label> labels;
  std::vector<PythonFunction> python_functions;  // those that labels name
  EventsRead events_read;

  Column<Node> nodes;           // in order of creation
  Column<NodeId> node_of_name;  // by NameId; may be shorter than names
  Column<Edge> edges;
  Column<NameId> node_types;
  Column<LaneId> node_lanes;
  Column<OutputShape> output_shapes;
  Column<DataFormat> data_formats;
  Column<RanAs> ran_as;
  Column<int64_t> dims;

  std::vector<Step> steps;         // by number
  Column<MemorySegment> segments;  // when an allocator was asked: at the end

  Column<StackPlace> stacks;  // by StackId; grouped by source
  Column<Frame> frames;       // of stacks that are in no file
  bool has_code_traces = false;
  // Paths of Python files begin where its search path found them: json/decoder.py, train.py.
  bool has_trimmed_paths = false;
  // By node, may be shorter: flops of calls whose shapes were recorded. If any are, those of other
  // nodes are unknown.
  std::vector<CalledFlops> called_flops;

  std::vector<Tensor> tensors;
  std::vector<Source> sources;
  std::optional<Capture> capture;  // none: no manifest says which processes the files are of
  std::vector<Note> notes;

  // True if its formats say what ran in which process, as traces do, even if nothing ran. A profile
  // of TensorFlow's runtime knows devices only, and its graph.
  bool is_trace = false;
  bool IsTrace() const { return is_trace; }
  // Some of its executions have times in ns; else those of a TensorFlow profile are in whole us.
  bool has_nanoseconds = false;

  std::string_view Text(NameId id) const { return id.some() ? names[id] : std::string_view(); }
  NodeId NodeNamed(NameId name) const {
    return name.some() && name.value < node_of_name.size() ? node_of_name[name.value] : NodeId();
  }
  size_t EventCount() const { return events.label.size(); }
  std::span<const Lane> LanesOf(const Process& process) const {
    return std::span(lanes).subspan(process.lanes.first, process.lanes.count);
  }
  std::span<const Label> LabelsOf(const Process& process) const {
    return labels.Rows(process.labels.first, process.labels.count);
  }
  std::span<const int64_t> Dims(ShapeRef shape) const {
    return shape.rank > 0 ? dims.Rows(shape.first, static_cast<size_t>(shape.rank))
                          : std::span<const int64_t>();
  }
  std::span<const Edge> Inputs(const Node& node) const {
    return edges.Rows(node.inputs.first, node.inputs.count);
  }
  // No information for a producer that the graph lacks.
  ShapeRef FirstOutputShape(NodeId producer) const {
    if (!producer.some()) return {};
    const Range shapes = nodes[producer.value].output_shapes;
    for (const OutputShape& shape : output_shapes.Rows(shapes.first, shapes.count)) {
      if (shape.slot == 0) return shape.shape;
    }
    return {};
  }
  Range OutputsOf(size_t memory_row) const {
    const uint32_t first = exec_memory[memory_row].first_output;
    const size_t next = memory_row + 1 < exec_memory.size()
                            ? exec_memory[memory_row + 1].first_output
                            : outputs.size();
    return {first, static_cast<uint32_t>(next) - first};
  }
};

// The type of the kernel that ran for a node, if it is not the node's; none: it is, or is not
// known.
inline NameId KernelTypeOf(const Store& store, NodeId node) {
  const RanAs* const end = store.ran_as.end();
  const RanAs* const ran = std::lower_bound(store.ran_as.begin(), end, node,
                                            [](const RanAs& a, NodeId of) { return a.node < of; });
  return ran != end && ran->node == node ? ran->type : NameId();
}

using StorePtr = std::shared_ptr<const Store>;

inline bool IsTime(Measure measure) {
  return measure == Measure::micros || measure == Measure::accelerator_micros ||
         measure == Measure::cpu_micros;
}

}  // namespace tfprof
