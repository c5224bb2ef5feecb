// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/column.h"
#include "core/base/context.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// A kernel, copy or fill on a device.
struct WorkEvent {
  EventId event;
  ProcessId device;
  LaneId stream;
  SourceId source;
  EventId call;  // the call on the host that launched it; none: the file has none
  EventId op;    // that it is credited to: see CreditedTimes
};

// An index. The work of all devices, by device, stream and start. A call and what it launched have
// one correlation number; of several calls with it, the first in the file counts.
struct LaunchedWork {
  std::vector<WorkEvent> events;

  static Result<LaunchedWork> Build(const Indexes& indexes, Context& context);
};

// An index. The time of device work, credited to what runs around the call that launched it: to
// the innermost event that contains the call, and to all that contain that.
struct CreditedTimes {
  Column<int64_t> device_ps;  // by event
  // Likewise, to one event only: the innermost operation, without one the innermost annotation.
  Column<int64_t> self_device_ps;

  static Result<CreditedTimes> Build(const Indexes& indexes, Context& context);
};

// True for kernels that communicate, by the names of NCCL and RCCL.
bool IsCommunication(std::string_view kernel);

}  // namespace tfprof
