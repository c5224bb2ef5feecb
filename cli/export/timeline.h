// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/export/writing.h"
#include "core/query/options.h"

namespace tfprof {

constexpr unsigned kTimelineOptions =
    kEventOptions | kStepOption | kPlaceOptions | kWritingOptions | kDetailsOption;

// Writes a Chrome trace JSON of all activity (views/timeline/timeline.h).
Result<Written> WriteTimeline(const WritingJob& job);

}  // namespace tfprof
