// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/export/writing.h"
#include "core/report/report.h"
#include "views/answer.h"

// The commands that write files; cli/export/commands.cc lists them.

namespace tfprof {

Result<void> CheckPprof(const std::string& out, const Query& query);
Result<Written> WritePprof(const WritingJob& job);

// OUT ends in .html, .svg, .folded or .speedscope.json, with or without .gz.
Result<void> CheckFlame(const std::string& out, const Query& query);
Result<Written> WriteFlame(const WritingJob& job);

// Returns the flame graph of the changes against the base of the session, which is open, as JSON
// (emitters/flame/frames.h) compressed with gzip. Errors: as those of `flame -diff`.
Result<std::string> ChangesOf(const Session& session, const View& view, Context& context);

Result<Written> WriteReport(const WritingJob& job);

// Prepares an answer for output as stacks: it adds up to the whole profile, stays within a size
// that viewers open, and notes what is missing.

// The answer of `code` lacks nodes without a trace. Sets its properties total_X to those of the
// profile, adds untraced_X (emitters/cells.h), and a note with the share of the first measure.
// `query`: the query of the view. Error: cancelled.
Result<void> AddUntraced(const Profile& profile, const Query& query, Report& report,
                         Context& context);

// Shows the columns of runs and nodes, which `code` hides.
void ShowOccurrence(Report& report);

// Removes rows that are too deep for stack viewers, or that would make all paths together too long
// (a path per row grows with rows times depth), the deepest first. They are added to the row above
// them; a note has their count.
void LimitDepth(Report& report);

// The bytes of names that an answer has at most.
constexpr int64_t kMaxPathBytes = int64_t{1} << 30;

// Removes the deepest rows of a tree, as LimitDepth does, where the names of all rows, with their
// indentation, would have more than `max` bytes: a million scopes within each other have 10^12.
void LimitNames(const Display& display, Report& report, int64_t max = kMaxPathBytes);

// Adds a note if the measures of the answer are empty.
void NoteEmptyMeasures(Report& report);

}  // namespace tfprof
