// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run.h"
#include "core/base/result.h"
#include "core/query/word_options.h"

namespace tfprof {

// A command about programs that run, or files elsewhere: it is the first word of the program's
// arguments, declares its own options, and opens profiles only after its work.
struct RunningCommand {
  std::string_view name;
  std::string_view usage;
  std::string_view summary;  // one line for `help`
  std::string_view help;
  std::string_view example;
  std::vector<DeclaredOption> (*options)();

  // Returns the status to exit with. `args` are those after the name.
  Result<int> (*run)(const std::vector<std::string>& args, Io& io);
};

// In the order of `help`.
std::span<const RunningCommand> RunningCommands();
const RunningCommand* FindRunningCommand(std::string_view name);

// The command that the arguments are for; null: none.
const RunningCommand* RunningCommandOf(const std::vector<std::string>& args);

// A command with a mistake is an error before the work begins, which may take long. Error: usage.
Result<void> CheckCommands(const std::vector<std::string>& commands, Io& io);

// Answers commands on the profile at `path`; returns the status.
Result<int> AnswerOn(const std::string& path, const std::vector<std::string>& commands, Io& io);

// The commands of cli/running/ and cli/serve/.
Result<int> RunCapture(const std::vector<std::string>& args, Io& io);
Result<int> RunMonitor(const std::vector<std::string>& args, Io& io);
Result<int> RunFetch(const std::vector<std::string>& args, Io& io);
Result<int> RunServe(const std::vector<std::string>& args, Io& io);
Result<int> RunWatch(const std::vector<std::string>& args, Io& io);

// Their options.
std::vector<DeclaredOption> CaptureOptions();
std::vector<DeclaredOption> MonitorOptions();
std::vector<DeclaredOption> FetchOptions();
std::vector<DeclaredOption> ServeOptions();
std::vector<DeclaredOption> WatchOptions();

}  // namespace tfprof
