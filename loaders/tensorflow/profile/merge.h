// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_set>

#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// What profiles told that were loaded before this one.
struct EarlierProfiles {
  size_t nodes = 0;
  size_t rows_begun = 0;
  EventId rows_end;
  std::unordered_set<uint64_t> places;  // where nodes ran: lane and step
};
EarlierProfiles FindEarlier(const StoreBuilder& store);

// Whether a profile that is loaded now is of the same run: at least half of the nodes of the
// smaller side are on the other, with the same type, and no device has run the same step before.
// Who opens the same run twice would count it twice, so that is refused, too.
// `own_nodes`: of the file; `shared_nodes`: those of them that were known. Error: usage.
Result<void> CheckOneRun(const EarlierProfiles& earlier, size_t own_nodes, size_t shared_nodes,
                         StoreBuilder& store, const SourceFile& file);

}  // namespace tfprof
