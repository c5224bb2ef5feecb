// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "analysis/chosen_events.h"
#include "core/report/refine.h"
#include "views/events/event_columns.h"

// The selection and order of rows in a table of events.

namespace tfprof {

// The events that pass all filters, by lane and start.
struct ReadingEvents {
  EventFacts facts;
  std::vector<LaneId> lanes;
  ChosenEvents of_groups;            // all: no -step, or steps of the store
  std::vector<bool> steps_selected;  // by step of the store; empty: all
  Table tested;                      // the columns that -where reads
  RowTest test;                      // of -where, on `tested`
  size_t lane = 0;                   // lane of the next row
  uint32_t row = 0;                  // index in that lane
  std::vector<uint32_t> chosen;      // if ordered: all rows, in order
  bool is_chosen = false;
  size_t next_chosen = 0;
  Table block;
};
using ReadingPtr = std::shared_ptr<ReadingEvents>;

// Returns the next rows as Report::blocks does. `state`: a Reading. Errors: cancelled, corrupt.
// Set Reading::chosen to the `max` best rows by a column, or to the first ones. Return the number
// of rows that pass. Errors: cancelled, corrupt.
Result<const Table*> NextBlock(ReadingEvents* events, Context& context);

Result<int64_t> ChooseBest(const std::string& order, size_t max, ReadingEvents* reading,
                           TextPool* pool, Context& context);
Result<int64_t> ChooseFirst(size_t max, ReadingEvents* reading, Context& context);

}  // namespace tfprof
