// SPDX-License-Identifier: Apache-2.0
#include "views/events/event_columns.h"

#include <algorithm>

#include "analysis/place.h"

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
    {EventFact::start, "start_us", "start_us", CellType::real, Unit::us, false,
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
  column.spec.spare = known.fact == EventFact::plane;
  column.spec.meaning = known.meaning;
  return column;
}

// What a column of an attribute has to hold.
struct Kinds {
  bool any = false, text = false, real = false, beyond = false;
};

void Look(const DetailColumn& column, Kinds* kinds) {
  for (uint32_t row = column.rows.first; row < column.rows.first + column.rows.count; ++row) {
    const ValueKind kind = column.Kind(row);
    kinds->any |= kind != ValueKind::absent;
    kinds->text |= kind == ValueKind::text || kind == ValueKind::bytes;
    kinds->real |= kind == ValueKind::real;
    const bool is_large = kind == ValueKind::natural && column.Bits(row) >> 63 != 0;
    const bool is_absent_number = kind == ValueKind::integer && column.Integer(row) == kNoInt;
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

}  // namespace

std::string EventColumnId(const std::string& name) {
  std::string id = name;
  for (const KnownColumn& column : kKnown) {
    if (column.id == name) return name;
    if (column.title == name && id == name) id = column.id;
  }
  return id;
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
    if (wanted) table.columns.emplace_back().spec = column.spec;
  }
  return table;
}

}  // namespace tfprof
