// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/shell/session.h"

namespace tfprof {

// Answers what a person types until Ctrl-D or `quit`. Errors are told and change nothing: always
// 0. Ctrl-C cancels what is running, or drops the line.
int RunShell(Session& session);

}  // namespace tfprof
