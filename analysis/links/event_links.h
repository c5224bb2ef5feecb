// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// Which event caused another one, by numbers that both record.
enum class LinkKind : uint8_t {
  launch,     // a call on the host -> the device event that it launched: equal `correlation`
  hand_over,  // producer -> consumer: equal type and number
  iteration,  // the executor of a step -> its operation that fetches the input: equal `id` and
              // `iter_num`
};

// An index. Rows of one table, sorted by `to`, then by kind, then by `from`. An event has at most
// one incoming link of the kinds launch and iteration.
struct EventLinks {
  Column<EventId> from;
  Column<EventId> to;
  Column<LinkKind> kind;
  std::vector<Note> notes;  // what could not be linked

  size_t size() const { return to.size(); }
  void Add(EventId from_event, EventId to_event, LinkKind of) {
    from.Push(from_event);
    to.Push(to_event);
    kind.Push(of);
  }
  // Returns the first link to `row` or a later row.
  size_t FirstTo(uint32_t row) const {
    return static_cast<size_t>(std::lower_bound(to.begin(), to.end(), EventId(row)) - to.begin());
  }

  // Returns the links between events of one host; numbers of different hosts are unrelated. Of
  // several possible launches of an event, the last one that started before it counts, else the
  // first one. Derived lanes are excluded. Cost: one pass over each key; hand-overs and iterations
  // sort the events that have them. Error: cancelled.
  static Result<EventLinks> Build(const Indexes& indexes, Context& context);
};

// An index. The links of the kind launch alone; they need one key of the events. Error: cancelled.
struct LaunchLinks {
  using Value = EventLinks;
  static Result<EventLinks> Build(const Indexes& indexes, Context& context);
};

}  // namespace tfprof
