// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "views/view.h"

namespace tfprof {

// Returns how to record what the answer has no rows of. A profile that is not a trace cannot have
// it; then the note names other views to use.
inline Note HowToRecord(const NoteRow& how, const Store& store) {
  return {store.IsTrace() ? how : note::needs_trace, 1, "", kNoInt};
}

// Adds that note to `report`, the answer of `make` to `query`, which has no rows. If -host, -device
// or -step may have left the rows out, runs the query again without them, and adds the note only if
// that answer has it, too. Error: cancelled.
Result<void> AddHowToRecord(const NoteRow& how, MakeReport* make, const Indexes& indexes,
                            const Query& query, Context& context, Report* report);

}  // namespace tfprof
