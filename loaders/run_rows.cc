// SPDX-License-Identifier: Apache-2.0
#include "loaders/run_rows.h"

#include "core/hash.h"

namespace tfprof {
namespace {

// Records of the runtime itself are no nodes unless the graph has such a node.
bool MakesNode(std::string_view name) {
  return name != "RecvTensor" && name != "_SOURCE" && name.find("MEMCPY") == name.npos;
}

// The label of a record's full name, at its first mention. The node is the name up to the first
// colon; `covered` is set when it was known before.
__attribute__((noinline)) LabelId MakeLabel(NameId name, std::string_view text, bool* covered,
                                            StoreBuilder& store) {
  const std::string_view node_text = text.substr(0, text.find(':'));
  const NameId node_name = node_text.size() == text.size() ? name : store.Name(node_text);
  NodeId node = store.FindNode(node_name);
  *covered = node.some();
  if (!node.some() && MakesNode(node_text)) node = store.AddNode(node_name, node_name, false);
  return store.AddLabel(name, node);
}

LabelId LabelOf(std::string_view text, uint64_t hash, StoreBuilder& store) {
  const NameId name = store.Name(text, hash);
  LabelId label = store.FindLabel(name);
  bool covered = true;
  if (!label.some()) [[unlikely]]
    label = MakeLabel(name, text, &covered, store);
  const NodeId node = store.label(label).node;
  if (node.some() && covered) store.Cover(node);
  return label;
}

// Devices are told by the first field of their message, but a later one may correct it: the lanes
// of nodes are only remembered when the message is read. For the first 64 lanes it is known which
// labels have them.
void RememberLane(LabelId label, RunRows* rows) {
  Column<uint64_t>& known = rows->lanes_of_label;
  if (rows->lane.value < 64) {
    if (label.value >= known.size()) known.Resize(label.value + 1);
    if ((known[label.value] >> rows->lane.value & 1) != 0) return;
  }
  rows->new_on_lane.push_back(label);
}

void AddMemory(EventId event, RunRecord* record, StoreBuilder& store) {
  record->memory.event = event;
  record->memory.first_output = store.next_output();
  record->memory.time_ps = store.TimeFromMicros(WrapAdd(record->start_us, record->duration_us));
  for (const OutputMemory& output : record->outputs) store.AddOutput(output);
  store.AddMemory(record->memory);
}

void AddRecord(RunRows::Read* read, RunRows* rows) {
  RunRecord& record = read->record;
  StoreBuilder& store = rows->store;
  const NodeId node = store.label(read->label).node;
  const int64_t duration_ps = store.DurationFromMicros(record.duration_us);
  const auto detail = static_cast<uint32_t>(read->place - rows->file.bytes.data());
  if (node.some()) {
    RememberLane(read->label, rows);
  } else {
    rows->foreign.Add(read->place, duration_ps);
  }
  if (record.start_us <= 0) {
    store.AddEvent(kNoTime, duration_ps, read->label, detail);
    rows->no_time.Add(read->place);
    return;
  }
  const int64_t start_ps = store.TimeFromMicros(record.start_us);
  const EventId event = store.AddEvent(start_ps, duration_ps, read->label, detail);
  if (record.has_memory) AddMemory(event, &record, store);
  if (record.has_allocations) {
    AddAllocationPlace(event, {read->place, read->bytes}, rows->file, rows->source, store);
  }
  if (record.gpu_allocators > 1) rows->several_gpu_allocators.Add(read->place);
}

void AddBatch(RunRows* rows) {
  const Names& names = rows->store.names();
  for (size_t i = 0; i < rows->batched; ++i) names.PrefetchEntry(rows->batch[i].name_hash);
  for (size_t i = 0; i < rows->batched; ++i) names.PrefetchText(rows->batch[i].name_hash);
  for (size_t i = 0; i < rows->batched; ++i) {
    RunRows::Read& read = rows->batch[i];
    read.label = LabelOf(read.record.name, read.name_hash, rows->store);
  }
  for (size_t i = 0; i < rows->batched; ++i) AddRecord(&rows->batch[i], rows);
  rows->batched = 0;
}

}  // namespace

void BeginDevice(LaneId lane, StepId step, RunRows* rows) {
  rows->lane = lane;
  rows->first = rows->store.next_event();
  rows->new_on_lane.clear();
  rows->store.BeginRows(lane, step);
}

void AddRunRecord(std::string_view message, RunRows* rows) {
  RunRows::Read& read = rows->batch[rows->batched];
  if (ReadRunRecord(message, &read.record) != nullptr) {
    rows->malformed.Add(message.data());
    return;
  }
  read.place = message.data();
  read.bytes = message.size();
  read.name_hash = Hash(read.record.name);
  rows->store.names().PrefetchSlot(read.name_hash);
  if (++rows->batched == RunRows::kBatch) AddBatch(rows);
}

void EndDevice(LaneId lane, RunRows* rows) {
  AddBatch(rows);
  StoreBuilder& store = rows->store;
  if (lane != rows->lane) {
    store.ChangeLane(rows->first, lane);
    for (uint64_t i = rows->first.value; i < store.next_event().value; ++i) {
      const NodeId node = store.label(store.label_of(EventId(i))).node;
      if (node.some()) store.AddNodeLane(node, lane);
    }
    return;
  }
  for (const LabelId label : rows->new_on_lane) {
    store.AddNodeLane(store.label(label).node, lane);
    if (lane.value < 64) rows->lanes_of_label[label.value] |= uint64_t{1} << lane.value;
  }
}

void TellAll(const RunRows& rows) {
  const SourceFile& file = rows.file;
  rows.no_time.Tell("records without a start time: no time, no run, no memory", file, rows.store);
  rows.malformed.Tell("malformed records, skipped", file, rows.store);
  rows.foreign.Tell("records of the runtime that belong to no graph node", file, rows.store);
  rows.several_gpu_allocators.Tell("records with several gpu allocators", file, rows.store);
}

}  // namespace tfprof
