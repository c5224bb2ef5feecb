// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/store/store.h"
#include "views/view.h"

// Turns a query into an answer, the only way to do so: make the report, fold it, refine it.

namespace tfprof {

// An open profile: the loaded store and the indexes built on it. Copies share both. Several threads
// may query one profile at once.
struct Profile {
  Profile() = default;
  explicit Profile(StorePtr read)
      : store(std::move(read)), indexes(std::make_shared<const Indexes>(store)) {}

  StorePtr store;  // null: no profile is open
  std::shared_ptr<const Indexes> indexes;
};

// Returns all rows that `view` has for the query, before any are folded or cut.
// Errors: those of the view; usage (no such step, no base); cancelled.
Result<Report> Make(const Profile& profile, const View& view, const Query& query, Context& context);

// Selects rows by -where; then folds them or, with -unfold, keeps only the rows of one folded row.
// Ids of -ids original become current ids. Returns the options that are left for Refine: -order_by,
// -n and -columns. `folded`: the table that contains the row that -unfold names; null: none.
// Errors: usage (no such column or row), cancelled.
Result<Display> FoldRows(const View& view, const Query& query, const Table* folded, Report* report,
                         Context& context);

// Returns the answer: Make, FoldRows, Refine.
Result<Report> Answer(const Profile& profile, const View& view, const Query& query,
                      Context& context, const Table* folded = nullptr);

}  // namespace tfprof
