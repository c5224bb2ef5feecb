// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "analysis/chosen_events.h"
#include "core/report/where.h"
#include "views/events/event_columns.h"

// Which events a table of them has, and in what order.

namespace tfprof {

// The events that pass all filters, by lane and start.
struct Reading {
  EventFacts facts;
  std::vector<LaneId> lanes;
  ChosenEvents of_groups;         // all: no -step, or steps of the store
  std::vector<bool> steps_asked;  // by step of the store; empty: all
  Table tested;                   // the columns that -where asks
  std::vector<CellTest> tests;    // of `tested`
  size_t lane = 0;                // the next row
  uint32_t row = 0;               // ... of it
  std::vector<uint32_t> chosen;   // with an order: all rows, in it
  bool is_chosen = false;
  size_t next_chosen = 0;
  Table block;
};
using ReadingPtr = std::shared_ptr<Reading>;

// The next rows as Report::blocks. `state`: a Reading. Errors: cancelled, corrupt.
Result<const Table*> NextBlock(void* state, Context& context);

// Sets Reading::chosen to the best `most` of an order by a column, or to the first ones; returns
// how many there are. Errors: cancelled, corrupt.
Result<int64_t> ChooseBest(const std::string& order, size_t most, Reading* reading, TextPool* pool,
                           Context& context);
Result<int64_t> ChooseFirst(size_t most, Reading* reading, Context& context);

}  // namespace tfprof
