// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/export/writing.h"
#include "core/query/options.h"

namespace tfprof {

constexpr unsigned kTimelineOptions =
    kEventOptions | kStepOption | kPlaceOptions | kWritingOptions | kDetailsOption;

// When everything ran (views/timeline/timeline.h) as Chrome trace JSON.
Result<Written> WriteTimeline(const WritingJob& job);

}  // namespace tfprof
