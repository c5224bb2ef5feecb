// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/store/store.h"
#include "views/on_nodes.h"

namespace tfprof {

// How to record what the answer has no rows of; of what is no trace, which cannot have it, what to
// ask instead.
inline Note HowToRecord(std::string_view how, const Store& store) {
  constexpr std::string_view kNoTrace =
      "only traces tell this, and the profile is none: op and scope tell what its operations took, "
      "on accelerators with -select accelerator_micros, and steps what each step did";
  return {std::string(store.processes.empty() ? kNoTrace : how), 1, "", kNoInt};
}

// Tells that of `report`, the answer of `make` to `query`, which has no rows. Where -host, -device
// or -step may be what left them out, it is asked without these: only what then says so, too, is
// told. Error: cancelled.
Result<void> TellHowToRecord(std::string_view how, MakeReport* make, const Indexes& indexes,
                             const Query& query, Context& context, Report* report);

}  // namespace tfprof
