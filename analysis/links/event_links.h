// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// Which event made another one run, told by numbers that both have.
enum class LinkKind : uint8_t {
  launch,     // a call on the host -> what it started on a device: equal `correlation`
  hand_over,  // producer -> consumer: equal type and number
  iteration,  // the executor of a step -> its operation that fetches the input: equal `id` and
              // `iter_num`
};

// An index. Rows of one table, sorted by `to`; the links to one event by kind, then by `from`. An
// event has at most one link of the kinds launch and iteration to it.
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
  // The first link to `row` or to a later one.
  size_t FirstTo(uint32_t row) const {
    return static_cast<size_t>(std::lower_bound(to.begin(), to.end(), EventId(row)) - to.begin());
  }

  // The links between events of one host; numbers of different hosts mean nothing to each other. Of
  // several events that could have launched one, the last one that began before it counts, else the
  // first of them. Lanes that were computed from others take no part. Cost: one pass over each of
  // the keys; hand-overs and iterations sort the events that have them. Error: cancelled.
  static Result<EventLinks> Build(const Indexes& indexes, Context& context);
};

}  // namespace tfprof
