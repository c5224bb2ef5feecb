// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "analysis/chosen_events.h"
#include "analysis/nodes/accounting.h"
#include "analysis/place.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/step_selection.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "analysis/wall/inferred_steps.h"
#include "analysis/wall_time.h"
#include "core/report/column_names.h"
#include "views/events/event_rows.h"

namespace tfprof {
namespace {

Result<void> ChooseSteps(const Indexes& indexes, const PlaceFilter& place, ReadingEvents* reading,
                         Context& context) {
  const Store& store = *reading->facts.store;
  const bool has_column = reading->facts.Find("step") != nullptr;
  if (LacksNodes(store)) {
    if (place.step < 0 && !has_column) return {};
    TFPROF_ASSIGN(reading->facts.groups, GroupsOfSteps(indexes, place, context));
    TFPROF_ASSIGN(reading->of_groups, ChooseEvents(store, indexes, place, context));
    return {};
  }
  if (!place.SelectsSteps()) return {};
  for (const Step& step : store.steps) {
    reading->steps_selected.push_back(place.TakesStep(step.number));
  }
  return CheckStepOfProfile(store, place);
}

Result<void> PrepareTest(const Display& display, ReadingEvents* reading) {
  std::vector<std::string> ids;
  EachTerm(display.where, [&](const Where& term) { ids.push_back(term.column); });
  if (ids.empty()) return {};
  reading->tested = EmptyTable(reading->facts, ids);
  // Terms about other columns are reported later, with the table's columns.
  TFPROF_ASSIGN(reading->test, FitCondition(display.where, reading->tested));
  return {};
}

Result<ReadingPtr> Prepare(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context) {
  auto reading = std::make_shared<ReadingEvents>();
  reading->facts.store = store;
  TFPROF_ASSIGN(reading->facts.columns, ChooseColumns(store, indexes, query, context));
  reading->facts.first_ps = FirstStart(*store);
  const std::vector<bool> user_query = LanesMatchingPlace(*store, query.place);
  for (size_t i = 0; i < store->lanes.size(); ++i) {
    if (user_query[i]) reading->lanes.emplace_back(i);
  }
  TFPROF_TRY(ChooseSteps(indexes, query.place, reading.get(), context));
  TFPROF_TRY(PrepareTest(query.display, reading.get()));
  reading->block = EmptyTable(reading->facts, {});
  return reading;
}

bool HasAllSelected(const EventFacts& facts, const Display& display) {
  const auto has = [&](const std::string& id) { return id.empty() || facts.Find(id) != nullptr; };
  bool all = std::ranges::all_of(display.columns, has) && has(display.order_column);
  EachTerm(display.where, [&](const Where& term) { all = all && has(term.column); });
  return all;
}

// Whoever reads the table reports names that are neither a column nor an attribute, with the known
// ones.
Result<void> AddAllColumns(const StorePtr& store, const Indexes& indexes, EventFacts* facts,
                           Context& context) {
  TFPROF_ASSIGN(std::vector<EventColumn> all, ChooseColumns(store, indexes, {}, context));
  for (EventColumn& column : all) {
    if (facts->Find(column.spec.id) == nullptr) facts->columns.push_back(std::move(column));
  }
  return {};
}

}  // namespace

// With -n the rows are few: the first ones that pass, or the best ones by an order. Without it they
// come as Report::blocks, in any number. Errors: usage (a term of -where that does not fit, no such
// step), cancelled, corrupt (a file was truncated).
Result<Report> EventsView(const StorePtr& store, const Indexes& indexes, const Query& user_query,
                          Context& context) {
  Query query = user_query;
  NameColumns(
      [&](const std::string& name) { return EventColumnId(name, user_query.display.original_ids); },
      &query.display);
  Report report = NewReport("events", store);
  TFPROF_ASSIGN(const ReadingPtr reading, Prepare(store, indexes, query, context));
  if (!HasAllSelected(reading->facts, query.display)) {
    TFPROF_TRY(AddAllColumns(store, indexes, &reading->facts, context));
    report.tables.push_back(EmptyTable(reading->facts, {}));
    return report;
  }
  report.tables.push_back(EmptyTable(reading->facts, {}));
  const bool all = query.display.rows < 0;
  const size_t max = all ? store->EventCount() : static_cast<size_t>(query.display.rows);
  int64_t count = 0;
  if (!query.display.order_column.empty()) {
    TFPROF_ASSIGN(count, ChooseBest(query.display.order_column, max, reading.get(),
                                    report.pool.get(), context));
  } else if (!all) {
    TFPROF_ASSIGN(count, ChooseFirst(max, reading.get(), context));
  }
  if (all) {
    report.blocks = [reading](Context& reader) { return NextBlock(reading.get(), reader); };
    return report;
  }
  Table& table = report.tables[0];
  reading->block = Table();
  TFPROF_TRY(FillRows(reading->chosen, &reading->facts, &table, context));
  table.omitted_rows = count - static_cast<int64_t>(table.rows);
  // Texts of the table may lie in `reading`, so it lives as long as the pool.
  using Kept = std::pair<ReadingPtr, std::shared_ptr<TextPool>>;
  const auto kept = std::make_shared<Kept>(reading, report.pool);
  report.pool = {kept, kept->second.get()};
  return report;
}

}  // namespace tfprof
