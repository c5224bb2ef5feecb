// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/command.h"
#include "cli/session.h"
#include "views/view.h"

namespace tfprof {

// Answers one command about the open profile: view, refine, emit, notes. Returns 0, or the exit
// status of an error that was told on the way (an invalid regular expression, with its empty
// answer in classic text). Errors: usage, unwritable, cancelled, and those of the view.
Result<int> Answer(Session& session, const View& view, const CommandLine& line,
                   std::string_view place);

// The report of the table that was shown last, uncut. REQUIRES: session.last is not null. Errors:
// as Answer.
Result<Report> WholeLastAnswer(Session& session);

// What is wrong with a command about `view` whatever the profile in `inputs` is; before anything is
// loaded. Errors: usage.
Result<void> CheckQuestion(const Session& session, const View& view, const CommandLine& line,
                           const std::vector<Input>& inputs);

// The options in force when a command about `view` chose `given` of them: what nobody chose gets
// the door's default. `view` null: as a listing shows them.
Query WithDefaults(const Session& session, const View* view, Query query, const OptionSet& given);

// What an empty line and `set` print: the options in force for the commands that follow.
std::string ListInForce(const Session& session);

}  // namespace tfprof
