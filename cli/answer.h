// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/command.h"
#include "cli/session.h"
#include "views/view.h"

namespace tfprof {

// Answers one command about the open profile: asks (cli/question.h), refines, writes
// (cli/answer_output.h), remembers. Returns 0, or the exit status of an error that was told on the
// way (an invalid regular expression, with its empty answer in classic text). Errors: usage,
// unwritable, cancelled, and those of the view.
Result<int> Answer(Session& session, const View& view, const CommandLine& line,
                   std::string_view place);

// The report of the table that was shown last, uncut. REQUIRES: session.last is not null. Errors:
// as Answer.
Result<Report> WholeLastAnswer(Session& session);

}  // namespace tfprof
