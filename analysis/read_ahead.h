// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"

namespace tfprof {

// The keys that a query needs of the events of threads and of devices.
struct EventKeys {
  DetailKeys of_hosts;
  DetailKeys of_devices;
};

// Reads the keys for the processes of the selected places in one pass: one pass for one key costs
// nearly as much as for many. Keys that are not read here are read when needed. Errors: those of
// Indexes::Details.
Result<void> ReadAhead(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       const EventKeys& keys, Context& context);

}  // namespace tfprof
