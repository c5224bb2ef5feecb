// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/links/event_links.h"

// Links from launches to device events, the most frequent kind. Part of LaunchLinks::Build.

namespace tfprof {

class Indexes;

// Adds a link to each device event whose `correlation` a host event has: from the last such host
// event that started before it, else from the first. Links are in the order of the lanes. Returns
// false, without any effect, if the numbers are too sparse to count launches. Errors: cancelled.
Result<bool> LinkLaunches(const Store& store, const Indexes& indexes,
                          std::span<const ProcessId> host, std::span<const ProcessId> device,
                          EventLinks* links, Context& context);

}  // namespace tfprof
