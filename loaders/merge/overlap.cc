// SPDX-License-Identifier: Apache-2.0
#include "loaders/merge/overlap.h"

#include <fmt/core.h>

namespace tfprof {

Result<void> CheckOverlap(const Overlap& overlap, const SourceFile& file, StoreBuilder& store) {
  const bool has_graph = store.node_count() > 0 && store.node(NodeId(0)).defined;
  if (!has_graph || !overlap.Few()) return {};
  if (overlap.shared == 0 && overlap.own > 1) {  // a single one may differ by chance
    return Fail(ErrorKind::usage,
                fmt::format("the files are of different programs: none of the {} {} in this file "
                            "matches a node of the other files",
                            overlap.own, overlap.what),
                file.path, "open them separately");
  }
  if (overlap.few != nullptr) {
    store.AddNote(*overlap.few, file.path, kNoInt, overlap.own - overlap.shared);
  }
  return {};
}

}  // namespace tfprof
