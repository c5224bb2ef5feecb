// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tfprof/profiler.h>

#include <vector>

#include "core/report/report.h"

namespace tfprof::v1 {

// The nodes of the message that `-output proto` writes for this report of scope, graph, op or code.
std::vector<ProfileNode> NodesOf(const tfprof::Report& report);

}  // namespace tfprof::v1
