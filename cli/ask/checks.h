// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/ask/command.h"
#include "core/query/query.h"
#include "emitters/emitter.h"
#include "views/view.h"

namespace tfprof {

// Checks before and after a view runs, each in one place. Errors: usage.

// The options and words that a command reads.
struct Readable {
  std::string_view command;
  unsigned options;          // bits of OptionGroup
  bool original;             // takes all options of the original, as the original did
  size_t max_arguments = 0;  // words that are not options
};

// Fails on surplus words and on options that the command would ignore.
Result<void> CheckOptions(const Readable& readable, const CommandLine& line,
                          const ParsedOptions& parsed);

// Checks that the options are consistent, once the view and the format are known.
Result<void> CheckQuery(const View& view, const Query& query);

// True if -order_by names a further column by which the view can order its rows.
bool OrdersByFurther(const View& view, const Display& display);

// Removes the filters that the view ignores, so that nothing reports them as applied. Returns their
// names: " -under -focus".
std::string DropUnread(const View& view, Query* query);

// The emitter that -format and -output select.
Result<const Emitter*> EmitterFor(const Query& query);

// The error for a -format that does not exist.
Failure NoFormat(const std::string& name);

// An error for each invalid expression of `query`, with its position in the line.
std::vector<Error> InvalidRegexes(const Query& query, const CommandLine& line);

// Adds the position of -name in the line to an error "-name: ..." that has no position yet.
Error MarkOption(Error error, const CommandLine& line);

}  // namespace tfprof
