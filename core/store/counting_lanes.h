// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>

#include "core/base/column.h"
#include "core/base/ids.h"

namespace tfprof {

// The lanes whose work counts for graph nodes: at most one by the original's rules; for a trace,
// all lanes on which a node ran.
struct CountingLanes {
  struct Further {
    NodeId node;
    LaneId lane;
  };
  Column<LaneId> first;     // by node; none: it has no such lane
  Column<Further> further;  // the other lanes, ascending by node

  LaneId operator[](size_t node) const { return first[node]; }
  std::span<const Further> FurtherOf(NodeId node) const {
    if (further.empty()) return {};
    const auto less = [](const Further& a, NodeId b) { return a.node < b; };
    const Further* begin = std::lower_bound(further.begin(), further.end(), node, less);
    const Further* end = begin;
    while (end != further.end() && end->node == node) ++end;
    return {begin, end};
  }
  template <class Visit>
  void Each(NodeId node, Visit visit) const {
    if (first[node.value].some()) visit(first[node.value]);
    for (const Further& more : FurtherOf(node)) visit(more.lane);
  }
};

}  // namespace tfprof
