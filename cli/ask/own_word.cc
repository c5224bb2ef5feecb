// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/own_word.h"

#include "cli/ask/row_names.h"
#include "cli/ask/scope_path.h"
#include "core/query/options.h"
#include "core/query/query.h"
#include "views/subject.h"

namespace tfprof {
namespace {

Result<void> HasBase(const Session& session) {
  if (!session.base_path.empty()) return {};
  return Fail(ErrorKind::usage, "nothing to compare with", {},
              "diff BASE, or --base BASE, or load BASE as base");
}

// A path that begins elsewhere, such as ../x, becomes an absolute path: the query is about that
// scope, not about its part inside the current scope.
void LeadPath(const ScopePath& path, Query* query) {
  query->subject = path.anywhere ? path.rest : path.Full();
  if (query->subject.empty()) query->subject = "/";
  if (!path.anywhere) query->nodes.under.clear();
}

// Reads the scope of `ls SCOPE`; - is the scope before the last `cd`.
Result<void> TakeScope(const Session& session, const CommandLine& line, const Word& word,
                       Query* query) {
  if (word.text == "-") {
    TFPROF_ASSIGN(const std::string before, ScopeBefore(session, line, word));
    LeadPath({before, {}, false}, query);
    return {};
  }
  TFPROF_TRY(CheckFlagBefore(line, word));
  TFPROF_ASSIGN(const ScopePath path, PathOrRow(session, line, word, query->nodes.under));
  LeadPath(path, query);
  return {};
}

// The name of the subject. For a row of types, given by its number or its name there, that is the
// name of the type: nodes may have the same name.
Result<std::string> SubjectOf(const Session& session, const CommandLine& line, const Word& word) {
  TFPROF_ASSIGN(std::string name, NameOrRow(session, line, word));
  const bool is_row = name != word.text || IsRowOfLast(session, name);
  if (is_row && FindView(session.named->view)->rows_are == RowsAre::types)
    name.insert(0, kTypePrefix);
  return name;
}

}  // namespace

Result<void> TakeOwnWord(const Session& session, const View& view, const CommandLine& line,
                         ParsedOptions* parsed) {
  if (view.subject == Subject::none) return {};
  if (parsed->words.empty()) {
    if (view.subject == Subject::rows || view.subject == Subject::scope) return {};
    if (view.subject == Subject::base) return HasBase(session);
    const std::string name(view.name);
    Error error{ErrorKind::usage, name + " needs a name", {}, name + " NAME"};
    return Failure(AtWord(std::move(error), line, line.words.front()));
  }
  const Word& word = parsed->words.front();
  if (view.subject == Subject::rows) {
    if (parsed->given[OptionIndex(*FindOption("n"))]) return {};  // -n gives it, too: `last`
    Result<void> set = SetOption(*FindOption("n"), word.text, parsed->query);
    return set ? set : Failure(AtWord(std::move(set).error(), line, word));
  }
  if (word.text.empty()) {
    return Failure(AtWord({ErrorKind::usage, "an empty word", {}, {}}, line, word));
  }
  parsed->query.subject = word.text;
  if (view.subject == Subject::scope) return TakeScope(session, line, word, &parsed->query);
  if (view.subject != Subject::name) return {};
  TFPROF_ASSIGN(parsed->query.subject, SubjectOf(session, line, word));
  if (!IsRoot(parsed->query.subject)) return {};
  return WholeProfile(line, word, "`summary` covers the whole profile; `ls /` lists its contents");
}

Result<void> TakeBase(Session& session, const View& view, Query* query) {
  if (view.subject != Subject::base) return {};
  if (!query->subject.empty() && query->subject != session.base_path) {
    session.base_path = query->subject;
    session.base.reset();
  }
  TFPROF_TRY(OpenBase(session));
  query->diff.base = session.base;
  return {};
}

}  // namespace tfprof
