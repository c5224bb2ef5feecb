// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/base/result.h"
#include "core/base/sink.h"
#include "core/report/report.h"
#include "core/store/store.h"
#include "loaders/open.h"

namespace tfprof {

// One file to write. `sink` already compresses if `out` ends in .gz.
struct WritingJob {
  const Session& session;
  const Query& query;
  const OptionSet& given;   // options that were given explicitly
  const std::string& out;   // as typed; its ending may choose the format
  const std::string& line;  // the command, for formats that record their origin
  Sink& sink;
  Context& context;
};

struct Written {
  std::string what;         // human-readable: "12,345 events"
  std::vector<Note> notes;  // each is printed once
};

// A command that writes the open profile, or an answer about it, to a file: its first word.
struct WritingCommand {
  std::string_view name;
  std::string_view usage;    // the command and its words
  std::string_view summary;  // one line for `help`
  std::string_view help;     // the contents of the file, for `help NAME`
  std::string_view example;  // commands that run on any profile, one per line
  unsigned options;          // of OptionGroup

  // Errors: usage, unwritable, cancelled.
  Result<Written> (*write)(const WritingJob& job);
  // Checks OUT and the options before anything is loaded; null: nothing to check.
  Result<void> (*check)(const std::string& out, const Query& query) = nullptr;
  bool always_gzip = false;      // even if OUT does not end in .gz
  std::string_view ending = {};  // of its files, before .gz; empty: see `check`
  bool takes_base = false;       // compares with the base if one was named, not only for -diff
};

// In the order of `help` (cli/export/commands.cc).
std::span<const WritingCommand> WritingCommands();
const WritingCommand* FindWritingCommand(std::string_view name);

// The views that -view accepts: those whose rows have self values and totals.
std::vector<std::string_view> AdditiveViews();
// Error: usage, if -view names another one.
Result<void> CheckView(const Query& query);
// The views that diff compares: these and others.
std::vector<std::string_view> ComparedViews();

// Runs an export command: checks OUT, writes it completely or not at all, and reports on standard
// error what was written. Errors: usage (no OUT, or one that must not be replaced), those of
// `write`.
Result<int> WriteFile(Session& session, const WritingCommand& command, const CommandLine& line,
                      std::string_view place);

// Checks the command before anything is loaded. Errors: usage: the options; no OUT; OUT is one of
// the inputs or (without -overwrite) an existing profile; OUT after the profile.
Result<void> CheckWriting(const WritingCommand& command, const CommandLine& line,
                          const std::vector<Input>& inputs, bool classic);

// Protects existing files from being overwritten by output.

// All files that the store came from, and those that it still reads on demand.
std::vector<std::string> OpenFiles(const Store& store);

// The paths of inputs that are about to be opened.
std::vector<std::string> PathsOf(const std::vector<Input>& inputs);

// Refuses to replace a profile without -overwrite: a profile is worth more than a timeline
// that takes a second to make. Error: usage.
Result<void> CheckNoProfile(const std::string& out);

// Refuses to replace, or append to, a file in `open`, under any name, and unless `overwrite` any
// other profile. Error: usage.
Result<void> CheckTarget(const std::string& out, const std::vector<std::string>& open,
                         bool overwrite);

}  // namespace tfprof
