// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "cli/shell/session.h"
#include "core/base/result.h"

namespace tfprof {

// Writes the `rows` last steps of the open profile, as the view steps shows them, the last one
// first. Nothing without steps. Errors: unwritable, cancelled.
Result<void> WriteLastSteps(Session& session, int64_t rows);

}  // namespace tfprof
