// SPDX-License-Identifier: Apache-2.0
#include "cli/step_range.h"

#include <fmt/core.h>

#include "views/chosen_events.h"
#include "views/step_asked.h"

namespace tfprof {

Result<void> NoteStepsBeyond(const Session& session, const Query& query, Report* report,
                             Context& context) {
  if (query.last_step < 0) return {};
  TFPROF_ASSIGN(const std::vector<int64_t> numbers,
                StepNumbers(*session.store, *session.indexes, query, context));
  if (numbers.empty()) return {};
  const int64_t first = numbers.front(), last = numbers.back();
  if (first <= query.step && query.last_step <= last) return {};
  report->notes.insert(
      report->notes.begin(),
      {fmt::format("-step {}: {}", query.StepText(), StepsThere(numbers)), 1, "", kNoInt});
  return {};
}

}  // namespace tfprof
