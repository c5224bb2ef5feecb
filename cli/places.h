// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "cli/shell/session.h"
#include "core/query/query.h"

// Checks -device and -host of a query: parts of names, which a profile may not have.

namespace tfprof {

// Error: usage, if no device or host of the profile, nor of the base that it is compared with,
// matches `query`. The error lists the existing ones. `hosts_only`: -device has another meaning.
Result<void> CheckPlaces(const Session& session, const Query& query, bool hosts_only);

// Adds to the error of a query about a name that only the selected places were searched.
Error WithSearchedPlaces(Error error, const PlaceFilter& place);

// Returns "/device:GPU:0 has no events; devices with events: ..." if no selected device has events;
// else an empty text.
std::string DevicesWithoutEvents(const Store& store, const PlaceFilter& place);

}  // namespace tfprof
