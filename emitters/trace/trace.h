// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/report/trace_export.h"
#include "emitters/emitter.h"

namespace tfprof {

struct TraceCounts {
  int64_t executions = 0;
  int64_t flows = 0;
  int64_t samples = 0;
};

// Writes a trace as Chrome trace JSON ("Trace Event Format"), which Perfetto and chrome://tracing
// open. A group is a process (pid from 1), each level of a track a thread (tid from 1). ts and dur
// are in us with picosecond digits, from the first start of the profile; `otherData` has its wall
// time. Names are valid UTF-8 whatever the profile contains (emitters/data/json_values.h). Streams:
// memory does not grow with the trace.
Result<TraceCounts> EmitTrace(const Store& store, const Trace& trace, Sink& sink, Context& context);

}  // namespace tfprof
