// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "loaders/open.h"

// Answers that are refreshed while a job runs.

namespace tfprof {

constexpr std::chrono::milliseconds kFollowEvery{2000};
constexpr std::chrono::milliseconds kFollowLast{60'000};

struct Following {
  std::vector<Input> inputs;
  std::vector<std::string> texts;  // commands, answered in each refresh
  CommandLine command;             // likewise; neither: the summary and the last steps
  std::chrono::milliseconds every = kFollowEvery;
  // Of a recording that runs, the end that is shown; 0: all, at a cost that grows with it.
  std::chrono::milliseconds last = kFollowLast;

  // Answers instead of the commands. Returns the status that ends it; 0: it goes on.
  std::function<Result<int>(Session&)> answer = {};
  // Is called before each look at the files; its error ends it.
  std::function<Result<void>()> before = {};
  int64_t looks = 0;  // after so many it ends; 0: never
};

// Parses "60s", or "all".
Result<std::chrono::milliseconds> ParseLast(std::string_view text);

// Opens the inputs again whenever their files change, and answers again: in place on a terminal,
// elsewhere one block below the other. The recorder makes traces of what running processes have
// recorded. Files that cannot be read, since they are being written, are tried again. Ends with
// Ctrl-C, when the reader of the output is gone, or when all inputs are recordings of which no
// process runs. Error: usage, of the commands; what keeps an input that is no folder from opening.
Result<int> Follow(Session& session, const Following& following);

}  // namespace tfprof
