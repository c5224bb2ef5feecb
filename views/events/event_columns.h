// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/grouping/event_groups.h"
#include "core/query/query.h"
#include "core/report/report.h"

// The columns of the table of events, filled for any rows of the store.

namespace tfprof {

enum class EventFact : uint8_t {
  host,
  plane,
  line,
  name,
  ran_as,
  offset,
  duration,
  self,
  step,
  start,
  event,
  attribute,
};

struct EventColumn {
  ColumnSpec spec;
  EventFact fact = EventFact::attribute;
  std::vector<IndexPtr<DetailColumn>>
      of_process;  // of attributes, by ProcessId; null: not selected
};

// Returns the id of the column with that id, former id or heading, in this order; `original`:
// former ids come first. Otherwise returns `name`, an attribute.
std::string EventColumnId(const std::string& name, bool original);

// The input of columns. Outlives the tables.
struct EventFacts {
  StorePtr store;
  std::vector<EventColumn> columns;
  int64_t first_ps = 0;
  IndexPtr<EventGroups> groups;    // null: the store has its own steps, or no step is selected
  Column<int64_t> self_ps;         // by event; empty: computed lane by lane on demand
  LaneId self_lane;                // the lane of lane_self
  std::vector<int64_t> lane_self;  // self times of self_lane, by placed row
  std::deque<std::string> texts;   // own texts of the block's cells

  const EventColumn* Find(std::string_view id) const {
    for (const EventColumn& column : columns) {
      if (column.spec.id == id) return &column;
    }
    return nullptr;
  }
};

// Returns the columns of `query`: the selected ones in their order, then those that -where and
// -order_by need, not shown. Without -columns, all except attributes. Unknown columns are left out.
// Errors: cancelled, corrupt.
Result<std::vector<EventColumn>> ChooseColumns(const StorePtr& store, const Indexes& indexes,
                                               const Query& query, Context& context);

// Returns a table of these columns, without rows.
Table EmptyTable(const EventFacts& facts, const std::vector<std::string>& ids);
// Makes `rows` the rows of a table of some of the columns. Error: cancelled.
Result<void> FillRows(std::span<const uint32_t> rows, EventFacts* facts, Table* table,
                      Context& context);

// Returns the step of an event; none: it is in no step of the store.
StepId StepOf(const Store& store, const Lane& lane, uint32_t row);

// Computes self times of all events, for rows in any order. Error: cancelled.
Result<void> MeasureAll(EventFacts* facts, Context& context);

}  // namespace tfprof
