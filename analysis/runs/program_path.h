// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/hlo/program.h"

namespace tfprof {

// Returns the critical path of a program: the chain of instructions whose times sum to most, each
// of which waits for the one before it, into loops and calls and out again. `time`: by instruction,
// over all runs; 0 if not measured, then it is passed without being part. Error: cancelled.
Result<std::vector<uint32_t>> PathOfProgram(const Program& program,
                                            const std::function<int64_t(uint32_t)>& time,
                                            Context& context);

}  // namespace tfprof
