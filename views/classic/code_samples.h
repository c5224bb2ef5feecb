// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "analysis/nodes/code_tree.h"
#include "core/report/report.h"
#include "views/classic/tree_walk.h"
#include "views/columns/member_rows.h"

namespace tfprof {

// Returns the samples of a code answer (views/classic/code.cc), which can be read once: every node
// that counts, at the nearest shown row. The samples of a row thus add up to its total minus the
// totals of its shown children. Samples are ordered by row, rows in depth-first order of `tree`.
// `shown.row` holds rows of `tree`.
Cursor<StackSample> SamplesOf(IndexPtr<CodeTree> tree, IndexPtr<NodeSums> sums,
                              TimesCounted counted, const ShownRows& shown);

}  // namespace tfprof
