// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "core/base/context.h"
#include "core/base/ids.h"

// Events of which one may have made another one run. A piece of EventLinks::Build.

namespace tfprof {

// An event and what links it.
struct LinkEnd {
  int64_t number = 0;
  uint32_t type = 0;  // of numbers; those of different types have nothing in common
  EventId event;

  bool SameAs(const LinkEnd& other) const { return type == other.type && number == other.number; }
};
using LinkEnds = std::vector<LinkEnd>;

// By type and number; equal ones stay by row.
void SortEnds(LinkEnds* ends);

// Calls match(froms, tos) for each number that both have.
template <class Match>
Result<void> EachPair(LinkEnds* from, LinkEnds* to, Context& context, Match match) {
  SortEnds(from);
  SortEnds(to);
  const auto is_before = [](const LinkEnd& a, const LinkEnd& b) {
    return std::tie(a.type, a.number) < std::tie(b.type, b.number);
  };
  size_t polls = 0;
  for (size_t f = 0, t = 0; f < from->size() && t < to->size();) {
    if (++polls % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (is_before((*from)[f], (*to)[t])) {
      ++f;
    } else if (is_before((*to)[t], (*from)[f])) {
      ++t;
    } else {
      size_t f_end = f, t_end = t;
      while (f_end < from->size() && (*from)[f_end].SameAs((*from)[f])) ++f_end;
      while (t_end < to->size() && (*to)[t_end].SameAs((*to)[t])) ++t_end;
      match(std::span(*from).subspan(f, f_end - f), std::span(*to).subspan(t, t_end - t));
      f = f_end;
      t = t_end;
    }
  }
  return {};
}

}  // namespace tfprof
