// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/shell/session.h"

namespace tfprof {

// Answers typed commands until Ctrl-D or `quit`. Errors are reported and do not change the exit
// status: it is always 0. Ctrl-C cancels the running command or drops the line.
int RunShell(Session& session);

}  // namespace tfprof
