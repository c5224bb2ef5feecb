// SPDX-License-Identifier: Apache-2.0
#include "core/store/builder.h"
#include "core/store/note_catalogue.h"

#include <algorithm>
#include <new>

namespace tfprof {
namespace {

// Reserves as a hint: a file may claim more rows than it has or than memory holds.
template <class Reserve>
void TryReserve(Reserve reserve) {
  try {
    reserve();
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

// Reserves for the tens of thousands of names of most profiles, so that growth does not copy them.
StoreBuilder::StoreBuilder() { store_.names.ReserveText(size_t{128} << 10); }

SourceId StoreBuilder::AddSource(Source source) {
  store_.sources.push_back(std::move(source));
  return SourceId(store_.sources.size() - 1);
}

void StoreBuilder::AddNote(const NoteWords& what, std::string_view first_place, int64_t cost_ps,
                           int64_t count) {
  const auto [at, is_new] = note_of_text_.try_emplace(what.Text(), store_.notes.size());
  if (is_new) store_.notes.push_back({what, 0, std::string(first_place), kNoInt});
  Note& note = store_.notes[at->second];
  note.count += count;
  if (cost_ps != kNoInt) AddPresent(cost_ps, &note.cost_ps);
}

HostId StoreBuilder::AddHost(NameId name) {
  for (size_t i = 0; i < store_.hosts.size(); ++i) {
    if (store_.hosts[i].name == name) return HostId(i);
  }
  store_.hosts.push_back({name});
  return HostId(store_.hosts.size() - 1);
}

DeviceId StoreBuilder::AddDevice(const Device& device) {
  store_.devices.push_back(device);
  return DeviceId(store_.devices.size() - 1);
}

ProcessId StoreBuilder::AddProcess(const Process& process) {
  SetTrace();
  store_.processes.push_back(process);
  store_.processes.back().lanes = {static_cast<uint32_t>(store_.lanes.size()), 0};
  store_.processes.back().labels = {static_cast<uint32_t>(store_.labels.size()), 0};
  return ProcessId(store_.processes.size() - 1);
}

void StoreBuilder::ReserveNodes(size_t count) {
  const size_t names = store_.names.size() + count;
  TryReserve([&] { store_.names.Reserve(names); });
  TryReserve([&] { store_.node_of_name.Reserve(names); });
  TryReserve([&] { label_of_name_.Reserve(names); });
  TryReserve([&] { store_.nodes.Reserve(store_.nodes.size() + count); });
  text_before_ = store_.names.text_bytes();
  sizes_before_.clear();
  EachGrowingTable([&](auto& table) { sizes_before_.push_back(table.size()); });
}

template <class Visit>
void StoreBuilder::EachGrowingTable(Visit visit) {
  visit(store_.edges);
  visit(store_.dims);
  visit(store_.output_shapes);
  visit(store_.labels);
  visit(store_.stacks);
  visit(lanes_.cells);
  visit(runs_);
  visit(store_.events.start_ps);
  visit(store_.events.duration_ps);
  visit(store_.events.label);
  visit(store_.events.detail);
  visit(store_.exec_memory);
  visit(store_.outputs);
  visit(store_.allocation_places);
}

void StoreBuilder::ReserveInProportion(size_t done, size_t all) {
  // Adds a margin, since no sample is exact: unused capacity costs nothing.
  const auto in_all = [&](size_t now, size_t before) {
    const auto rest = static_cast<double>(now - before) / static_cast<double>(done) *
                      static_cast<double>(all - done);
    return now + static_cast<size_t>(rest * 17 / 16);
  };
  TryReserve([&] { store_.names.ReserveText(in_all(store_.names.text_bytes(), text_before_)); });
  auto before = sizes_before_.begin();
  EachGrowingTable([&](auto& table) {
    const size_t rows = in_all(table.size(), *before++);
    TryReserve([&] { table.Reserve(rows); });
  });
}

NodeId StoreBuilder::AddNode(NameId name, NameId type, bool defined) {
  const NodeId id(store_.nodes.size());
  Node node;
  node.name = name;
  node.type = type;
  node.defined = defined;
  has_graph_ |= defined;
  store_.nodes.Push(node);
  if (name.value >= store_.node_of_name.size()) {
    store_.node_of_name.Resize(std::max<size_t>(name.value + 1, store_.names.size()), NodeId());
  }
  store_.node_of_name[name.value] = id;
  return id;
}

void StoreBuilder::SetInputs(NodeId consumer, std::span<const Edge> inputs) {
  Node& node = store_.nodes[consumer.value];
  node.inputs = {static_cast<uint32_t>(store_.edges.size()), static_cast<uint32_t>(inputs.size())};
  std::copy(inputs.begin(), inputs.end(), store_.edges.Extend(inputs.size()));
}

void StoreBuilder::SetOutputShapes(NodeId id, std::span<const OutputShape> shapes) {
  Node& node = store_.nodes[id.value];
  node.output_shapes = {static_cast<uint32_t>(store_.output_shapes.size()),
                        static_cast<uint32_t>(shapes.size())};
  std::copy(shapes.begin(), shapes.end(), store_.output_shapes.Extend(shapes.size()));
}

ShapeRef StoreBuilder::AddShape(std::span<const int64_t> dims) {
  const ShapeRef shape{static_cast<uint32_t>(store_.dims.size()),
                       static_cast<int32_t>(dims.size())};
  std::copy(dims.begin(), dims.end(), store_.dims.Extend(dims.size()));
  return shape;
}

// Lists are circular while loading: Range::first is the last cell, whose `next` is the first one.
// They are short (one to four values), so a lookup walks them; a list of more than 16 values, as in
// a file with thousands of devices, gets a hash set.
template <class T>
void StoreBuilder::AddToList(NodeId owner, Range* list, T value, NodeLists<T>* lists) {
  constexpr uint32_t kLong = 16;
  Column<ListCell<T>>& cells = lists->cells;
  const auto key = [&](T v) { return uint64_t{owner.value} << 32 | v.value; };
  if (list->count < kLong) {
    uint32_t cell = list->first;
    for (uint32_t i = 0; i < list->count; ++i, cell = cells[cell].next) {
      if (cells[cell].value == value) return;
    }
  } else if (!lists->long_lists.insert(key(value)).second) {
    return;
  }
  const auto added = static_cast<uint32_t>(cells.size());
  cells.Push({value, list->count == 0 ? added : cells[list->first].next});
  if (list->count > 0) cells[list->first].next = added;
  list->first = added;
  if (++list->count != kLong) return;
  for (uint32_t i = 0, cell = added; i < kLong; ++i, cell = cells[cell].next) {
    lists->long_lists.insert(key(cells[cell].value));
  }
}

void StoreBuilder::AddType(NodeId node, NameId type) {
  AddToList(node, &store_.nodes[node.value].types, type, &types_);
}

void StoreBuilder::AddNodeLane(NodeId node, LaneId lane) {
  AddToList(node, &store_.nodes[node.value].lanes, lane, &lanes_);
}

void StoreBuilder::SetCalledFlops(NodeId node, CalledFlops flops) {
  const int64_t mean = RoundedQuotient(flops.flops, flops.runs, 1);
  this->node(node).float_ops = std::max<int64_t>(1, mean);  // 0 would be unknown
  if (store_.called_flops.size() <= node.value) store_.called_flops.resize(node.value + 1);
  store_.called_flops[node.value] = flops;
}

StackId StoreBuilder::AddStack(SourceId source, uint64_t offset, uint32_t bytes) {
  const StackId id(store_.stacks.size());
  Range& stacks = store_.sources[source.value].stacks;
  if (stacks.count++ == 0) stacks.first = id.value;
  store_.stacks.Push({offset, bytes, source});
  return id;
}

StackId StoreBuilder::AddStack(std::span<const Frame> frames) {
  if (frames.empty()) return {};
  store_.stacks.Push({store_.frames.size(), static_cast<uint32_t>(frames.size()), SourceId()});
  std::copy(frames.begin(), frames.end(), store_.frames.Extend(frames.size()));
  return StackId(store_.stacks.size() - 1);
}

void StoreBuilder::SetEpoch(int64_t epoch_ns) {
  store_.epoch_ns = epoch_ns;
  epoch_us_ = epoch_ns / kNsPerUs;
  has_epoch_ = true;
}

void StoreBuilder::NoteInvalidTime(InvalidTime invalid) {
  switch (invalid) {
    case InvalidTime::far: return AddNote(note::far_times_clamped, "");
    case InvalidTime::negative: return AddNote(note::negative_durations, "");
    case InvalidTime::too_long: return AddNote(note::long_durations_clamped, "");
  }
}

StepId StoreBuilder::AddStep(int64_t number) {
  const auto [at, is_new] = step_of_number_.try_emplace(number, StepId(store_.steps.size()));
  if (is_new) store_.steps.push_back({number, false});
  return at->second;
}

LaneId StoreBuilder::FindLane(std::string_view name) const {
  const NameId known = store_.names.Find(name);
  const auto lane = known.some() ? lane_of_name_.find(known.value) : lane_of_name_.end();
  return lane != lane_of_name_.end() ? lane->second : LaneId();
}

LaneId StoreBuilder::AddLane(const Lane& lane) {
  store_.lanes.push_back(lane);
  const LaneId id(store_.lanes.size() - 1);
  if (lane.process.some()) {
    Range& lanes = process(lane.process).lanes;
    if (lanes.count++ == 0) lanes.first = id.value;
  } else {
    lane_of_name_.try_emplace(lane.name.value, id);
  }
  return id;
}

LabelId StoreBuilder::AddLabel(const Label& label) {
  store_.labels.Push(label);
  return LabelId(store_.labels.size() - 1);
}

LabelId StoreBuilder::AddLabel(NameId name, NodeId node) {
  if (name.value >= label_of_name_.size()) {
    label_of_name_.Resize(std::max<size_t>(name.value + 1, store_.names.size()), LabelId());
  }
  LabelId& label = label_of_name_[name.value];
  if (!label.some()) label = AddLabel(Label{name, node, NameId()});
  return label;
}

void StoreBuilder::ChangeLane(EventId first, LaneId lane) {
  ArrivalRun& run = runs_.back();
  if (run.first == first.value) {
    run.lane = lane;
  } else {
    runs_.Push({lane, run.step, first.value});
  }
}

StoreBuilder::RawRows StoreBuilder::ExtendRows(size_t count, bool have_details) {
  Events& events = store_.events;
  return {store_.events_read.starts ? events.start_ps.Extend(count) : nullptr,
          events.duration_ps.Extend(count), events.label.Extend(count),
          have_details ? events.detail.Extend(count) : nullptr};
}

StoreBuilder::RawRows StoreBuilder::Rows(EventId first) {
  Events& events = store_.events;
  return {events.start_ps.data() + first.value, events.duration_ps.data() + first.value,
          events.label.data() + first.value, nullptr};
}

void StoreBuilder::DropRows(EventId first) {
  Events& events = store_.events;
  if (store_.events_read.starts) events.start_ps.Resize(first.value);
  events.duration_ps.Resize(first.value);
  events.label.Resize(first.value);
  if (!events.detail.empty()) events.detail.Resize(first.value);
}

void StoreBuilder::AddAggregate(EventId event, int64_t occurrences) {
  store_.aggregates.Push({event, occurrences});
}

}  // namespace tfprof
