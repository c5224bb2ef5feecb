// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/shim/config.h"

namespace tfprof::capture {

// The option by which this process is not recorded; null: it is.
const char* SkippedBy(const Config& config);

}  // namespace tfprof::capture
