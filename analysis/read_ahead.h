// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"

namespace tfprof {

// The keys that a question asks of the events of threads and of devices.
struct EventKeys {
  DetailKeys of_hosts;
  DetailKeys of_devices;
};

// Reads the keys of the processes of the asked places, so that each event is gone to once for all
// of them: a walk for one key costs nearly what one for many does. A key that is not read here is
// read when it is asked for. The group of hosts' events is left out where devices tell the steps
// and none was chosen: then nobody asks it. Errors: those of Indexes::Details.
Result<void> ReadAhead(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       const EventKeys& keys, Context& context);

}  // namespace tfprof
