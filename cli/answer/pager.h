// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/shell/session.h"

namespace tfprof {

// What shows an answer that is longer than the screen: $TFPROF_PAGER, else $PAGER, else less where
// it is installed; one that is empty or `cat` is none. Empty: none.
std::string PagerCommand();

// Whether a person types the commands and `text` has more lines than the screen.
bool NeedsPager(const Session& session, std::string_view text);

}  // namespace tfprof
