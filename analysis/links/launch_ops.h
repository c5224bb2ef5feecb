// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/links/event_links.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// Returns the host event that launched work of a device; none: not recorded.
EventId LaunchOf(const EventLinks& links, uint32_t row);

// Returns the first row of a stream that was launched while the recording ran, as the calls tell:
// streams are in order, so what begins before it was launched before. The first row, if no row has
// a launch.
uint32_t FirstLaunched(const EventLinks& links, const Lane& stream);

// The framework operations of hosts that launched work of devices.
struct LaunchOps {
  IndexPtr<EventLinks> links;
  // By link of the kind launch: the innermost operation that is the launch or encloses it on its
  // thread; kNoRow: none.
  std::vector<uint32_t> op;

  // Returns the row of the operation that launched the event of a device; kNoRow: unknown.
  uint32_t Around(uint32_t row) const;

  // An index. Cost: a pass over the events of threads that launched something. Error: cancelled.
  static Result<LaunchOps> Build(const Indexes& indexes, Context& context);
};

}  // namespace tfprof
