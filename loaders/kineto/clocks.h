// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/store/builder.h"

namespace tfprof::kineto {

// The rows of a file of one rank, and when its collectives ended.
struct RankRows {
  int64_t rank = kNoInt;
  EventId first;
  size_t count = 0;
  std::map<std::string, std::vector<int64_t>> ends;  // ps, ascending; by name
};

// Adds the ends of those collectives that end at the same time on all ranks: of a reduction that
// all receive, but not of a broadcast. REQUIRES: the rows from `rows->first` on are the last ones.
void FindCollectiveEnds(const StoreBuilder& store, RankRows* rows);

// Moves the rows of ranks whose clock differs from that of the first one. The k-th collective of a
// name ends at the same time on all ranks that ran it equally often; the clocks differ by the
// median difference of these ends, unless it is not clearly larger than how much the differences
// vary. A note reports both.
void AlignClocks(const std::vector<RankRows>& ranks, StoreBuilder* store);

}  // namespace tfprof::kineto
