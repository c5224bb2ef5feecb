// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/store/store.h"
#include "loaders/loader.h"
#include "loaders/xspace/layout.h"
#include "loaders/xspace/stats.h"

namespace tfprof::xspace {

// Returns the recorder's own facts; none: it does not record its start time. REQUIRES: Guarded.
std::optional<Recorded> ReadRecorded(std::string_view space);

// True if anything was recorded: the planes of a program that is idle have no event. REQUIRES:
// Guarded.
bool HasEvents(std::string_view space);

// Returns the options in the plane with the facts of the recorder; none: it does not have them.
std::optional<RecorderOptions> ReadRecorderOptions(const Plane& plane, const StatNames& names);

}  // namespace tfprof::xspace
