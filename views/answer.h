// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/store/store.h"
#include "views/view.h"

// From a question to its answer, the only way there is: make the report, fold it, refine it.

namespace tfprof {

// An open profile: what was read and what was derived from it so far. Copies share both. Several
// threads may ask one profile at once.
struct Profile {
  Profile() = default;
  explicit Profile(StorePtr read)
      : store(std::move(read)), indexes(std::make_shared<const Indexes>(store)) {}

  StorePtr store;  // null: nothing is open
  std::shared_ptr<const Indexes> indexes;
};

// All rows that `view` has for the question, before any are folded or cut.
// Errors: those of the view; usage (no such step, no base); cancelled.
Result<Report> Make(const Profile& profile, const View& view, const Query& query, Context& context);

// -where chooses among the rows; then they fold or, with -unfold, only the rows of one are kept.
// Names of -ids original become ids. Returns the query that is left for Refine: -order_by, -n and
// -columns. `folded`: the table one of whose rows -unfold names; null: none. Errors: usage (no such
// column or row), cancelled.
Result<Display> FoldRows(const View& view, const Query& query, const Table* folded, Report* report,
                         Context& context);

// The answer: Make, FoldRows, Refine.
Result<Report> Answer(const Profile& profile, const View& view, const Query& query,
                      Context& context, const Table* folded = nullptr);

}  // namespace tfprof
