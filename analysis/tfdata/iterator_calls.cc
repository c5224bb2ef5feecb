// SPDX-License-Identifier: Apache-2.0
#include "analysis/tfdata/iterator_calls.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/intervals/nesting.h"

namespace tfprof {
namespace {

enum class Part : uint8_t { none, iterator, produces, consumes };

struct Kind {
  Part part = Part::none;
  std::string_view of = {};  // of produces and consumes: the X
};

Kind KindOf(const Store& store, const Label& label) {
  std::string_view name = store.Text(label.name);
  name.remove_suffix(label.suffix);
  switch (label.role) {
    case EventRole::iterator:
    case EventRole::root_iterator:
    case EventRole::device_iterator: return {Part::iterator};
    case EventRole::element_produced: return {Part::produces, name};
    case EventRole::element_consumed: return {Part::consumes, name};
    default: return {};
  }
}

// An event with facts about iterators, and the innermost such event that encloses it. Numbers that
// are not recorded are kNoInt.
struct IteratorRecord {
  EventId event;
  uint32_t around = IteratorCall::kNone;   // index into Reading::recorded
  uint32_t call = IteratorCall::kNone;     // index into IteratorCalls::calls
  uint32_t in_call = IteratorCall::kNone;  // the call, or the innermost one that encloses it
  int64_t iterator = kNoInt;
  int64_t parent_iterator = kNoInt;
  int64_t element = kNoInt;
};

// X, the iterator that consumes it, the element.
using Element = std::tuple<std::string_view, int64_t, int64_t>;

struct Reading {
  const Store& store;
  ProcessId process;
  std::vector<Kind> kinds;  // by label of the process
  std::vector<IteratorRecord> recorded = {};
  std::vector<uint32_t> outer_first = {};      // indexes into `recorded`, enclosing events first
  std::map<Element, uint32_t> consumers = {};  // indexes into `recorded`, the earliest of each

  Kind KindAt(uint32_t row) const {
    const LabelId label = store.events.label[row];
    return kinds[label.value - store.processes[process.value].labels.first];
  }
};

std::vector<Kind> KindsOf(const Store& store, const Process& process) {
  std::vector<Kind> kinds;
  for (const Label& label : store.LabelsOf(process)) kinds.push_back(KindOf(store, label));
  return kinds;
}

// Finds the events of a lane that record facts, in order of rows.
void FindIteratorRecords(const Lane& lane, Reading* reading) {
  for (const uint32_t row : lane.PlacedRows()) {
    if (reading->KindAt(row).part != Part::none) reading->recorded.push_back({EventId(row)});
  }
}

// Sets the enclosing event of each; [first, end) of `recorded` are those of the lane.
void NestIteratorRecords(const Lane& lane, size_t first, LaneNesting* nesting, Reading* reading) {
  NestEvents(reading->store, lane, nesting);
  std::vector<uint32_t> around(nesting->parent.size(),
                               IteratorCall::kNone);  // by row: the innermost one
  std::vector<uint32_t> place(nesting->parent.size(), IteratorCall::kNone);  // by row
  for (size_t i = first; i < reading->recorded.size(); ++i) {
    place[reading->recorded[i].event.value - nesting->first] = static_cast<uint32_t>(i);
  }
  for (const uint32_t row : nesting->order) {
    const uint32_t at = row - nesting->first;
    if (nesting->parent[at] != kNoRow) {
      const uint32_t parent = nesting->parent[at] - nesting->first;
      around[at] = place[parent] != IteratorCall::kNone ? place[parent] : around[parent];
    }
    if (place[at] == IteratorCall::kNone) continue;
    reading->recorded[place[at]].around = around[at];
    reading->outer_first.push_back(place[at]);
  }
}

Result<void> FindAndNest(Reading* reading, Context& context) {
  const Process& process = reading->store.processes[reading->process.value];
  LaneNesting nesting;
  for (const Lane& lane : reading->store.LanesOf(process)) {
    TFPROF_TRY(Poll(context));
    const size_t first = reading->recorded.size();
    FindIteratorRecords(lane, reading);
    if (reading->recorded.size() > first) NestIteratorRecords(lane, first, &nesting, reading);
  }
  return {};
}

std::vector<EventId> EventsOf(const std::vector<IteratorRecord>& recorded) {
  std::vector<EventId> events;
  events.reserve(recorded.size());
  for (const IteratorRecord& t : recorded) events.push_back(t.event);
  return events;
}

Result<void> ReadNumbers(Reading* reading, std::vector<uint8_t>* is_natural, Context& context) {
  const std::vector<EventId> events = EventsOf(reading->recorded);
  constexpr DetailKey kKeys[] = {AttributeKey::iterator, AttributeKey::parent_iterator,
                                 AttributeKey::element};
  constexpr int64_t IteratorRecord::*kMembers[] = {
      &IteratorRecord::iterator, &IteratorRecord::parent_iterator, &IteratorRecord::element};
  is_natural->assign(events.size(), 0);
  TFPROF_ASSIGN(const std::vector<DetailColumn> columns,
                ReadColumns(reading->store, reading->process, events, kKeys, context));
  for (size_t k = 0; k < columns.size(); ++k) {
    const DetailColumn& column = columns[k];
    const auto member = kMembers[k];
    if (column.rows.count == 0) continue;
    for (uint32_t i = 0; i < events.size(); ++i) {
      reading->recorded[i].*member = column.Integer(i);
      if (member == &IteratorRecord::iterator)
        (*is_natural)[i] = column.Kind(i) == ValueKind::natural;
    }
  }
  return {};
}

// Creates the calls, without parents. Events without an iterator number are skipped.
void MakeCalls(const std::vector<uint8_t>& is_natural, Reading* reading, IteratorCalls* found) {
  const Store& store = reading->store;
  for (uint32_t i = 0; i < reading->recorded.size(); ++i) {
    IteratorRecord& recorded = reading->recorded[i];
    const uint32_t row = recorded.event.value;
    if (reading->KindAt(row).part != Part::iterator || recorded.iterator == kNoInt) continue;
    const LabelId label = store.events.label[row];
    const EventRole role = store.labels[label.value].role;
    if (role == EventRole::device_iterator && recorded.parent_iterator != kNoInt) {
      found->device_roots.push_back(recorded.parent_iterator);
    }
    recorded.call = static_cast<uint32_t>(found->calls.size());
    found->calls.push_back({recorded.event,
                            {recorded.iterator, is_natural[i] != 0},
                            label,
                            store.events.start_ps[row],
                            store.events.EndPs(row),
                            role == EventRole::root_iterator});
  }
}

void FindCallsAround(Reading* reading) {
  for (const uint32_t place : reading->outer_first) {
    IteratorRecord& recorded = reading->recorded[place];
    recorded.in_call = recorded.call;
    if (recorded.call == IteratorCall::kNone && recorded.around != IteratorCall::kNone) {
      recorded.in_call = reading->recorded[recorded.around].in_call;
    }
  }
}

// Element numbers may restart in every iterator: if the event does not record the iterator, it is
// the one whose call encloses it.
void FindConsumers(const IteratorCalls& found, Reading* reading) {
  const Column<int64_t>& start_ps = reading->store.events.start_ps;
  for (uint32_t i = 0; i < reading->recorded.size(); ++i) {
    const IteratorRecord& recorded = reading->recorded[i];
    const Kind kind = reading->KindAt(recorded.event.value);
    if (kind.part != Part::consumes || recorded.in_call == IteratorCall::kNone ||
        recorded.element == kNoInt)
      continue;
    const int64_t iterator = recorded.iterator != kNoInt
                                 ? recorded.iterator
                                 : found.calls[recorded.in_call].iterator.bits;
    const auto [at, added] =
        reading->consumers.try_emplace({kind.of, iterator, recorded.element}, i);
    const EventId known = reading->recorded[at->second].event;
    if (!added && start_ps[recorded.event.value] < start_ps[known.value]) at->second = i;
  }
}

// Returns the call that consumes the result of a call within an event XProduce; none: not recorded.
uint32_t ConsumerOf(const Reading& reading, const IteratorRecord& produces,
                    const IteratorRecord& made) {
  const int64_t iterator = produces.iterator != kNoInt ? produces.iterator : made.parent_iterator;
  const Kind kind = reading.KindAt(produces.event.value);
  const auto taken = reading.consumers.find({kind.of, iterator, produces.element});
  return taken == reading.consumers.end() ? IteratorCall::kNone
                                          : reading.recorded[taken->second].in_call;
}

void SetParents(const Reading& reading, std::vector<IteratorCall>* calls) {
  // By position: the innermost call or XProduce, itself included.
  std::vector<uint32_t> innermost(reading.recorded.size(), IteratorCall::kNone);
  for (const uint32_t place : reading.outer_first) {
    const IteratorRecord& recorded = reading.recorded[place];
    const uint32_t outer =
        recorded.around == IteratorCall::kNone ? IteratorCall::kNone : innermost[recorded.around];
    const bool produces = reading.KindAt(recorded.event.value).part == Part::produces;
    innermost[place] = recorded.call != IteratorCall::kNone || produces ? place : outer;
    if (recorded.call == IteratorCall::kNone || outer == IteratorCall::kNone ||
        (*calls)[recorded.call].is_root)
      continue;
    const IteratorRecord& around = reading.recorded[outer];
    const uint32_t consumer_call = around.call == IteratorCall::kNone
                                       ? ConsumerOf(reading, around, recorded)
                                       : IteratorCall::kNone;
    (*calls)[recorded.call].parent =
        consumer_call != IteratorCall::kNone ? consumer_call : around.in_call;
  }
}

}  // namespace

Result<IteratorCalls> FindIteratorCalls(const Store& store, ProcessId process, Context& context) {
  IteratorCalls found;
  Reading reading{store, process, KindsOf(store, store.processes[process.value])};
  const bool any = std::any_of(reading.kinds.begin(), reading.kinds.end(),
                               [](const Kind& kind) { return kind.part == Part::iterator; });
  if (!any) return found;
  TFPROF_TRY(FindAndNest(&reading, context));
  std::vector<uint8_t> is_natural;
  TFPROF_TRY(ReadNumbers(&reading, &is_natural, context));
  MakeCalls(is_natural, &reading, &found);
  FindCallsAround(&reading);
  FindConsumers(found, &reading);
  SetParents(reading, &found.calls);
  std::sort(found.device_roots.begin(), found.device_roots.end());
  return found;
}

std::string_view LastComponent(std::string_view name) {
  const size_t colons = name.rfind("::");
  return colons == name.npos ? name : name.substr(colons + 2);
}

}  // namespace tfprof
