// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/export/writing.h"
#include "core/report/report.h"

// What an answer needs before it is written as stacks: it adds up to the whole profile, stays of a
// size that programs open, and says what a reader would miss.

namespace tfprof {

// The answer of `code` misses nodes without a trace. Makes its properties total_X those of the
// profile, adds untraced_X (emitters/outside.h), and a note with the share of the first measure.
// `query`: what was asked of the view. Error: cancelled.
Result<void> AddUntraced(const WritingJob& job, const Query& query, Report& report);

// The columns of runs and nodes, which `code` prints none of, are shown.
void ShowOccurrence(Report& report);

// Takes rows away that are too deep for the programs that read stacks, or that would make all
// paths together too long (a path per row grows with rows times depth), the deepest first. They
// count in the row above them; a note tells how many they are.
void LimitDepth(Report& report);

// A note where the measures of the answer have nothing.
void TellNothing(Report& report);

}  // namespace tfprof
