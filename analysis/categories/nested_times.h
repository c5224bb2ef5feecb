// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// True if a recorder gives categories to its events.
bool HasCategories(const Store& store);

// An index. For lanes whose events may overlap partly, as regions do that are entered in one
// function and left in another: every instant of a lane belongs to one event, so self times add up
// to the busy time of the lane.
struct NestedTimes {
  Column<int64_t> self_ps;  // by event; of lanes with instants: 0
  Column<EventId> around;   // by event: the innermost one of its lane that contains it; or none

  // Events are in order of start; of equal starts the longest is the outermost one, then an
  // annotation is, then a call of Python, then an operation, then what is first in the file. The
  // last in that order that has not ended is innermost.
  static Result<NestedTimes> Build(const Store& store, Context& context);
};

}  // namespace tfprof
