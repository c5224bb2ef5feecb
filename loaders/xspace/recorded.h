// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "loaders/loader.h"

namespace tfprof::xspace {

// Returns the recorder's own facts; none: it does not record its start time. REQUIRES: Guarded.
std::optional<Recorded> ReadRecorded(std::string_view space);

}  // namespace tfprof::xspace
