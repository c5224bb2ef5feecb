// SPDX-License-Identifier: Apache-2.0
#include "cli/writing_timeline.h"

#include <fmt/core.h>

#include <ostream>

#include "emitters/notes.h"
#include "emitters/printable.h"
#include "emitters/trace.h"
#include "views/timeline.h"

namespace tfprof {
namespace {

std::string Counted(int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

Result<std::string> WriteTimeline(const WritingJob& job) {
  const StorePtr& store = job.session.store;
  TFPROF_ASSIGN(const Trace trace, Timeline(store, *job.session.indexes, job.query, job.context));
  TFPROF_ASSIGN(const TraceCounts counts, EmitTrace(*store, trace, job.sink, job.context));
  for (const Note& note : trace.notes) {
    std::string text;
    AppendPrintable(NoteText(note), true, &text);
    *job.session.io.err << "note: " << text << "\n";
  }
  return Counted(counts.executions, "execution") + ", " + Counted(counts.arrows, "arrow") + ", " +
         Counted(counts.samples, "memory value");
}

}  // namespace tfprof
