// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "core/report/report.h"

// The columns of the table of events, filled for any rows of the store.

namespace tfprof {

enum class EventFact : uint8_t {
  host,
  plane,
  line,
  name,
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
  std::vector<IndexPtr<DetailColumn>> of_process;  // of attributes, by ProcessId; null: not asked
};

// The id of the column of that id, former id or heading, in this order; `original`: former ids
// come first. Else `name`: an attribute.
std::string EventColumnId(const std::string& name, bool original);

// What columns are filled from. Outlives the tables.
struct EventFacts {
  StorePtr store;
  std::vector<EventColumn> columns;
  int64_t first_ps = 0;
  IndexPtr<EventGroups> groups;    // null: the store has steps of its own, or none is asked
  Column<int64_t> self_ps;         // by event; empty: lane by lane, as they are asked
  LaneId self_lane;                // of which
  std::vector<int64_t> lane_self;  // these are, by placed row
  std::deque<std::string> texts;   // that cells of the block lie in

  const EventColumn* Find(std::string_view id) const {
    for (const EventColumn& column : columns) {
      if (column.spec.id == id) return &column;
    }
    return nullptr;
  }
};

// The columns of `query`: the asked ones in their order, then those that -where and -order_by need,
// not shown. Without -columns all that are not attributes. What is no column is left out. Errors:
// cancelled, corrupt.
Result<std::vector<EventColumn>> ChooseColumns(const StorePtr& store, const Indexes& indexes,
                                               const Query& query, Context& context);

// A table of these columns, without rows.
Table EmptyTable(const EventFacts& facts, const std::vector<std::string>& ids);
// Makes `rows` the rows of a table of some of the columns. Error: cancelled.
Result<void> FillRows(std::span<const uint32_t> rows, EventFacts* facts, Table* table,
                      Context& context);

// Of an event; none: it belongs to no step of the store.
StepId StepOf(const Store& store, const Lane& lane, uint32_t row);

// Self times of all events, for rows that are asked in any order. Error: cancelled.
Result<void> MeasureAll(EventFacts* facts, Context& context);

}  // namespace tfprof
