// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string_view>

#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// Overlap of a file with the graph or profile loaded before it. Files of one program share node
// names, so a low overlap means that the files do not belong together.
struct Overlap {
  std::string_view what;  // the counted objects: "log entries"
  const NoteRow* few;     // the note if fewer than half are shared; null: the loader has one
  int64_t own = 0;
  int64_t shared = 0;

  bool Few() const { return shared < own - shared; }
};

// REQUIRES: no file of runs created nodes before the graph. Error: usage if there is a graph and a
// file of several objects shares none with it.
Result<void> CheckOverlap(const Overlap& overlap, const SourceFile& file, StoreBuilder& store);

// Returns true if `shared` nodes, with equal name and type, make two graphs one: at least half of
// the smaller one.
inline bool IsOneGraph(size_t shared, size_t nodes, size_t other_nodes) {
  return 2 * shared >= std::min(nodes, other_nodes);
}

}  // namespace tfprof
