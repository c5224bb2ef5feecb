// SPDX-License-Identifier: Apache-2.0
#include "views/events/event_columns.h"

#include <algorithm>
#include <charconv>

#include "views/nesting.h"
#include "views/place.h"
#include "views/wall_time.h"

namespace tfprof {
namespace {

// ---- which columns ------------------------------------------------------------------------------

struct KnownColumn {
  EventFact fact;
  const char* id;
  const char* title;
  CellType type;
  Unit unit;
  bool people;
  const char* meaning;
};
constexpr KnownColumn kKnown[] = {
    {EventFact::host, "host", "host", CellType::text, Unit::none, false, "The machine."},
    {EventFact::name, "name", "name", CellType::text, Unit::none, true, "What ran."},
    {EventFact::offset, "offset_us", "start", CellType::integer, Unit::ps_as_us, true,
     "Its start, from the first start of the profile."},
    {EventFact::duration, "duration_us", "duration", CellType::integer, Unit::ps_as_us, true,
     "How long it took."},
    {EventFact::self, "self_us", "self", CellType::integer, Unit::ps_as_us, true,
     "The same without the events directly within it."},
    {EventFact::step, "step", "step", CellType::integer, Unit::none, true,
     "The number of its step."},
    {EventFact::line, "line", "line", CellType::text, Unit::none, true,
     "The thread, stream or device."},
    {EventFact::plane, "plane", "plane", CellType::text, Unit::none, true,
     "What the line is part of, as the file names it."},
    {EventFact::start, "start_us", "start", CellType::real, Unit::us, false,
     "Its start, us of wall time."},
    {EventFact::event, "event", "event", CellType::integer, Unit::none, false,
     "Its number in the profile."},
};

bool AnyStep(const Store& store) { return !store.steps.empty(); }

EventColumn KnownOf(const KnownColumn& known) {
  EventColumn column;
  column.fact = known.fact;
  column.spec.id = known.id;
  column.spec.title = known.title;
  column.spec.type = known.type;
  column.spec.unit = known.unit;
  column.spec.people = known.people;
  column.spec.meaning = known.meaning;
  return column;
}

// What a column of an attribute has to hold.
struct Kinds {
  bool any = false, text = false, real = false, beyond = false;
};

void Look(const DetailColumn& column, Kinds* kinds) {
  for (size_t i = 0; i < column.kind.size(); ++i) {
    const auto kind = static_cast<ValueKind>(column.kind[i]);
    kinds->any |= kind != ValueKind::absent;
    kinds->text |= kind == ValueKind::text || kind == ValueKind::bytes;
    kinds->real |= kind == ValueKind::real;
    const bool is_large = kind == ValueKind::natural && column.bits[i] >> 63 != 0;
    const bool is_absent_number =
        kind == ValueKind::integer && static_cast<int64_t>(column.bits[i]) == kNoInt;
    kinds->beyond |= is_large || is_absent_number;
  }
}

// Numbers beyond 64 bits with a sign, which are identifiers, and mixtures are texts.
CellType TypeFor(const Kinds& kinds) {
  if (kinds.text || kinds.beyond) return CellType::text;
  return kinds.real ? CellType::real : CellType::integer;
}

Result<Kinds> ReadAttribute(const Store& store, const Indexes& indexes, const Query& query,
                            EventColumn* column, Context& context) {
  Kinds kinds;
  column->of_process.resize(store.processes.size());
  for (size_t i = 0; i < store.processes.size(); ++i) {
    if (!InPlace(store, store.processes[i], query)) continue;
    TFPROF_ASSIGN(column->of_process[i], indexes.Details(ProcessId(i), column->spec.id, context));
    Look(*column->of_process[i], &kinds);
  }
  column->spec.title = column->spec.id;
  column->spec.type = TypeFor(kinds);
  column->spec.meaning = "The attribute of that name.";
  return kinds;
}

struct Asked {
  std::string id;
  bool shown = true;
};

std::vector<Asked> ColumnsAsked(const Store& store, const Query& query) {
  std::vector<Asked> asked;
  const auto add = [&](const std::string& id, bool shown) {
    const bool known =
        std::any_of(asked.begin(), asked.end(), [&](const Asked& a) { return a.id == id; });
    if (!known && !id.empty()) asked.push_back({id, shown});
  };
  for (const std::string& id : query.columns) add(id, true);
  for (const KnownColumn& column : kKnown) {
    const bool there = column.fact != EventFact::step || AnyStep(store);
    if (query.columns.empty() && there) add(column.id, true);
  }
  for (const Where& term : query.where) add(term.column, false);
  add(query.order_column, false);
  return asked;
}

// ---- cells --------------------------------------------------------------------------------------

struct Filling {
  EventFacts& facts;
  std::span<const uint32_t> rows;
  std::vector<LaneId> lanes;  // of `rows`
};

const Lane& LaneAt(const Filling& filling, size_t i) {
  return filling.facts.store->lanes[filling.lanes[i].value];
}

std::string_view PlaceText(const Filling& filling, size_t i, EventFact fact) {
  const Store& store = *filling.facts.store;
  const Lane& lane = LaneAt(filling, i);
  if (fact == EventFact::line) return store.Text(lane.display);
  if (!lane.process.some()) return {};
  const Process& process = store.processes[lane.process.value];
  if (fact == EventFact::plane) return store.Text(process.name);
  return process.host.some() ? store.Text(store.hosts[process.host.value].name)
                             : std::string_view();
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

// Where records overlap freely none lies within another: all time is its own.
int64_t SelfPs(const Filling& filling, size_t i) {
  EventFacts& facts = filling.facts;
  const Store& store = *facts.store;
  const uint32_t row = filling.rows[i];
  if (!facts.self_ps.empty()) return facts.self_ps[row];
  if (facts.self_lane != filling.lanes[i]) MeasureLane(store, filling.lanes[i], &facts);
  const Lane& lane = LaneAt(filling, i);
  const uint32_t first = lane.rows.first + lane.unplaced;
  const bool nests = row >= first && !facts.lane_self.empty();
  return nests ? std::max<int64_t>(0, facts.lane_self[row - first]) : store.events.duration_ps[row];
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
    case EventFact::offset:
      return SinceFirst(filling.facts.first_ps, events.start_ps[row]);
    case EventFact::duration:
      return events.duration_ps[row];
    case EventFact::self:
      return SelfPs(filling, i);
    case EventFact::step:
      return StepNumber(filling, i);
    default:
      return int64_t{row};
  }
}

// Texts of numbers are made for the block.
std::string_view AttributeText(const DetailColumn& column, uint32_t row, EventFacts* facts) {
  const uint64_t bits = column.bits[row - column.rows.first];
  char digits[32];
  switch (column.Kind(row)) {
    case ValueKind::absent:
      return {};
    case ValueKind::text:
    case ValueKind::bytes:
      return column.Text(row);
    case ValueKind::integer:
      return facts->texts.emplace_back(std::to_string(static_cast<int64_t>(bits)));
    case ValueKind::natural:
      return facts->texts.emplace_back(std::to_string(bits));
    case ValueKind::real:
      break;
  }
  const auto end = std::to_chars(digits, digits + sizeof digits, column.Real(row)).ptr;
  return facts->texts.emplace_back(digits, static_cast<size_t>(end - digits));
}

void FillAttribute(const EventColumn& column, const Filling& filling, ReportColumn* cells) {
  for (size_t i = 0; i < filling.rows.size(); ++i) {
    const uint32_t row = filling.rows[i];
    const ProcessId process = LaneAt(filling, i).process;
    const DetailColumn* of = process.some() ? column.of_process[process.value].get() : nullptr;
    const bool told = of != nullptr && of->rows.count > 0;
    if (column.spec.type == CellType::integer) {
      cells->integers.push_back(told ? of->Integer(row) : kNoInt);
    } else if (column.spec.type == CellType::real) {
      cells->reals.push_back(told ? of->Real(row) : std::numeric_limits<double>::quiet_NaN());
    } else {
      cells->texts.push_back(told ? AttributeText(*of, row, &filling.facts) : std::string_view());
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
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), row,
                       [](uint32_t r, const StepRun& run) { return r < run.first_row; });
  return after == runs.begin() ? StepId() : (after - 1)->step;
}

Result<std::vector<EventColumn>> ChooseColumns(const StorePtr& store, const Indexes& indexes,
                                               const Query& query, Context& context) {
  std::vector<EventColumn> columns;
  for (const Asked& asked : ColumnsAsked(*store, query)) {
    const auto known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                    [&](const KnownColumn& k) { return k.id == asked.id; });
    EventColumn column;
    if (known != std::end(kKnown)) {
      column = KnownOf(*known);
    } else {
      column.spec.id = asked.id;
      TFPROF_ASSIGN(const Kinds kinds, ReadAttribute(*store, indexes, query, &column, context));
      if (!kinds.any) continue;
    }
    column.spec.shown = asked.shown;
    columns.push_back(std::move(column));
  }
  return columns;
}

Table EmptyTable(const EventFacts& facts, const std::vector<std::string>& ids) {
  Table table;
  table.name = "events";
  for (const EventColumn& column : facts.columns) {
    const bool wanted =
        ids.empty() || std::find(ids.begin(), ids.end(), column.spec.id) != ids.end();
    if (wanted) table.columns.push_back({column.spec});
  }
  return table;
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
    const uint32_t first = lane.rows.first + lane.unplaced;
    for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
      const bool nests = row >= first && !facts->lane_self.empty();
      self_ps[row] = nests ? std::max<int64_t>(0, facts->lane_self[row - first])
                           : store.events.duration_ps[row];
    }
  }
  facts->self_ps = std::move(self_ps);
  return {};
}

}  // namespace tfprof
