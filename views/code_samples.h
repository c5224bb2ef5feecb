// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report.h"
#include "views/indexes.h"
#include "views/member_rows.h"

namespace tfprof {

// The samples of a code answer (views/code.h), read once. `shown.row` are rows of `tree`, in the
// order of the answer.
Cursor<StackSample> SamplesOf(IndexPtr<CodeTree> tree, IndexPtr<NodeSums> sums,
                              TimesCounted counted, const ShownRows& shown);

}  // namespace tfprof
