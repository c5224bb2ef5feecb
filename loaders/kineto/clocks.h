// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/store/builder.h"
#include "loaders/kineto/places.h"

namespace tfprof::kineto {

// A collective that the ranks of a group run together.
struct CollectiveName {
  std::string name;
  std::string group;  // as recorded; empty: not recorded
  auto operator<=>(const CollectiveName&) const = default;
};

struct CollectiveCall {
  int64_t end_ps = 0;
  int64_t duration_ps = 0;
};

using CollectiveCalls = std::map<CollectiveName, std::vector<CollectiveCall>>;

// The rows of a file of one rank, and its collectives.
struct RankRows {
  int64_t rank = kNoInt;
  EventId first;
  size_t count = 0;
  CollectiveCalls calls;
};

// Adds those collectives that end at the same time on all ranks: a reduction that all receive, but
// not a broadcast. `details`: where the arguments of each row are.
void FindCollectives(const StoreBuilder& store, const Places& places, const uint32_t* details,
                     RankRows* rows);

// Moves the rows of ranks whose clock differs from that of the first one that they share a process
// group with, or a chain of groups. The k-th collective of a name and group ends at the same time
// on all ranks that ran it equally often in all their files; the clocks differ by the median
// difference of these ends, unless it is not clearly larger than how much the differences vary.
// Where no groups are recorded, they must vary clearly less than the collectives last. A note
// reports both.
void AlignClocks(const std::vector<RankRows>& files, StoreBuilder* store);

}  // namespace tfprof::kineto
