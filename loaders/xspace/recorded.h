// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "loaders/loader.h"

namespace tfprof::xspace {

// What the recorder writes about itself; none: it does not tell when it began. REQUIRES: Guarded.
std::optional<Recorded> ReadRecorded(std::string_view space);

}  // namespace tfprof::xspace
