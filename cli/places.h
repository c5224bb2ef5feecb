// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "cli/shell/session.h"
#include "core/query/query.h"

// -device and -host of a question: parts of names that a profile may not have.

namespace tfprof {

// Error: usage, no device or host has what `query` asks for, neither of the profile nor of the base
// that it is compared with. Names those there are. `hosts_only`: -device means something else.
Result<void> CheckPlaces(const Session& session, const Query& query, bool hosts_only);

// An error of a question about a name: it was looked for in the places that `query` asks for alone.
Error LookedForIn(Error error, const PlaceFilter& place);

// "/device:GPU:0 has no events; devices with events: ...", when all devices that are asked for have
// none; else empty.
std::string DevicesWithoutEvents(const Store& store, const PlaceFilter& place);

}  // namespace tfprof
