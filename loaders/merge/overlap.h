// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string_view>

#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// Files of one program name the same nodes. How much of a file names nodes of the graph or profile
// that was loaded before it tells whether they belong together.
struct Overlap {
  std::string_view what;  // is counted: "log entries"
  std::string_view few;   // the note where fewer than half are shared; empty: the loader has one
  int64_t own = 0;
  int64_t shared = 0;

  bool Few() const { return shared < own - shared; }
};

// REQUIRES: no nodes were made by a file of runs before the graph.
// Error: usage, where there is a graph and nothing of several is shared with it.
Result<void> CheckOverlap(const Overlap& overlap, const SourceFile& file, StoreBuilder& store);

// Whether `shared` nodes, of the same name and type, make one graph of two: at least half of the
// smaller one.
inline bool IsOneGraph(size_t shared, size_t nodes, size_t other_nodes) {
  return 2 * shared >= std::min(nodes, other_nodes);
}

}  // namespace tfprof
