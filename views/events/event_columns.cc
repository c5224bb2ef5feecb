// SPDX-License-Identifier: Apache-2.0
#include "views/events/event_columns.h"

#include <algorithm>
#include <iterator>

#include "analysis/place.h"
#include "core/report/table_def.h"

namespace tfprof {
namespace {

// ---- columns ------------------------------------------------------------------------------------

constexpr ColumnDef kEventsColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("name", "name", "Name of the event."),
    TextDef("ran_as", "ran as", "Operation type of the kernel, if it is not that of the node."),
    TimeDef("start_us", "start", "Start, from time 0 of the profile.").Was("offset_us"),
    TimeDef("duration_us", "duration", "Duration."),
    TimeDef("self_us", "self", "Duration minus the events directly inside it."),
    IntegerDef("step", "step", Unit::none, "Step number."),
    TextDef("track", "line", "Thread, stream or device.").Was("line"),
    TextDef("process", "plane", "Process or device of the track, as recorded.")
        .Was("plane")
        .Droppable(),
    RealDef("original_start_us", "start_us", Unit::us, "Start, us of wall time.")
        .Was("start_us")
        .ForOriginal(),
    IntegerDef("event", "event", Unit::none, "Event number in the profile.").ForMachines(),
};
// In the order of kEventsColumns.
constexpr EventFact kFacts[] = {EventFact::host,   EventFact::name,     EventFact::ran_as,
                                EventFact::offset, EventFact::duration, EventFact::self,
                                EventFact::step,   EventFact::line,     EventFact::plane,
                                EventFact::start,  EventFact::event};
static_assert(std::size(kFacts) == std::size(kEventsColumns));
constexpr TableDef kEventsTable{"events", "", kEventsColumns};

EventColumn KnownOf(const ColumnDef& def) {
  EventColumn column;
  column.fact = kFacts[&def - kEventsColumns];
  column.spec = SpecOf(def);
  return column;
}

// The types that a column of an attribute must hold.
struct Kinds {
  bool any = false, text = false, real = false, beyond = false;
};

void Look(const DetailColumn& column, Kinds* kinds) {
  for (const uint32_t row : column.rows) {
    const ValueKind kind = column.Kind(row);
    kinds->any |= kind != ValueKind::absent;
    kinds->text |= kind == ValueKind::text || kind == ValueKind::bytes;
    kinds->real |= kind == ValueKind::real;
    const bool is_large = kind == ValueKind::natural && column.Bits(row) >> 63 != 0;
    const bool is_absent_number = kind == ValueKind::integer && column.Integer(row) == kNoInt;
    kinds->beyond |= is_large || is_absent_number;
  }
}

// Integers beyond signed 64 bits, which are identifiers, and mixed types become texts.
CellType TypeFor(const Kinds& kinds) {
  if (kinds.text || kinds.beyond) return CellType::text;
  return kinds.real ? CellType::real : CellType::integer;
}

Result<Kinds> ReadAttribute(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                            EventColumn* column, Context& context) {
  Kinds kinds;
  column->of_process.resize(store.processes.size());
  for (size_t i = 0; i < store.processes.size(); ++i) {
    if (!MatchesPlace(store, store.processes[i], place)) continue;
    TFPROF_ASSIGN(column->of_process[i],
                  indexes.Details(ProcessId(i), DetailKey::Named(column->spec.id), context));
    Look(*column->of_process[i], &kinds);
  }
  column->spec.title = column->spec.id;
  column->spec.type = TypeFor(kinds);
  column->spec.meaning = "Value of the attribute.";
  return kinds;
}

struct SelectedColumn {
  std::string id;
  bool shown = true;
};

std::vector<SelectedColumn> SelectedColumns(const Store& store, const Display& display) {
  std::vector<SelectedColumn> selected;
  const auto add = [&](const std::string& id, bool shown) {
    const bool known =
        std::ranges::any_of(selected, [&](const SelectedColumn& a) { return a.id == id; });
    if (!known && !id.empty()) selected.push_back({id, shown});
  };
  for (const std::string& id : display.columns) add(id, true);
  for (const ColumnDef& def : kEventsColumns) {
    const bool there =
        (def.id != "step" || !store.steps.empty()) && (def.id != "ran_as" || !store.ran_as.empty());
    if (display.columns.empty() && there) add(std::string(def.id), true);
  }
  EachTerm(display.where, [&](const Where& term) { add(term.column, false); });
  add(display.order_column, false);
  return selected;
}

}  // namespace

std::string EventColumnId(const std::string& name, bool original) {
  for (const ColumnDef& def : kEventsColumns) {
    if (original && def.original == name) return std::string(def.id);
  }
  if (const ColumnDef* def = kEventsTable.Find(name)) return std::string(def->id);
  for (const ColumnDef& def : kEventsColumns) {
    if (def.title == name) return std::string(def.id);
  }
  return name;
}

Result<std::vector<EventColumn>> ChooseColumns(const StorePtr& store, const Indexes& indexes,
                                               const Query& query, Context& context) {
  std::vector<EventColumn> columns;
  for (const SelectedColumn& selected : SelectedColumns(*store, query.display)) {
    EventColumn column;
    if (const ColumnDef* known = kEventsTable.Find(selected.id)) {
      column = KnownOf(*known);
    } else {
      column.spec.id = selected.id;
      TFPROF_ASSIGN(const Kinds kinds,
                    ReadAttribute(*store, indexes, query.place, &column, context));
      if (!kinds.any) continue;
    }
    column.spec.shown = selected.shown;
    columns.push_back(std::move(column));
  }
  return columns;
}

Table EmptyTable(const EventFacts& facts, const std::vector<std::string>& ids) {
  Table table = MakeTable(kEventsTable, 0);
  for (const EventColumn& column : facts.columns) {
    const bool wanted = ids.empty() || std::ranges::find(ids, column.spec.id) != ids.end();
    if (wanted) table.columns.emplace_back().spec = column.spec;
  }
  return table;
}

TableDefs EventsTables() { return {&kEventsTable}; }

}  // namespace tfprof
