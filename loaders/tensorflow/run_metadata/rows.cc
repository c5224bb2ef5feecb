// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/rows.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/ascii.h"
#include "core/store/note_catalogue.h"
#include "loaders/merge/overlap.h"
#include "loaders/tensorflow/device_lane.h"
#include "loaders/tensorflow/hosts.h"
#include "loaders/tensorflow/run_metadata/copy_label.h"
#include "loaders/tensorflow/run_metadata/inputs.h"
#include "loaders/tensorflow/run_metadata/run_shapes.h"
#include "loaders/tensorflow/run_metadata/timeline_label.h"

namespace tfprof {
namespace {

// ---- labels ------------------------------------------------------------------------------------

// Returns false for records of the runtime itself: they make no node unless the graph has one.
bool MakesNode(std::string_view name) {
  return name != "RecvTensor" && name != "_SOURCE" && name.find("MEMCPY") == name.npos;
}

// Creates the node of a record that no graph has: its name is its type.
NodeId MakeNode(NameId name, std::string_view timeline_label, RunFile* file, StoreBuilder& store) {
  const NodeId node = store.AddNode(name, name, false);
  if (!file->arguments.notes_types || store.has_graph()) return node;
  file->without_graph.push_back({node, timeline_label});
  const std::string_view type = TypeInTimelineLabel(timeline_label);
  if (!type.empty() && type != store.Text(name)) store.AddRanAs(node, store.Name(type));
  return node;
}

// Creates the label of a record's full name at its first occurrence. The node name is the part
// before the first colon; `covered` is set if the node was known before.
__attribute__((noinline)) LabelId MakeLabel(NameId name, const RunPart::NewLabel& made,
                                            bool* covered, RunFile* file, StoreBuilder& store) {
  const std::string_view text = made.text;
  const std::string_view node_text = text.substr(0, text.find(':'));
  const std::string_view type = TypeInTimelineLabel(made.timeline_label);
  const NameId node_name = node_text.size() == text.size() ? name : store.Name(node_text);
  NodeId node = store.FindNode(node_name);
  *covered = node.some();
  if (!node.some()) {
    if (MakesNode(node_text)) node = MakeNode(node_name, made.timeline_label, file, store);
  } else if (store.node(node).defined && !type.empty() &&
             type != store.Text(store.node(node).type)) {
    store.AddRanAs(node, store.Name(type));
  }
  return store.AddLabel(name, node);
}

LabelId LabelOf(const RunPart::NewLabel& made, RunFile* file, StoreBuilder& store) {
  const NameId name = made.name.some() ? made.name : store.Name(made.text, made.hash);
  LabelId label = store.FindLabel(name);
  bool covered = true;
  if (!label.some()) label = MakeLabel(name, made, &covered, file, store);
  const NodeId node = store.label(label).node;
  if (node.some() && covered) store.MarkCovered(node);
  return label;
}

// Defers linking the label's node to the lane: the first field of a device message names the
// device, but a later one may correct it.
void RememberLane(LabelId label, RunRows* rows) {
  if (!rows->lanes_of_labels.Has(label, rows->lane)) rows->new_on_lane.push_back(label);
}

// Creates labels for the rows from `first` to the end of the device.
void MakeLabels(const RunPart::Device& device, size_t first, RunPart* part, RunFile* file,
                RunRows* rows) {
  constexpr size_t kAhead = 8;
  StoreBuilder& store = rows->store;
  const auto& labels = part->new_labels;
  for (size_t i = first; i < device.new_labels_end; ++i) {
    if (i + kAhead < labels.size()) store.names().PrefetchSlot(labels[i + kAhead].hash);
    const uint32_t row = labels[i].row;
    const LabelId label = LabelOf(labels[i], file, store);
    part->events.label[row] = label;
    if (store.label(label).node.some()) {
      RememberLane(label, rows);
    } else {
      file->foreign.Add(labels[i].record, part->events.duration_ps[row]);
    }
  }
}

// ---- devices -----------------------------------------------------------------------------------

void DetectGpu(LaneId lane, const StoreBuilder& store, RunFile* file) {
  const std::string_view device = store.Text(store.lane(lane).name);
  const bool gpu = device.find("gpu") != device.npos;
  file->gpu_seen |= gpu;
  file->gpu_stream_seen |= gpu && device.find("stream:all") != device.npos;
}

void EndDevice(const RunPart::Device& device, const RunPart& part, EventId first_of_part,
               RunFile* file, RunRows* rows) {
  StoreBuilder& store = rows->store;
  const LaneId lane = AddDeviceLane(WithHost(device.last_text, file->arguments.host), store);
  DetectGpu(lane, store, file);
  if (lane == rows->lane) {
    for (const LabelId label : rows->new_on_lane) {
      store.AddNodeLane(store.label(label).node, lane);
      rows->lanes_of_labels.Add(label, lane);
    }
    return;
  }
  store.ChangeLane(rows->first_of_device, lane);
  const uint64_t end = first_of_part.value + uint64_t{device.rows_end};
  for (uint64_t row = rows->first_of_device.value; row < end; ++row) {
    const LabelId label = row < first_of_part.value ? store.label_of(EventId(row))
                                                    : part.events.label[row - first_of_part.value];
    const NodeId node = store.label(label).node;
    if (node.some()) store.AddNodeLane(node, lane);
  }
}

void LinkDevices(RunPart* part, EventId first_of_part, RunFile* file, RunRows* rows) {
  RunPart::Device before;
  for (const RunPart::Device& device : part->devices) {
    if (device.begins) {
      rows->lane = AddDeviceLane(WithHost(device.text, file->arguments.host), rows->store);
      rows->first_of_device = EventId(first_of_part.value + uint64_t{before.rows_end});
      rows->new_on_lane.clear();
      rows->store.BeginRows(rows->lane, file->step, rows->first_of_device);
    }
    MakeLabels(device, before.new_labels_end, part, file, rows);
    for (size_t i = before.new_on_lane_end; i < device.new_on_lane_end; ++i) {
      RememberLane(part->new_on_lane[i], rows);
    }
    if (device.ends) EndDevice(device, *part, first_of_part, file, rows);
    before = device;
  }
}

// ---- copies ------------------------------------------------------------------------------------

void AddCopy(const RunPart::Copying& row, EventId first_of_part, StoreBuilder& store) {
  const std::optional<CopyLabel> copy = CopyOfRecord(row.name, row.timeline_label, row.device);
  if (!copy) return;
  const auto text = [&](std::string_view of) {
    return of.empty() ? NameId() : store.Name(LowerCase(of));
  };
  const EventId event(first_of_part.value + row.event.value);
  const NameId op = copy->op.empty() ? NameId() : store.Name(copy->op);
  store.AddCopy({event, copy->direction, copy->bytes, text(copy->from), text(copy->to), op});
}

// ---- rows --------------------------------------------------------------------------------------

void CopyEvents(const Events& from, EventId first, StoreBuilder& store) {
  const StoreBuilder::RawRows to = store.Rows(first);
  std::copy(from.start_ps.begin(), from.start_ps.end(), to.start_ps);
  std::copy(from.duration_ps.begin(), from.duration_ps.end(), to.duration_ps);
  std::copy(from.label.begin(), from.label.end(), to.label);
}

// ---- the file ----------------------------------------------------------------------------------

void AddProblemCounts(const RunPart& part, RunFile* file) {
  file->invalid_times.insert(file->invalid_times.end(), part.invalid_times.begin(),
                             part.invalid_times.end());
  file->no_time.Add(part.no_time);
  file->malformed.Add(part.malformed);
  file->foreign.Add(part.foreign);
  file->several_gpu_allocators.Add(part.several_gpu_allocators);
}

// Counts the file's node records, and those of nodes in a graph. Stops early if most of them are.
Overlap RecordsOfGraph(const RunFile& file, StoreBuilder& store) {
  constexpr int64_t kEnough = 1 << 16;
  Overlap overlap{"records", &note::records_of_other_graph, 0, 0};
  for (uint64_t row = file.first.value; row < file.end.value; ++row) {
    const NodeId node = store.label(store.label_of(EventId(row))).node;
    if (!node.some()) continue;
    ++overlap.own;
    overlap.shared += store.node(node).defined ? 1 : 0;
    if (overlap.own >= kEnough && !overlap.Few()) break;
  }
  return overlap;
}

void AddAllNotes(const RunFile& file, StoreBuilder& store) {
  if (!file.without_graph.empty()) {
    store.AddNote(note::names_as_types, file.file.path, kNoInt,
                  static_cast<int64_t>(file.without_graph.size()));
  }
  file.unknown.AddNoteTo(file.file, store);
  file.no_time.AddNoteTo(note::records_without_start, file.file, store);
  file.malformed.AddNoteTo(note::malformed_records, file.file, store);
  file.foreign.AddNoteTo(note::runtime_records_without_node, file.file, store);
  file.several_gpu_allocators.AddNoteTo(note::several_gpu_allocators, file.file, store);
}

}  // namespace

RunPlace LinkPart(RunPart* part, RunFile* file, RunRows* rows) {
  StoreBuilder& store = rows->store;
  const RunPlace place{store.next_event(), store.memory_count(), store.next_output()};
  if (!file->first.some()) file->first = place.first;
  store.ExtendRows(part->events.label.size(), false);
  store.ExtendMemory(part->memory.size(), part->outputs.size());
  LinkDevices(part, place.first, file, rows);
  for (const NodeId node : part->covered) store.MarkCovered(node);
  for (const RunPart::Allocating& row : part->allocations) {
    const EventId event(place.first.value + row.event.value);
    AddAllocationPlace(event, row.record, file->file, file->source, store);
  }
  for (const RunPart::Copying& row : part->copies) AddCopy(row, place.first, store);
  if (part->has_nanoseconds) store.SetNanoseconds();
  AddProblemCounts(*part, file);
  file->end = store.next_event();
  file->covered_nodes = store.covered_count();
  file->known_nodes = static_cast<int64_t>(store.node_count());
  return place;
}

void CopyRows(const RunPart& part, const RunPlace& place, StoreBuilder& store) {
  CopyEvents(part.events, place.first, store);
  const StoreBuilder::RawMemory to = store.MemoryRows(place.first_memory, place.first_output);
  for (size_t i = 0; i < part.memory.size(); ++i) {
    to.memory[i] = part.memory[i];
    to.memory[i].event = EventId(place.first.value + part.memory[i].event.value);
    to.memory[i].first_output += place.first_output;
  }
  std::copy(part.outputs.begin(), part.outputs.end(), to.outputs);
}

Result<void> EndFile(const RunFile& file, StoreBuilder& store, const Context& context) {
  for (const InvalidTime invalid : file.invalid_times) store.NoteInvalidTime(invalid);
  if (file.arguments.check_overlap) {
    TFPROF_TRY(CheckOverlap(RecordsOfGraph(file, store), file.file, store));
  }
  if (file.step.some()) {
    store.step(file.step).lacks_accelerator_stream |= file.gpu_seen && !file.gpu_stream_seen;
  }
  KeepAllocations(file.file, file.source, AllocationsOfRun, store);
  KeepRunShapes(file.file, file.source, store);
  LinkInputs(file, store);
  store.source(file.source).covered_nodes = file.covered_nodes;
  store.source(file.source).known_nodes = file.known_nodes;
  AddAllNotes(file, store);
  if (!file.step.some()) {
    store.AddNote(note::no_step_statistics, file.file.path);
  }
  if (file.bad != nullptr) {
    const std::string record =
        "device " + std::to_string(file.devices) + ", record " + std::to_string(file.records + 1);
    TFPROF_TRY(Damaged(file.bad, file.file, file.devices > 0 ? record : "", store, context));
  }
  NoteDamage(file.file, store);
  return {};
}

}  // namespace tfprof
