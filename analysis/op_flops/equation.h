// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/op_flops/known_op.h"

// Sums of products in the notation of Einstein: `ab,bc->ac`.

namespace tfprof {

struct EquationSizes {
  int64_t all = kNoInt;     // the product of all indices
  int64_t output = kNoInt;  // of those of the output
  bool sums = false;        // an index is not in the output
};
EquationSizes SizesOf(const KnownOp& op);

// The dimensions of the result; empty and false: they are not known. -1: an unknown dimension.
bool ResultOf(const KnownOp& op, std::vector<int64_t>* dims);

}  // namespace tfprof
