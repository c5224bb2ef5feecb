// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/tool/options.h"

namespace tfprof::capture {

// Runs the command with the recorder, and converts what it recorded. Ends as the command ended:
// returns its exit status, or dies by its signal.
int RunCapture(const CaptureOptions& options);

}  // namespace tfprof::capture
