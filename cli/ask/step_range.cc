// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/step_range.h"

#include <fmt/core.h>

#include "analysis/chosen_events.h"
#include "analysis/steps/step_selection.h"

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
