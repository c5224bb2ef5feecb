// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/arith.h"
#include "core/query/query.h"

namespace tfprof {

struct Least {
  std::string_view option;
  int64_t TreeFilter::*least;
};

// By the original's rule, each threshold that is not given is 0, so that one negative value hides
// its row in every query. kNoInt: no value is too small.
inline constexpr Least kLeasts[] = {
    {"min_bytes", &TreeFilter::min_bytes},
    {"min_peak_bytes", &TreeFilter::min_peak_bytes},
    {"min_residual_bytes", &TreeFilter::min_residual_bytes},
    {"min_output_bytes", &TreeFilter::min_output_bytes},
    {"min_micros", &TreeFilter::min_micros},
    {"min_accelerator_micros", &TreeFilter::min_accelerator_micros},
    {"min_cpu_micros", &TreeFilter::min_cpu_micros},
    {"min_params", &TreeFilter::min_params},
    {"min_float_ops", &TreeFilter::min_float_ops},
    {"min_occurrence", &TreeFilter::min_occurrence},
};

// A filter that hides no row.
inline TreeFilter HidesNone() {
  TreeFilter tree;
  tree.max_depth = TreeFilter::kAnyDepth;
  for (const Least& one : kLeasts) tree.*one.least = kNoInt;
  return tree;
}

}  // namespace tfprof
