// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/report/report.h"
#include "views/classic/tree_walk.h"
#include "views/columns/member_rows.h"

namespace tfprof {

// The samples of a code answer (views/classic/code.h), read once: every node that counts, at the
// nearest shown row, so that the samples of a row add up to its total without those of its shown
// children. They come row by row, rows in depth-first order of `tree`. `shown.row` are rows of
// `tree`.
Cursor<StackSample> SamplesOf(IndexPtr<CodeTree> tree, IndexPtr<NodeSums> sums,
                              TimesCounted counted, const ShownRows& shown);

}  // namespace tfprof
