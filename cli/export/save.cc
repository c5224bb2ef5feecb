// SPDX-License-Identifier: Apache-2.0
#include "cli/export/save.h"

#include <fmt/core.h>

#include "analysis/trace_nodes/trace_nodes.h"
#include "core/base/units.h"
#include "writers/op_log.h"
#include "writers/profile.h"

namespace tfprof {
namespace {

// A saved profile also lacks what was lost when the profile was opened.
std::vector<Note> WithNotesOf(const Store& store, const std::vector<Note>& more) {
  std::vector<Note> notes = store.notes;
  notes.insert(notes.end(), more.begin(), more.end());
  return notes;
}

}  // namespace

Result<Written> WriteSave(const WritingJob& job) {
  const Store& store = *job.session.profile.store;
  if (LacksNodes(store)) {
    return Fail(ErrorKind::usage, "save writes graph nodes, and a trace has none", "",
                "`timeline`, `pprof` and `flame` write traces");
  }
  if (job.query.oplog) {
    TFPROF_ASSIGN(WrittenLog log, WriteOpLog(store, job.sink, job.context));
    return Written{"op log of " + Counted(static_cast<int64_t>(log.entries), "node"),
                   WithNotesOf(store, log.notes)};
  }
  TFPROF_ASSIGN(const std::vector<Note> notes, WriteProfile(store, job.sink, job.context));
  return Written{
      fmt::format("profile of {} and {}", Counted(static_cast<int64_t>(store.nodes.size()), "node"),
                  Counted(static_cast<int64_t>(store.steps.size()), "step")),
      WithNotesOf(store, notes)};
}

}  // namespace tfprof
