// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/wall/times.h"
#include "core/store/store.h"

namespace tfprof {

// Calls of the device's runtime with which the driving thread of a host waits for devices. Each
// leaves them without work, until the thread has launched some again.
struct DeviceWaits {
  int64_t recorded = 0;  // in the whole recording
  int64_t count = 0;     // of these, within the window of the wall time
  int64_t idle_ps = 0;   // short idle times of the first device in which such a wait ends
  // By their number, descending: the operations that wait, or the calls themselves outside of
  // operations; and the innermost functions of the program around them.
  std::vector<NamedAmount> calls, functions;
};

// Cost: one pass over the events of the thread.
DeviceWaits DeviceWaitsOf(const Store& store, const HostWall& wall);

}  // namespace tfprof
