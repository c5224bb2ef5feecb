// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/intervals/interval_set.h"
#include "core/store/store.h"

// When threads of a host do something.

namespace tfprof {

// The time in which other threads of the host than that one record anything, without those of input
// pipelines.
IntervalSet OtherThreads(const Store& store, const Process& host, LaneId but);

// The time in which an input pipeline works for the program, on any thread of the host.
IntervalSet FetchingOn(const Store& store, const Process& host);

}  // namespace tfprof
