// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/shell/session.h"
#include "core/report/report.h"
#include "views/view.h"

namespace tfprof {

// What an answer of `view` looks like without rows: that costs nothing. Of a profile of the kind of
// the open one. REQUIRES: a profile is open. Error: that of the view, as where it needs a word.
Result<Report> AnswerWithoutRows(const View& view, const Session& session);

}  // namespace tfprof
