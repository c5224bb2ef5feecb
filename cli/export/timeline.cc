// SPDX-License-Identifier: Apache-2.0
#include "cli/export/timeline.h"

#include "core/base/units.h"
#include "emitters/trace/trace.h"
#include "views/timeline/timeline.h"

namespace tfprof {
Result<Written> WriteTimeline(const WritingJob& job) {
  const StorePtr& store = job.session.profile.store;
  TFPROF_ASSIGN(const Trace trace,
                Timeline(store, *job.session.profile.indexes, job.query, job.context));
  TFPROF_ASSIGN(const TraceCounts counts, EmitTrace(*store, trace, job.sink, job.context));
  return Written{Counted(counts.executions, "execution") + ", " + Counted(counts.arrows, "arrow") +
                     ", " + Counted(counts.samples, "memory value"),
                 trace.notes};
}

}  // namespace tfprof
