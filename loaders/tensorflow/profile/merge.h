// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_set>

#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// State of the profiles loaded before this one.
struct EarlierProfiles {
  size_t nodes = 0;
  size_t rows_begun = 0;
  EventId rows_end;
  std::unordered_set<uint64_t> places;  // lane and step where nodes ran
};
EarlierProfiles FindEarlier(const StoreBuilder& store);

// Checks that a profile is of the same run as the earlier ones: at least half of the nodes of the
// smaller side are in the other, with the same type, and no device ran the same step before.
// Opening the same run twice would count it twice, so that is refused, too. `own_nodes`: nodes of
// the file; `shared_nodes`: those that were known before. Error: usage.
Result<void> CheckOneRun(const EarlierProfiles& earlier, size_t own_nodes, size_t shared_nodes,
                         StoreBuilder& store, const SourceFile& file);

}  // namespace tfprof
