// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "analysis/intervals/nesting.h"
#include "analysis/place.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/wall_time.h"
#include "core/base/arith.h"
#include "views/events/event_columns.h"

namespace tfprof {
namespace {

struct Filling {
  EventFacts& facts;
  std::span<const uint32_t> rows;
  std::vector<LaneId> lanes;  // lanes of `rows`
};

const Lane& LaneAt(const Filling& filling, size_t i) {
  return filling.facts.store->lanes[filling.lanes[i].value];
}

std::string_view RanAsOf(const Store& store, uint32_t row) {
  const NodeId node = store.labels[store.events.label[row].value].node;
  return node.some() ? store.Text(KernelTypeOf(store, node)) : std::string_view();
}

std::string_view PlaceText(const Filling& filling, size_t i, EventFact fact) {
  const Store& store = *filling.facts.store;
  const Lane& lane = LaneAt(filling, i);
  if (fact == EventFact::ran_as) return RanAsOf(store, filling.rows[i]);
  if (fact == EventFact::line) return store.Text(lane.display);
  if (!lane.process.some()) return {};
  const Process& process = store.processes[lane.process.value];
  if (fact == EventFact::plane) return store.Text(process.name);
  return HostName(store, process.host);
}

void MeasureLane(const Store& store, LaneId id, EventFacts* facts) {
  facts->self_lane = id;
  const Lane& lane = store.lanes[id.value];
  if (lane.nesting == Nesting::parallel) {
    facts->lane_self.clear();
    return;
  }
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  SelfTimes(store, nesting, &facts->lane_self);
}

// Records that may overlap in any way do not nest: all their time is self time.
int64_t SelfPs(const Filling& filling, size_t i) {
  EventFacts& facts = filling.facts;
  const Store& store = *facts.store;
  const uint32_t row = filling.rows[i];
  if (!facts.self_ps.empty()) return facts.self_ps[row];
  if (facts.self_lane != filling.lanes[i]) MeasureLane(store, filling.lanes[i], &facts);
  const Lane& lane = LaneAt(filling, i);
  const uint32_t first = lane.PlacedRows().first;
  const bool nests = row >= first && !facts.lane_self.empty();
  return nests ? facts.lane_self[row - first] : store.events.duration_ps[row];
}

int64_t StepNumber(const Filling& filling, size_t i) {
  const EventFacts& facts = filling.facts;
  const uint32_t row = filling.rows[i];
  if (facts.groups != nullptr && !facts.groups->of_event.empty()) {
    const uint32_t group = facts.groups->of_event[row];
    return group == EventGroups::kNone ? kNoInt : facts.groups->groups[group].number;
  }
  const StepId step = StepOf(*facts.store, LaneAt(filling, i), row);
  return step.some() ? facts.store->steps[step.value].number : kNoInt;
}

int64_t IntegerOf(const Filling& filling, size_t i, EventFact fact) {
  const Events& events = filling.facts.store->events;
  const uint32_t row = filling.rows[i];
  switch (fact) {
    case EventFact::offset: return SinceFirst(filling.facts.first_ps, events.start_ps[row]);
    case EventFact::duration: return events.duration_ps[row];
    case EventFact::self: return SelfPs(filling, i);
    case EventFact::step: return StepNumber(filling, i);
    default: return int64_t{row};
  }
}

// Texts of numbers live as long as the block.
std::string_view AttributeText(const DetailColumn& column, uint32_t row, EventFacts* facts) {
  char digits[32];
  switch (column.Kind(row)) {
    case ValueKind::absent: return {};
    case ValueKind::text:
    case ValueKind::bytes: return column.Text(row);
    case ValueKind::integer: return facts->texts.emplace_back(std::to_string(column.Integer(row)));
    case ValueKind::natural: return facts->texts.emplace_back(std::to_string(column.Bits(row)));
    case ValueKind::real: break;
  }
  const auto end = std::to_chars(digits, digits + sizeof digits, column.Real(row)).ptr;
  return facts->texts.emplace_back(digits, static_cast<size_t>(end - digits));
}

void FillAttribute(const EventColumn& column, const Filling& filling, ReportColumn* cells) {
  for (size_t i = 0; i < filling.rows.size(); ++i) {
    const uint32_t row = filling.rows[i];
    const ProcessId process = LaneAt(filling, i).process;
    const DetailColumn* of = process.some() ? column.of_process[process.value].get() : nullptr;
    const bool recorded = of != nullptr && of->rows.count > 0;
    if (column.spec.type == CellType::integer) {
      cells->integers.push_back(recorded ? of->Integer(row) : kNoInt);
    } else if (column.spec.type == CellType::real) {
      cells->reals.push_back(recorded ? of->Real(row) : kNoReal);
    } else {
      cells->texts.push_back(recorded ? AttributeText(*of, row, &filling.facts)
                                      : std::string_view());
    }
  }
}

void FillKnown(const EventColumn& column, const Filling& filling, ReportColumn* cells) {
  const Store& store = *filling.facts.store;
  for (size_t i = 0; i < filling.rows.size(); ++i) {
    const uint32_t row = filling.rows[i];
    if (column.fact == EventFact::name) {
      cells->texts.push_back(store.Text(store.labels[store.events.label[row].value].name));
    } else if (column.spec.type == CellType::text) {
      cells->texts.push_back(PlaceText(filling, i, column.fact));
    } else if (column.spec.type == CellType::real) {
      cells->reals.push_back(WallMicros(store, store.events.start_ps[row]));
    } else {
      cells->integers.push_back(IntegerOf(filling, i, column.fact));
    }
  }
}

}  // namespace

StepId StepOf(const Store& store, const Lane& lane, uint32_t row) {
  const auto runs = store.step_runs.Rows(lane.step_runs.first, lane.step_runs.count);
  const auto after = std::ranges::upper_bound(runs, row, {}, &StepRun::first_row);
  return after == runs.begin() ? StepId() : (after - 1)->step;
}

Result<void> FillRows(std::span<const uint32_t> rows, EventFacts* facts, Table* table,
                      Context& context) {
  TFPROF_TRY(Poll(context));
  Filling filling{*facts, rows, {}};
  filling.lanes.reserve(rows.size());
  for (const uint32_t row : rows) filling.lanes.push_back(LaneOf(*facts->store, EventId(row)));
  table->rows = rows.size();
  for (ReportColumn& cells : table->columns) {
    cells.integers.clear();
    cells.reals.clear();
    cells.texts.clear();
    const EventColumn& column = *facts->Find(cells.spec.id);
    if (column.fact == EventFact::attribute) {
      FillAttribute(column, filling, &cells);
    } else {
      FillKnown(column, filling, &cells);
    }
  }
  return {};
}

Result<void> MeasureAll(EventFacts* facts, Context& context) {
  const Store& store = *facts->store;
  Column<int64_t> self_ps;
  self_ps.Resize(store.EventCount());
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    TFPROF_TRY(Poll(context));
    const Lane& lane = store.lanes[i];
    MeasureLane(store, LaneId(i), facts);
    const uint32_t first = lane.PlacedRows().first;
    for (const uint32_t row : lane.rows) {
      const bool nests = row >= first && !facts->lane_self.empty();
      self_ps[row] = nests ? facts->lane_self[row - first] : store.events.duration_ps[row];
    }
  }
  facts->self_ps = std::move(self_ps);
  return {};
}

}  // namespace tfprof
