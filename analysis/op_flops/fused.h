// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "analysis/op_flops/known_op.h"

namespace tfprof {

// FLOPs of the operations that run on the result of a fused one, by their names; kNoInt: one of
// them has no rule per element.
int64_t FusedFlops(const KnownOp& op);

}  // namespace tfprof
