// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/result.h"
#include "remote/options.h"

namespace tfprof::remote {

// Prints what each server says about its devices, once or, with `every`, until Ctrl-C. On a
// terminal an answer replaces the one before. Returns the status to exit with.
Result<int> Monitor(const Options& options, const std::vector<Worker>& workers,
                    Interrupt interrupt);

}  // namespace tfprof::remote
