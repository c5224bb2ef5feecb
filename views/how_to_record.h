// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/query.h"
#include "core/report.h"
#include "core/store.h"

namespace tfprof {

// How to record what the answer has no rows of; of what is no trace, which cannot have it, what to
// ask instead.
inline Note HowToRecord(std::string_view how, const Store& store) {
  constexpr std::string_view kNoTrace =
      "only traces tell this, and the profile is none: op and scope tell what its operations took, "
      "on accelerators with -select accelerator_micros, and steps what each step did";
  return {std::string(store.processes.empty() ? kNoTrace : how), 1, "", kNoInt};
}

// Tells that; not where -host, -device or -step may be what left them out.
inline void TellHowToRecord(std::string_view how, const Query& query, Report* report) {
  const bool may_leave_out = !query.host.empty() || !query.device.empty() || query.step >= 0;
  if (may_leave_out && !report->store->processes.empty()) return;
  report->notes.push_back(HowToRecord(how, *report->store));
}

}  // namespace tfprof
