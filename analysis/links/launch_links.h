// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/links/event_links.h"

// Links between launches and what they launched, which are the most. A piece of EventLinks::Build.

namespace tfprof {

class Indexes;

// Adds a link to each event of the devices whose `correlation` an event of the host has: the last
// of those that began before it, else the first of them. In the order of the lanes. False, and
// nothing is done: the numbers do not count launches, but lie far apart. Errors: cancelled.
Result<bool> LinkLaunches(const Store& store, const Indexes& indexes,
                          std::span<const ProcessId> host, std::span<const ProcessId> device,
                          EventLinks* links, Context& context);

}  // namespace tfprof
