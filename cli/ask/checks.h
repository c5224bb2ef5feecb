// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/ask/command.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"
#include "views/view.h"

namespace tfprof {

// What is refused before and after a view works, each in one place. Errors: usage.

// What a command reads of its line.
struct Readable {
  std::string_view command;
  unsigned options;      // of OptionGroup
  bool original;         // takes all options of the original, as the original did
  size_t own_words = 0;  // words that are no options
};

// Words too many, and options that the command would ignore.
Result<void> CheckOptions(const Readable& readable, const CommandLine& line,
                          const ParsedOptions& parsed);

// What the options say together, once the view and the format are known.
Result<void> CheckQuery(const View& view, const Query& query);

// Takes out the filters that the view does not look at, so that nothing says it were filtered.
// Returns their names: " -under -focus".
std::string DropUnread(const View& view, Query* query);

// The emitter that -format and -output ask for.
Result<const Emitter*> EmitterFor(const Query& query);

// What is wrong with each invalid expression of `query`, and where it stands in the line.
std::vector<Error> InvalidRegexes(const Query& query, const CommandLine& line);

// An error "-name: ..." that stands nowhere yet stands where the line says -name.
Error MarkOption(Error error, const CommandLine& line);

}  // namespace tfprof
