// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "remote/options.h"

namespace tfprof::remote {

// Records on all servers, once or, with `every`, until Ctrl-C. Writes
// LOGDIR/plugins/profile/RUN/HOST.xplane.pb. Returns the status to exit with: 0 if each server sent
// a trace. Errors: unwritable.
Result<int> Capture(const Options& options, const std::vector<Worker>& workers,
                    Interrupt interrupt);

}  // namespace tfprof::remote
