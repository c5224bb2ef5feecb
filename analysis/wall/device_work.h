// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/interval_set.h"
#include "analysis/wall/loop/executions.h"
#include "core/store/store.h"

namespace tfprof {

// What one device does when. No set overlaps another one: compute comes first, then
// communication, then copies. Without devices, a host is its own device.
struct DeviceWork {
  ProcessId process;
  std::vector<Interval> compute;
  std::vector<Interval> communication;  // exposed
  std::vector<Interval> copies;         // exposed
  std::vector<Interval> callbacks;      // the program waits for a function of the host
  std::vector<Interval> busy;           // their union
};

// Returns the work on the streams of a GPU or the core of a TPU. Errors: cancelled; those of
// Indexes::Details.
Result<DeviceWork> WorkOfDevice(const Store& store, const Indexes& indexes, ProcessId device,
                                Context& context);

// Returns the time in which threads of a host exchange data with other hosts.
IntervalSet CollectivesOn(const Store& store, const Process& host);

// Returns the operations that run on the threads of a host: executions of compiled programs,
// operations of TensorFlow's executors, without those of input pipelines; and copies into device
// buffers on other threads than `driving`, which makes its own. `fetching`: the time in which an
// iterator works for the program; operations in it are its own.
DeviceWork WorkOfHost(const Store& store, ProcessId host, LaneId driving,
                      const HostExecutions& executions, Intervals fetching);

}  // namespace tfprof
