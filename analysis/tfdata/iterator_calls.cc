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

// An event that says something about iterators, and the innermost such event around it. Numbers
// that it does not tell are kNoInt.
struct Told {
  EventId event;
  uint32_t around = IteratorCall::kNone;   // of Reading::told
  uint32_t call = IteratorCall::kNone;     // of IteratorCalls::calls
  uint32_t in_call = IteratorCall::kNone;  // it, or the innermost around it
  int64_t iterator = kNoInt;
  int64_t parent_iterator = kNoInt;
  int64_t element = kNoInt;
};

// X, which iterator takes it, which element.
using Element = std::tuple<std::string_view, int64_t, int64_t>;

struct Reading {
  const Store& store;
  ProcessId process;
  std::vector<Kind> kinds;  // by label of the process
  std::vector<Told> told = {};
  std::vector<uint32_t> outer_first = {};      // places in `told`, each behind those around it
  std::map<Element, uint32_t> consumers = {};  // of `told`, the earliest of each

  Kind KindAt(uint32_t row) const {
    const LabelId label = store.events.label[row];
    return kinds[label.value - store.processes[process.value].labels.first];
  }
};

std::vector<Kind> KindsOf(const Store& store, const Process& process) {
  std::vector<Kind> kinds(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    kinds[i] = KindOf(store, store.labels[process.labels.first + i]);
  }
  return kinds;
}

// The events of a lane that say something, in order of rows.
void FindTold(const Lane& lane, Reading* reading) {
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
    if (reading->KindAt(row).part != Part::none) reading->told.push_back({EventId(row)});
  }
}

// Which of them is around which; [first, end) of `told` are those of the lane.
void NestTold(const Lane& lane, size_t first, LaneNesting* nesting, Reading* reading) {
  NestEvents(reading->store, lane, nesting);
  std::vector<uint32_t> around(nesting->parent.size(),
                               IteratorCall::kNone);  // by row: the innermost told
  std::vector<uint32_t> place(nesting->parent.size(), IteratorCall::kNone);  // by row
  for (size_t i = first; i < reading->told.size(); ++i) {
    place[reading->told[i].event.value - nesting->first] = static_cast<uint32_t>(i);
  }
  for (const uint32_t row : nesting->order) {
    const uint32_t at = row - nesting->first;
    if (nesting->parent[at] != kNoRow) {
      const uint32_t parent = nesting->parent[at] - nesting->first;
      around[at] = place[parent] != IteratorCall::kNone ? place[parent] : around[parent];
    }
    if (place[at] == IteratorCall::kNone) continue;
    reading->told[place[at]].around = around[at];
    reading->outer_first.push_back(place[at]);
  }
}

Result<void> FindAndNest(Reading* reading, Context& context) {
  const Range lanes = reading->store.processes[reading->process.value].lanes;
  LaneNesting nesting;
  for (uint32_t i = lanes.first; i < lanes.first + lanes.count; ++i) {
    TFPROF_TRY(Poll(context));
    const Lane& lane = reading->store.lanes[i];
    const size_t first = reading->told.size();
    FindTold(lane, reading);
    if (reading->told.size() > first) NestTold(lane, first, &nesting, reading);
  }
  return {};
}

std::vector<EventId> EventsOf(const std::vector<Told>& told) {
  std::vector<EventId> events;
  events.reserve(told.size());
  for (const Told& t : told) events.push_back(t.event);
  return events;
}

Result<void> ReadNumbers(Reading* reading, std::vector<uint8_t>* is_natural, Context& context) {
  const std::vector<EventId> events = EventsOf(reading->told);
  constexpr DetailKey kKeys[] = {AttributeKey::iterator, AttributeKey::parent_iterator,
                                 AttributeKey::element};
  constexpr int64_t Told::*kMembers[] = {&Told::iterator, &Told::parent_iterator, &Told::element};
  is_natural->assign(events.size(), 0);
  TFPROF_ASSIGN(const std::vector<DetailColumn> columns,
                ReadColumns(reading->store, reading->process, events, kKeys, context));
  for (size_t k = 0; k < columns.size(); ++k) {
    const DetailColumn& column = columns[k];
    const auto member = kMembers[k];
    if (column.rows.count == 0) continue;
    for (uint32_t i = 0; i < events.size(); ++i) {
      reading->told[i].*member = column.Integer(i);
      if (member == &Told::iterator) (*is_natural)[i] = column.Kind(i) == ValueKind::natural;
    }
  }
  return {};
}

// Without parents. An iterator that does not tell its number is none.
void MakeCalls(const std::vector<uint8_t>& is_natural, Reading* reading, IteratorCalls* found) {
  const Store& store = reading->store;
  for (uint32_t i = 0; i < reading->told.size(); ++i) {
    Told& told = reading->told[i];
    const uint32_t row = told.event.value;
    if (reading->KindAt(row).part != Part::iterator || told.iterator == kNoInt) continue;
    const LabelId label = store.events.label[row];
    const EventRole role = store.labels[label.value].role;
    if (role == EventRole::device_iterator && told.parent_iterator != kNoInt) {
      found->device_roots.push_back(told.parent_iterator);
    }
    const int64_t start_ps = store.events.start_ps[row];
    const int64_t end_ps = SaturatingAdd(start_ps, store.events.duration_ps[row]);
    told.call = static_cast<uint32_t>(found->calls.size());
    found->calls.push_back({told.event,
                            {told.iterator, is_natural[i] != 0},
                            label,
                            start_ps,
                            end_ps,
                            role == EventRole::root_iterator});
  }
}

void FindCallsAround(Reading* reading) {
  for (const uint32_t place : reading->outer_first) {
    Told& told = reading->told[place];
    told.in_call = told.call;
    if (told.call == IteratorCall::kNone && told.around != IteratorCall::kNone) {
      told.in_call = reading->told[told.around].in_call;
    }
  }
}

// Element numbers may begin anew in every iterator: where the event does not tell the iterator, it
// is the one that takes the element there.
void FindConsumers(const IteratorCalls& found, Reading* reading) {
  const Column<int64_t>& start_ps = reading->store.events.start_ps;
  for (uint32_t i = 0; i < reading->told.size(); ++i) {
    const Told& told = reading->told[i];
    const Kind kind = reading->KindAt(told.event.value);
    if (kind.part != Part::consumes || told.in_call == IteratorCall::kNone ||
        told.element == kNoInt)
      continue;
    const int64_t iterator =
        told.iterator != kNoInt ? told.iterator : found.calls[told.in_call].iterator.bits;
    const auto [at, added] = reading->consumers.try_emplace({kind.of, iterator, told.element}, i);
    const EventId known = reading->told[at->second].event;
    if (!added && start_ps[told.event.value] < start_ps[known.value]) at->second = i;
  }
}

// The call that takes what a call makes within an event XProduce; none: that is not told.
uint32_t TakerOf(const Reading& reading, const Told& produces, const Told& made) {
  const int64_t iterator = produces.iterator != kNoInt ? produces.iterator : made.parent_iterator;
  const Kind kind = reading.KindAt(produces.event.value);
  const auto taken = reading.consumers.find({kind.of, iterator, produces.element});
  return taken == reading.consumers.end() ? IteratorCall::kNone
                                          : reading.told[taken->second].in_call;
}

void SetParents(const Reading& reading, std::vector<IteratorCall>* calls) {
  // By place: the innermost call or XProduce, it or around it.
  std::vector<uint32_t> giver(reading.told.size(), IteratorCall::kNone);
  for (const uint32_t place : reading.outer_first) {
    const Told& told = reading.told[place];
    const uint32_t outer =
        told.around == IteratorCall::kNone ? IteratorCall::kNone : giver[told.around];
    const bool produces = reading.KindAt(told.event.value).part == Part::produces;
    giver[place] = told.call != IteratorCall::kNone || produces ? place : outer;
    if (told.call == IteratorCall::kNone || outer == IteratorCall::kNone ||
        (*calls)[told.call].is_root)
      continue;
    const Told& around = reading.told[outer];
    const uint32_t taker =
        around.call == IteratorCall::kNone ? TakerOf(reading, around, told) : IteratorCall::kNone;
    (*calls)[told.call].parent = taker != IteratorCall::kNone ? taker : around.in_call;
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
