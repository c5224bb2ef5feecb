// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/choices.h"
#include "cli/follow/follow.h"
#include "core/base/result.h"
#include "loaders/open.h"

namespace tfprof {

// A non-interactive script: `-c TEXT` or `-f TEXT` (a file, "-" is standard input).
struct Script {
  bool is_file = false;
  std::string text;
};

// The parsed arguments of the program.
struct Arguments {
  bool help = false;
  bool version = false;
  bool man = false;        // print the man page
  std::string completion;  // the shell whose completion script is printed; empty: none

  // Classic mode: the original's flags.
  bool classic = false;
  std::string graph_path;
  std::string op_log_path;
  std::string checkpoint_path;
  std::string profile_path;
  std::string run_meta_paths;  // A,B

  // Default mode.
  std::vector<std::string> files;
  std::string as;
  std::string run;
  std::vector<RankRange> ranks;
  std::string base;  // the base of diff

  std::vector<Script> scripts;  // in order
  // One command with its words and options. Empty: none; `options` then apply to all commands.
  CommandLine command;
  CommandLine options;

  bool follow = false;  // answers are refreshed while the files change
  std::chrono::milliseconds every = kFollowEvery;
  std::chrono::milliseconds last = kFollowLast;  // 0: all

  bool keep_going = false;
  bool no_config = false;
  bool partial = false;
  uint64_t max_bytes = uint64_t{64} << 30;
};

// Errors: usage, with a mark under the wrong argument.
Result<Arguments> ParseArguments(const std::vector<std::string>& args);

// The inputs to load, in order of authority.
std::vector<Input> Inputs(const Arguments& arguments);

// A flag of the program itself, as opposed to an option of a command.
struct Flag {
  std::string_view name;
  std::string_view value;    // the placeholder in help; empty: takes no value
  std::string_view meaning;  // empty: for packagers, not in help
  Choices::Kind takes;
  // Error: usage, for a bad value.
  Result<void> (*set)(Arguments& arguments, std::string_view value);
};
std::span<const Flag> Flags();
const Flag* FindFlag(std::string_view name);  // without dashes; null: no such flag

// A flag as given, and the word to mark in errors.
struct GivenFlag {
  const Flag* flag;
  std::optional<std::string> value;
  Word word;
};

// Applies the flags in order. Error: usage, with a mark.
Result<void> ParseFlags(const std::vector<GivenFlag>& given, const CommandLine& line,
                        Arguments& arguments);

// Input files, given by paths or patterns.

// Returns the files that a pattern matches; none: it is no pattern, or a file has that name.
std::vector<std::string> FilesLike(const std::string& path);

// Returns true if a file has that path or matches the pattern.
bool NamesFile(const std::string& text);

// Paths and patterns as inputs, in natural order (2 before 10). A pattern without matches is taken
// as a path. A folder that only has recordings in it stands for these, unless `run` names one.
std::vector<Input> FileInputs(const std::vector<std::string>& paths, const std::string& format,
                              const std::string& run = {},
                              const std::vector<RankRange>& ranks = {});

}  // namespace tfprof
