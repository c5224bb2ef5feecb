// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask/command.h"
#include "cli/completion/completion.h"
#include "cli/shell/session.h"
#include "core/query/options.h"

namespace tfprof {

// The names to look for.
struct NameRequest {
  // tree: scopes and nodes; subjects: all that peek and why accept, with source lines
  enum Kinds : uint8_t { scopes, tree, types, all, subjects };

  std::string_view typed;  // prefix of the names
  Kinds kinds = all;
  std::string under;     // the scope to look in, by names relative to it
  bool anywhere = true;  // if the scope has none: of the whole profile
  size_t max = SIZE_MAX;
};

struct NamesFound {
  std::vector<std::string> names;  // the costliest first
  size_t more = 0;                 // names found beyond NameRequest::max
  std::string shared;              // if `more`: the common prefix of all
};

// Names of the open profile: scopes (with a trailing slash) and nodes, one level below the last
// typed slash, operation types, and FILE:LINE once something is typed. None if `context` was
// cancelled.
NamesFound NamesThatBegin(const Session& session, const NameRequest& name_request,
                          Context& context);

// The values of -step, ascending. None if `context` was cancelled.
std::vector<std::string> StepTexts(const Session& session, Context& context);
// Names of lanes (or processes) and of hosts, as -device and -host match them.
std::vector<std::string> DeviceNames(const Session& session);
std::vector<std::string> HostNames(const Session& session);
// Ids and human-readable headings of the columns of the last answer if `command` made it, else of
// the columns that `command` can produce. Empty `command`: of the last answer, whichever command
// made it.
std::vector<std::string> ColumnNames(const Session& session, std::string_view command = {});

// The parts of completion (cli/completion/completion.h has its purpose).

// The line that is completed at its end, and the context of the request.
struct CompletionRequest {
  std::string_view line;
  const Session* session = nullptr;  // null: nothing is open
  Context* context = nullptr;        // of a hint: one candidate is enough; null: all candidates

  bool ForHint() const { return context != nullptr; }
};

// Each of these completes line[from, end), with candidates in list order.
Completion Nothing(size_t from);
Completion Among(const CompletionRequest& request, size_t from,
                 const std::vector<std::string>& names);
// Completes the last of comma-separated names; the names before it are not candidates.
Completion AmongList(const CompletionRequest& request, size_t from, std::vector<std::string> names);
Completion Files(const CompletionRequest& request, size_t from);
// Completes step numbers of the profile.
Completion Steps(const CompletionRequest& request, size_t from);
// Completes names of the profile, those in the current scope first.
Completion ProfileNames(const CompletionRequest& request, size_t from, NameRequest::Kinds kinds);
// Completes a scope for cd.
Completion ScopePaths(const CompletionRequest& request, size_t from);
// Completes the value of an option of `command`.
Completion OptionValue(const CompletionRequest& request, size_t from, const Option& option,
                       std::string_view command);

// A line that is being typed, in which a quote may be open. Completion works on the unquoted text
// of the last word.
struct TypedLine {
  std::string_view raw;
  std::string plain;        // the line with the last word unquoted
  std::vector<Word> words;  // of `plain`; the last one ends at the cursor and may be empty
  bool classic = false;     // quotes are letters
  char quote = 0;           // the open quote; 0: none
  size_t quote_at = 0;      // its position in `raw`
  // For each byte of the last word: its position in `raw` (with the quote that opens before it) and
  // the open quote there. One more entry for the next byte to be typed.
  struct Place {
    size_t at = 0;
    char within = 0;
  };
  std::vector<Place> places;
};

// Splits words as SplitShell does; `classic`: as SplitClassic.
TypedLine ReadTyped(std::string_view line, bool classic);

// Converts a completion of line.plain to one of line.raw, with quotes where a candidate needs them.
// The quotes are closed after a candidate that cannot continue.
Completion InQuotes(const TypedLine& line, Completion completion);

}  // namespace tfprof
