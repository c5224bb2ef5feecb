// SPDX-License-Identifier: Apache-2.0
#include "core/store/allocations.h"

#include <algorithm>

namespace tfprof {

Result<std::vector<Allocation>> ReadAllocations(const Store& store, Context& context) {
  constexpr size_t kPlacesAtOnce = 1 << 13;
  std::vector<Allocation> allocations;
  for (const Source& source : store.sources) {
    const std::span<const AllocationPlace> places =
        store.allocation_places.Rows(source.allocations.first, source.allocations.count);
    for (size_t at = 0; at < places.size(); at += kPlacesAtOnce) {
      TFPROF_TRY(Poll(context));
      const size_t count = std::min(kPlacesAtOnce, places.size() - at);
      TFPROF_TRY(source.details.allocations(store, places.subspan(at, count), &allocations));
    }
  }
  return allocations;
}

}  // namespace tfprof
