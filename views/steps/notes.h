// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report.h"
#include "views/span_statistics.h"
#include "views/steps/times.h"

namespace tfprof {

// What readers of step times should know: that there are none and how to record them, hosts
// without steps, steps that not all hosts have, what is not measured on devices. `common`: steps in
// the answer; `has_parts`: it tells what they were spent on.
void NoteSteps(const Store& store, const std::vector<HostSteps>& hosts, size_t common,
               bool has_parts, Report* report);

// Properties duration_mean, duration_min and duration_max, ps; nothing where no step has a time.
void TellDurations(const SpanStatistics& spans, Report* report);

}  // namespace tfprof
