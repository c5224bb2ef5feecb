// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "capture/tool/convert.h"

namespace tfprof::capture {

// `tfprof-capture ctl DIR ACTION`: start, stop, snapshot or status, for all processes that record
// into the folder. Returns the status to exit with.
int RunControl(const std::string& folder, const std::string& action, const ConvertOptions& options);

}  // namespace tfprof::capture
