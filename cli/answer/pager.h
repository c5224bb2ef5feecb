// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/shell/session.h"

namespace tfprof {

// The command that shows an answer longer than the screen: $TFPROF_PAGER, else $PAGER, else less if
// installed. An empty value or `cat` means none. Empty: none.
std::string PagerCommand();

// Returns true if the session is interactive and `text` has more lines than the screen.
bool NeedsPager(const Session& session, std::string_view text);

}  // namespace tfprof
