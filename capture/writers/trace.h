// SPDX-License-Identifier: Apache-2.0
// A spool's events to a trace: ranges and calls on lines of threads, device work on lines of
// streams, each with the operation, step and correlation that views need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "capture/model/definitions.h"
#include "capture/writers/device_trace.h"
#include "capture/writers/host_trace.h"
#include "capture/writers/tensorflow_export.h"
#include "capture/writers/trace_counts.h"
#include "capture/writers/xspace.h"

namespace tfprof::capture {

class Trace {
 public:
  // `also_to` may be null.
  Trace(const Definitions& definitions, XSpace* to, TensorflowExport* also_to)
      : host_(definitions, to, also_to, &counts_),
        device_(definitions, to, also_to, &host_, &counts_) {}

  void Take(uint32_t thread, const RecordHead& head);
  // What is known only when all events are.
  void Finish();

  const TraceCounts& counts() const { return counts_; }

 private:
  // Work whose call is still to come: that of a call that waits for it is recorded when it ends.
  static constexpr size_t kMostWaiting = 1 << 20;

  void TakeWork(const RecordHead& head);
  void AddWaiting();

  TraceCounts counts_;
  HostTrace host_;
  DeviceTrace device_;
  std::vector<std::byte> waiting_;
};

}  // namespace tfprof::capture
