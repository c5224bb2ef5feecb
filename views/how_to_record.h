// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/query.h"
#include "core/report.h"

namespace tfprof {

// Tells how to record what the answer has no rows of; not where -host, -device or -step may be what
// left them out.
inline void TellHowToRecord(std::string_view how, const Query& query, Report* report) {
  if (!query.host.empty() || !query.device.empty() || query.step >= 0) return;
  report->notes.push_back({std::string(how), 1, "", kNoInt});
}

}  // namespace tfprof
