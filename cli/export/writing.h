// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/shell/session.h"
#include "core/base/sink.h"
#include "core/report/report.h"
#include "loaders/open.h"

namespace tfprof {

// One file to write. `sink` compresses already where `out` ends in .gz.
struct WritingJob {
  const Session& session;
  const Query& query;
  const OptionSet& given;   // the options that somebody chose
  const std::string& out;   // as the user named it; its ending may choose the format
  const std::string& line;  // the command, for formats that tell where they come from
  Sink& sink;
  Context& context;
};

struct Written {
  std::string what;         // for people: "12,345 events"
  std::vector<Note> notes;  // what they should know of it; each is told once
};

// A command that turns the open profile, or an answer about it, into a file: its first word.
struct WritingCommand {
  std::string_view name;
  std::string_view usage;    // the command and its words
  std::string_view summary;  // one line for `help`
  std::string_view help;     // what stands in the file, for `help NAME`
  std::string_view example;  // commands that run on any profile, one per line
  unsigned options;          // of OptionGroup

  // Errors: usage, unwritable, cancelled.
  Result<Written> (*write)(const WritingJob& job);
  // What is wrong with OUT or the options, known before anything is loaded; null: nothing.
  Result<void> (*check)(const std::string& out, const Query& query) = nullptr;
  bool always_gzip = false;      // also where OUT does not end in .gz
  std::string_view ending = {};  // of its files, before .gz; empty: `check` knows
};

// In the order of `help` (cli/export/commands.cc).
std::span<const WritingCommand> WritingCommands();
const WritingCommand* FindWritingCommand(std::string_view name);

// What -view may name: the views whose rows have own values and totals.
std::vector<std::string_view> ViewsThatAddUp();

// Runs one such command: checks OUT, writes it as a whole or not at all, says on standard error
// what was written. Errors: usage (no OUT, or one that is not to be replaced), those of `write`.
Result<int> WriteFile(Session& session, const WritingCommand& command, const CommandLine& line,
                      std::string_view place);

// What is wrong with the command before anything is loaded. Errors: usage: the options; no OUT, one
// of the inputs, or (without -overwrite) an existing profile; OUT behind the profile.
Result<void> CheckWriting(const WritingCommand& command, const CommandLine& line,
                          const std::vector<Input>& inputs, bool classic);

}  // namespace tfprof
