// SPDX-License-Identifier: Apache-2.0
#include "cli/save.h"

#include <fmt/core.h>

#include "writers/op_log.h"
#include "writers/profile.h"

namespace tfprof {
namespace {

std::string Counted(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

Result<Written> WriteSave(const WritingJob& job) {
  const Store& store = *job.session.store;
  if (job.query.oplog) {
    TFPROF_ASSIGN(const size_t entries, WriteOpLog(store, job.sink, job.context));
    return Written{"op log of " + Counted(entries, "node"), {}};
  }
  TFPROF_ASSIGN(std::vector<Note> notes, WriteProfile(store, job.sink, job.context));
  return Written{fmt::format("profile of {} and {}", Counted(store.nodes.size(), "node"),
                             Counted(store.steps.size(), "step")),
                 std::move(notes)};
}

}  // namespace tfprof
