// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/completion/completion.h"
#include "cli/completion/name_completion.h"
#include "core/query/options.h"

// What completion is made of (cli/completion/completion.h has what it is for).

namespace tfprof {

// The line that is completed at its end, and for whom.
struct Asking {
  std::string_view line;
  const Session* session = nullptr;  // null: nothing is open
  Context* context = nullptr;        // of a hint: one candidate is enough. null: all are wanted

  bool ForHint() const { return context != nullptr; }
};

// All of these complete line[from, end), with candidates in the order of their list.
Completion Nothing(size_t from);
Completion Among(const Asking& asking, size_t from, const std::vector<std::string>& names);
// Names separated by commas: the last one is completed, those before are not offered again.
Completion AmongList(const Asking& asking, size_t from, std::vector<std::string> names);
Completion Files(const Asking& asking, size_t from);
// Numbers of the profile's steps.
Completion Steps(const Asking& asking, size_t from);
// Names of the profile, in the scope one is in first.
Completion ProfileNames(const Asking& asking, size_t from, NamesAsked::Kinds kinds);
// A scope as cd takes it.
Completion ScopePaths(const Asking& asking, size_t from);
// The value of an option of `command`.
Completion OptionValue(const Asking& asking, size_t from, const Option& option,
                       std::string_view command);

}  // namespace tfprof
