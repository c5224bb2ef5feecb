// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "emitters/emitter.h"
#include "loaders/open.h"
#include "views/view.h"

namespace tfprof {

// Opens the base of diff: the word after it, or the base named before. Errors: as Load.
Result<void> TakeBase(Session& session, const View& view, Query* query);

// Combines the options of a line, the options in force and the defaults of the mode into a query.

// The query, as far as it is known without the profile.
struct ParsedQuestion {
  Query query;
  const Emitter* emitter;
  bool all_rows = false;  // explicitly requested
  bool to_fit = false;    // query.display.rows is the room on the screen, not -n
  std::string unread;     // filters in force that the view ignores: " -under -focus"
  CommandLine line;       // repeatable: row numbers replaced by names
};

// Completes options that are parsed. `line` is for marks in errors. Errors: usage.
Result<ParsedQuestion> CompleteQuestion(const Session& session, const View& view,
                                        const CommandLine& line, ParsedOptions parsed);

// Errors: usage.
Result<ParsedQuestion> ParseQuestion(const Session& session, const View& view,
                                     const CommandLine& line);

// Returns true if the answer is a human-readable table.
bool IsForHumans(const Display& display);

// Without an explicit row count, sets the number of rows that the command implies or that fit the
// screen. Machine-readable formats get all rows.
void SetRowsForHumans(const Session& session, const View& view, const CommandLine& line,
                      ParsedQuestion* question);

// A timeline is written to one file per step: FILE_0, FILE_1; the average is FILE_-1. Other answers
// are one query. Error: usage, there is no step.
Result<std::vector<Query>> OnePerFile(const View& view, const Query& query, const Store& store);

// Runs before anything is loaded. Returns the events that the command about `view` needs. Errors:
// usage, for commands that are wrong for any profile in `inputs`.
Result<EventsRead> CheckQuestion(const Session& session, const View& view, const CommandLine& line,
                                 const std::vector<Input>& inputs);

// Outside classic text, a threshold that was not given hides nothing.
void DropMinimumsNotGiven(const OptionSet& given, TreeFilter* tree);

// The first attribute of -select that can order rows; none: all are names or shapes.
std::optional<OrderBy> OrderOf(const Display& display);

// The text of an empty line and of `set`: the options in force for later commands.
std::string ListActiveFilters(const Session& session);

}  // namespace tfprof
