// SPDX-License-Identifier: Apache-2.0
#include "views/advise.h"

#include "views/advise/checker.h"
#include "views/advise/classic.h"

namespace tfprof {
namespace {

constexpr Checker kCheckers[] = {
    {"AcceleratorUtilizationChecker", "how busy the accelerators are"},
    {"ExpensiveOperationChecker", "what takes most of the time"},
    {"OperationChecker", "operations that have a faster form"},
    {"JobChecker", "what the profile is made of; nothing in classic text"},
};

}  // namespace

std::span<const Checker> Checkers() { return kCheckers; }

Result<Report> Advise(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  if (query.original_advice) return ClassicAdvice(store, indexes, query, context);
  return Fail(ErrorKind::usage, "advise has only classic text yet", {}, "-format classic");
}

}  // namespace tfprof
