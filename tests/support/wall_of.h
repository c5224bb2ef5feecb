// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <catch2/catch.hpp>
#include <string_view>

#include "analysis/indexes.h"
#include "analysis/wall/times.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// The wall time of a store with one host.
inline HostWall WallOf(const StorePtr& store) {
  Context context;
  const Indexes indexes(store);
  const auto times = indexes.Get<WallTimes>(context).value();
  REQUIRE(times->hosts.size() == 1);
  return times->hosts[0];
}

// The us of the parts of a kind; only of those with the name, if there is one.
inline int64_t MicrosOf(const HostWall& wall, WallKind kind, std::string_view name = "") {
  int64_t ps = 0;
  for (const WallPart& part : wall.parts) {
    if (part.kind == kind && (name.empty() || part.name == name)) ps += part.ps;
  }
  return ps / kPsPerUs;
}

}  // namespace tfprof
