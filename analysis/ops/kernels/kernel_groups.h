// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/ops/kernels/kernel_rows.h"
#include "core/query/query.h"

namespace tfprof {

class Indexes;

struct KernelGroups {
  std::vector<KernelRow> rows;         // in the order of KernelRows
  std::vector<RowDuration> durations;  // likewise, see KernelRows
};

// Merges the rows of a host with equal names or equal operations. Other texts and launch parameters
// are empty. REQUIRES: `by` is name or op. The texts live as long as `found`.
KernelGroups GroupKernels(const KernelRows& found, RowsBy by);

// An index: the kernels of KernelRows by their launch site. Of a row, `op_name` is the innermost
// operation of the launching thread around the launch, `launched_by` the call itself.
struct KernelSites : KernelGroups {
  using Key = KernelRows::Key;
  // Errors: usage, no such step; cancelled.
  static Result<KernelSites> Build(const Indexes& indexes, const Key& key, Context& context);
};

}  // namespace tfprof
