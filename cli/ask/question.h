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

// What a line asks of a view: its options, those in force and the defaults of the door together.

namespace tfprof {

// As far as it can be said without the profile.
struct Asked {
  Query query;
  const Emitter* emitter;
  bool all_rows = false;  // somebody said so
  bool to_fit = false;  // query.display.rows is what the screen has room for, and not what -n says
  std::string unread;   // filters in force that the view does not know: " -under -focus"
  CommandLine line;     // as it can be asked again: with the name in a row for its number
};

// Errors: usage.
Result<Asked> Ask(const Session& session, const View& view, const CommandLine& line);

// Whether the answer is a table that people read.
bool IsForPeople(const Display& display);

// Puts as many rows as the question is about, or as the screen has, where nobody said how many;
// programs get all.
void TakeRowsForPeople(const Session& session, const View& view, const CommandLine& line,
                       Asked* asked);

// A timeline is written to a file per step that is named after it: FILE_0, FILE_1; the average is
// FILE_-1. Other answers are one. Error: usage, there is no step.
Result<std::vector<Query>> OnePerFile(const View& view, const Query& query, const Store& store);

// Before anything is loaded: the events that the command about `view` needs, or what is wrong with
// it whatever the profile in `inputs` is. Errors: usage.
Result<EventsRead> CheckQuestion(const Session& session, const View& view, const CommandLine& line,
                                 const std::vector<Input>& inputs);

// The options in force when a command about `view` chose `given` of them: what nobody chose gets
// the door's default. `view` null: as a listing shows them.
Query WithDefaults(const Session& session, const View* view, Query query, const OptionSet& given);

// Outside classic text a threshold that nobody gave hides nothing.
void DropLeastsNotGiven(const OptionSet& given, TreeFilter* tree);

// By the first of -select that rows can be ordered by; none: it is about names and shapes only.
std::optional<OrderBy> OrderOf(const Display& display);

// What an empty line and `set` print: the options in force for the commands that follow.
std::string ListInForce(const Session& session);

}  // namespace tfprof
