// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/arith.h"
#include "core/store/event_order.h"
#include "core/store/store.h"

namespace tfprof {

// Records that a StoreBuilder gave away, as they arrived.
struct TakenRecords {
  StepRecords records;
  Column<ArrivalRun> runs;
  Column<Range> ascending;                              // ranges of rows
  std::vector<std::pair<SourceId, Range>> allocations;  // of sources: as Source::allocations
};

// The only writer of a Store: interns, links, sorts, checks, and counts dropped records. Add
// sources in order of authority (graph, op log, checkpoint, runs 0, 1, ...): the meaning of an
// entry may depend on the nodes known when it arrives.
class StoreBuilder {
 public:
  StoreBuilder();
  StoreBuilder(StoreBuilder&&) = default;
  StoreBuilder& operator=(StoreBuilder&&) = default;

  // ---- texts, sources, notes
  NameId Name(std::string_view text) { return store_.names.Intern(text); }
  NameId Name(std::string_view text, uint64_t hash) { return store_.names.Intern(text, hash); }
  std::string_view Text(NameId name) const { return store_.Text(name); }
  const Names& names() const { return store_.names; }
  SourceId AddSource(Source source);
  Source& source(SourceId id) { return store_.sources[id.value]; }
  std::span<const Source> sources() const { return store_.sources; }
  void SetCapture(Capture capture) { store_.capture = std::move(capture); }
  // Counts an occurrence of `what`; keeps the first place (built only for the first occurrence) and
  // sums the cost in time if one is given.
  void AddNote(const NoteWords& what, std::string_view first_place, int64_t cost_ps = kNoInt,
               int64_t count = 1);

  // ---- machines, devices, processes: ids in order of the calls
  HostId AddHost(NameId name);  // the existing one of that name, or a new one
  DeviceId AddDevice(const Device& device);
  // Add its lanes next, through AddLane; the caller sets `labels`.
  const Device& device(DeviceId id) const { return store_.devices[id.value]; }
  ProcessId AddProcess(const Process& process);
  // Of a trace in which nothing may have run; AddProcess implies it.
  void SetTrace() { store_.is_trace = true; }
  Process& process(ProcessId id) { return store_.processes[id.value]; }
  void AddModule(const Module& module) { store_.modules.push_back(module); }

  // ---- graph
  // Reserves for `count` more nodes, so that their tables grow once.
  void ReserveNodes(size_t count);
  // Reserves the tables that nodes fill, while loading: `done` of `all` nodes are stored, and the
  // rest is assumed to be similar.
  void ReserveInProportion(size_t done, size_t all);
  size_t node_count() const { return store_.nodes.size(); }
  NodeId FindNode(NameId name) const { return store_.NodeNamed(name); }
  // REQUIRES: FindNode(name) is none.
  NodeId AddNode(NameId name, NameId type, bool defined);
  Node& node(NodeId id) { return store_.nodes[id.value]; }
  // Sets the inputs of a node, in slot order; call it once per node.
  void SetInputs(NodeId consumer, std::span<const Edge> inputs);
  size_t edge_count() const { return store_.edges.size(); }
  // The edges from `first` on, to resolve producers that were unknown before.
  std::span<Edge> edges(size_t first) {
    return {store_.edges.data() + first, store_.edges.size() - first};
  }
  void SetOutputShapes(NodeId node, std::span<const OutputShape> shapes);
  // If a node occurs twice, the first format applies.
  void AddDataFormat(NodeId node, NameId format) { store_.data_formats.Push({node, format}); }
  void AddRanAs(NodeId node, NameId type) { store_.ran_as.Push({node, type}); }
  bool has_graph() const { return has_graph_; }      // some node is defined by a graph
  ShapeRef AddShape(std::span<const int64_t> dims);  // rank = dims.size()
  void AddType(NodeId node, NameId type);            // set semantics
  void AddTensor(Tensor tensor) { store_.tensors.push_back(tensor); }

  // ---- code
  // A stack in a file, whose position `source` knows; add the stacks of a source consecutively.
  StackId AddStack(SourceId source, uint64_t offset, uint32_t bytes);
  // A stack that is in no file, outermost frame first. none: it has no frames.
  StackId AddStack(std::span<const Frame> frames);
  void SetCodeTraces() { store_.has_code_traces = true; }
  void SetTrimmedPaths() { store_.has_trimmed_paths = true; }
  // Node::float_ops becomes their mean.
  void SetCalledFlops(NodeId node, CalledFlops flops);

  // ---- runs
  // Time 0 of the store: the first plausible start. Set it once, before the first event.
  bool has_epoch() const { return has_epoch_; }
  int64_t epoch_ns() const { return store_.epoch_ns; }
  void SetEpoch(int64_t epoch_ns);
  // Convert a wall time in us to ps from the epoch, and a duration in us to ps; clamping is noted.
  int64_t TimeFromMicros(int64_t micros) {
    return tfprof::TimeFromMicros(micros, epoch_us_,
                                  [this](InvalidTime invalid) { NoteInvalidTime(invalid); });
  }
  int64_t DurationFromMicros(int64_t micros) {
    return tfprof::DurationFromMicros(micros,
                                      [this](InvalidTime invalid) { NoteInvalidTime(invalid); });
  }
  void NoteInvalidTime(InvalidTime invalid);

  void SetNanoseconds() { store_.has_nanoseconds = true; }

  StepId AddStep(int64_t number);  // the existing one of that number, or a new one
  Step& step(StepId id) { return store_.steps[id.value]; }
  // Adds a lane, usually to the process that was added last.
  LaneId AddLane(const Lane& lane);
  // The lane with this name that has no process; none: there is none yet.
  LaneId FindLane(std::string_view name) const;
  const Lane& lane(LaneId id) const { return store_.lanes[id.value]; }
  Lane& lane(LaneId id) { return store_.lanes[id.value]; }
  LabelId AddLabel(NameId name, NodeId node);  // one per name
  LabelId FindLabel(NameId name) const {
    return name.value < label_of_name_.size() ? label_of_name_[name.value] : LabelId();
  }
  // Adds a label even if the name exists; for processes, which list their own labels.
  LabelId AddLabel(const Label& label);
  // One row per function: the caller finds equal ones.
  PythonFunctionId AddPythonFunction(const PythonFunction& function) {
    store_.python_functions.push_back(function);
    return PythonFunctionId(store_.python_functions.size() - 1);
  }
  LabelId next_label() const { return LabelId(store_.labels.size()); }
  const Label& label(LabelId id) const { return store_.labels[id.value]; }
  // Records that `node` has a record on `lane`, in order of first mention.
  void AddNodeLane(NodeId node, LaneId lane);
  // Records that a record of a node arrived after the node was known.
  void MarkCovered(NodeId node) {
    if (node.value >= covered_.size()) covered_.Resize(store_.nodes.size());
    covered_count_ += 1 - covered_[node.value];
    covered_[node.value] = 1;
  }
  bool IsCovered(NodeId node) const {
    return node.value < covered_.size() && covered_[node.value] != 0;
  }
  int64_t covered_count() const { return covered_count_; }

  // Starts rows of (lane, step); ids are arrival numbers, valid only for AddMemory and similar
  // calls.
  void BeginRows(LaneId lane, StepId step) { BeginRows(lane, step, next_event()); }
  // Likewise for rows that are already written: those from `first` on.
  void BeginRows(LaneId lane, StepId step, EventId first) {
    if (!runs_.empty() && runs_.back().lane == lane && runs_.back().step == step) return;
    runs_.Push({lane, step, first.value});
  }
  // Declares that these rows, at least one, are sorted by start; they are not checked. REQUIRES:
  // they follow all rows declared before.
  void RowsAscend(EventId first, size_t count) {
    ascending_.Push({first.value, static_cast<uint32_t>(count)});
  }
  std::span<const ArrivalRun> rows_begun() const { return {runs_.begin(), runs_.size()}; }
  // Moves the rows from `first` on to another lane. REQUIRES: they are all rows since the last
  // BeginRows.
  void ChangeLane(EventId first, LaneId lane);
  LabelId label_of(EventId event) const { return store_.events.label[event.value]; }
  // For sources with details, at `detail`: then all events of the store need one.
  EventId AddEvent(int64_t start_ps, int64_t duration_ps, LabelId label, uint32_t detail) {
    store_.events.detail.Push(detail);
    return AddEvent(start_ps, duration_ps, label);
  }
  EventId AddEvent(int64_t start_ps, int64_t duration_ps, LabelId label) {
    Events& events = store_.events;
    const auto row = static_cast<uint32_t>(events.label.size());
    events.start_ps.Push(start_ps);
    events.duration_ps.Push(duration_ps);
    events.label.Push(label);
    return EventId(row);
  }
  int64_t start_of(EventId event) const { return store_.events.start_ps[event.value]; }
  int64_t duration_of(EventId event) const { return store_.events.duration_ps[event.value]; }
  void SetDuration(EventId event, int64_t duration_ps) {
    store_.events.duration_ps[event.value] = duration_ps;
  }
  // Call it before the first event.
  void SetEventsRead(EventsRead read) { store_.events_read = read; }
  // Adds `count` rows from next_event() on. The caller writes their values, on any number of
  // threads, before it calls the builder again. Then it may drop the last ones.
  struct RawRows {
    int64_t* start_ps;  // null: starts are not read
    int64_t* duration_ps;
    LabelId* label;
    uint32_t* detail;  // null: no event has details
  };
  RawRows ExtendRows(size_t count, bool have_details);
  RawRows Rows(EventId first);  // those from `first` on
  void DropRows(EventId first);
  EventId next_event() const { return EventId(store_.events.label.size()); }
  void AddAggregate(EventId event, int64_t occurrences);
  void AddMemory(const ExecMemory& memory) { store_.exec_memory.Push(memory); }
  // Bulk versions, as ExtendRows.
  struct RawMemory {
    ExecMemory* memory;
    OutputMemory* outputs;
  };
  void ExtendMemory(size_t count, size_t outputs) {
    store_.exec_memory.Extend(count);
    store_.outputs.Extend(outputs);
  }
  RawMemory MemoryRows(size_t first, uint32_t first_output) {
    return {store_.exec_memory.data() + first, store_.outputs.data() + first_output};
  }
  size_t memory_count() const { return store_.exec_memory.size(); }
  uint32_t next_output() const { return static_cast<uint32_t>(store_.outputs.size()); }
  void AddOutput(const OutputMemory& output) { store_.outputs.Push(output); }
  // Add the allocations of a source consecutively.
  void AddAllocations(SourceId source, const AllocationPlace& place) {
    Range& rows = store_.sources[source.value].allocations;
    if (rows.count++ == 0) rows.first = static_cast<uint32_t>(store_.allocation_places.size());
    store_.allocation_places.Push(place);
  }
  void AddSegment(const MemorySegment& segment) { store_.segments.Push(segment); }
  void AddCopy(const RecordedCopy& copy) { store_.copies.Push(copy); }
  void AddDeclared(const Declared& declared) { store_.declared.Push(declared); }

  // Links and sorts. Error: a table has more than 2^32 - 2 rows. The builder is empty afterwards.
  Result<StorePtr> Finish();

  // Records may be taken out between two sources, and copied into a copy of the builder later. Ids
  // of events then begin at 0 again.
  StoreBuilder Copy() const { return StoreBuilder(*this); }
  TakenRecords TakeRecords();
  void AddRecords(const TakenRecords& taken);

 private:
  StoreBuilder(const StoreBuilder&) = default;

  template <class T>
  struct ListCell {
    T value;
    uint32_t next;
  };
  template <class T>
  struct NodeLists {  // linked lists by node while loading, ranges after Finish
    Column<ListCell<T>> cells;
    std::unordered_set<uint64_t> long_lists;
  };
  template <class T>
  static void AddToList(NodeId owner, Range* list, T value, NodeLists<T>* lists);
  template <class T>
  static Range Flatten(Range list, const NodeLists<T>& lists, Column<T>* out);

  template <class Visit>
  void EachGrowingTable(Visit visit);
  void RenumberSteps();
  void FlattenNodeLists();

  Store store_;
  bool has_graph_ = false;
  bool has_epoch_ = false;
  int64_t epoch_us_ = 0;
  Column<ArrivalRun> runs_;
  Column<Range> ascending_;                            // ranges of rows
  std::unordered_map<uint32_t, LaneId> lane_of_name_;  // lanes without a process
  std::unordered_map<int64_t, StepId> step_of_number_;
  std::unordered_map<std::string, size_t> note_of_text_;
  Column<LabelId> label_of_name_;
  Column<uint8_t> covered_;  // by node, may be shorter than nodes
  int64_t covered_count_ = 0;
  NodeLists<NameId> types_;
  NodeLists<LaneId> lanes_;
  // Sizes when nodes were reserved: of the growing tables, and of the texts of names.
  std::vector<size_t> sizes_before_;
  size_t text_before_ = 0;
};

}  // namespace tfprof
