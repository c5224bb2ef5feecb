// SPDX-License-Identifier: Apache-2.0
// The final part of a StoreBuilder: takes records out and copies them, orders steps by number,
// flattens lists, and orders events by lane and step.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/store/builder.h"
#include "core/store/check.h"
#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

// Appends a copy; `move` changes the ids in each row.
template <class Row, class Move>
void Append(const Column<Row>& from, Column<Row>* to, Move move) {
  Row* copy = to->Extend(from.size());
  for (const Row& row : from) {
    *copy = row;
    move(copy++);
  }
}

template <class Row>
void Append(const Column<Row>& from, Column<Row>* to) {
  Append(from, to, [](Row*) {});
}

}  // namespace

TakenRecords StoreBuilder::TakeRecords() {
  TakenRecords taken{std::exchange(static_cast<StepRecords&>(store_), {}),
                     std::exchange(runs_, {}),
                     std::exchange(ascending_, {}),
                     {}};
  for (size_t i = 0; i < store_.sources.size(); ++i) {
    Range& places = store_.sources[i].allocations;
    if (places.count > 0) taken.allocations.emplace_back(SourceId(i), std::exchange(places, {}));
  }
  return taken;
}

void StoreBuilder::AddRecords(const TakenRecords& taken) {
  const StepRecords& from = taken.records;
  const uint32_t first = next_event().value, first_output = next_output();
  const auto first_place = static_cast<uint32_t>(store_.allocation_places.size());
  const auto move = [&](auto* row) { row->event = EventId(first + row->event.value); };
  Append(from.events.start_ps, &store_.events.start_ps);
  Append(from.events.duration_ps, &store_.events.duration_ps);
  Append(from.events.label, &store_.events.label);
  Append(from.events.detail, &store_.events.detail);
  Append(from.aggregates, &store_.aggregates, move);
  Append(from.exec_memory, &store_.exec_memory, [&](ExecMemory* row) {
    move(row);
    row->first_output += first_output;
  });
  Append(from.outputs, &store_.outputs);
  Append(from.allocation_places, &store_.allocation_places, move);
  Append(from.copies, &store_.copies, move);
  Append(from.declared, &store_.declared);
  Append(taken.runs, &runs_, [&](ArrivalRun* run) { run->first += first; });
  Append(taken.ascending, &ascending_, [&](Range* rows) { rows->first += first; });
  for (const auto& [source, places] : taken.allocations) {
    this->source(source).allocations = {first_place + places.first, places.count};
  }
}

template <class T>
Range StoreBuilder::Flatten(Range list, const NodeLists<T>& lists, Column<T>* out) {
  const Range flat{static_cast<uint32_t>(out->size()), list.count};
  if (list.count == 0) return flat;
  uint32_t cell = lists.cells[list.first].next;
  for (uint32_t i = 0; i < list.count; ++i, cell = lists.cells[cell].next) {
    out->Push(lists.cells[cell].value);
  }
  return flat;
}

void StoreBuilder::RenumberSteps() {
  std::vector<uint32_t> by_number(store_.steps.size());
  std::iota(by_number.begin(), by_number.end(), 0);
  std::sort(by_number.begin(), by_number.end(), [&](uint32_t a, uint32_t b) {
    return store_.steps[a].number < store_.steps[b].number;
  });
  std::vector<StepId> renumbered(by_number.size());
  std::vector<Step> steps;
  for (const uint32_t old : by_number) {
    renumbered[old] = StepId(steps.size());
    steps.push_back(store_.steps[old]);
  }
  store_.steps = std::move(steps);
  const auto renumber = [&](StepId* step) {
    if (step->some()) *step = renumbered[step->value];
  };
  for (ArrivalRun& run : runs_) renumber(&run.step);
  for (Declared& row : store_.declared) renumber(&row.step);
}

void StoreBuilder::FlattenNodeLists() {
  for (Node& node : store_.nodes) {
    node.types = Flatten(node.types, types_, &store_.node_types);
    node.lanes = Flatten(node.lanes, lanes_, &store_.node_lanes);
  }
}

namespace {

// Orders rows by node. Of several rows of a node the first applies.
template <class Row>
void OrderByNode(Column<Row>* rows) {
  std::stable_sort(rows->begin(), rows->end(),
                   [](const Row& a, const Row& b) { return a.node < b.node; });
  const Row* end = std::unique(rows->begin(), rows->end(),
                               [](const Row& a, const Row& b) { return a.node == b.node; });
  rows->Resize(static_cast<size_t>(end - rows->begin()));
}

}  // namespace

Result<StorePtr> StoreBuilder::Finish() {
  for (const Node& node : store_.nodes) {
    if (node.float_ops < 0) AddNote(note::negative_float_ops, store_.Text(node.name));
  }
  const bool lists_fit = std::max(types_.cells.size(), lanes_.cells.size()) <= kMaxRows;
  if (!lists_fit || !RowsFit(store_)) {
    return Fail(ErrorKind::corrupt, "more than 4 billion rows in one table", "",
                "load fewer files at once");
  }
  RenumberSteps();
  FlattenNodeLists();
  OrderByNode(&store_.data_formats);
  OrderByNode(&store_.ran_as);
  OrderEvents(runs_, ascending_, &store_);
  auto finished = std::make_shared<Store>(std::move(store_));
  *this = StoreBuilder();
#ifndef NDEBUG
  const std::string broken = BrokenInvariant(*finished);
  if (!broken.empty()) return Fail(ErrorKind::internal, "the store is broken: " + broken);
#endif
  return StorePtr(std::move(finished));
}

}  // namespace tfprof
