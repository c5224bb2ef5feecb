// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/completion/completion.h"
#include "cli/completion/name_completion.h"
#include "core/query/options.h"

// The parts of completion (cli/completion/completion.h has its purpose).

namespace tfprof {

// The line that is completed at its end, and the context of the request.
struct Asking {
  std::string_view line;
  const Session* session = nullptr;  // null: nothing is open
  Context* context = nullptr;        // of a hint: one candidate is enough; null: all candidates

  bool ForHint() const { return context != nullptr; }
};

// Each of these completes line[from, end), with candidates in list order.
Completion Nothing(size_t from);
Completion Among(const Asking& asking, size_t from, const std::vector<std::string>& names);
// Completes the last of comma-separated names; the names before it are not candidates.
Completion AmongList(const Asking& asking, size_t from, std::vector<std::string> names);
Completion Files(const Asking& asking, size_t from);
// Completes step numbers of the profile.
Completion Steps(const Asking& asking, size_t from);
// Completes names of the profile, those in the current scope first.
Completion ProfileNames(const Asking& asking, size_t from, NamesAsked::Kinds kinds);
// Completes a scope for cd.
Completion ScopePaths(const Asking& asking, size_t from);
// Completes the value of an option of `command`.
Completion OptionValue(const Asking& asking, size_t from, const Option& option,
                       std::string_view command);

}  // namespace tfprof
