// SPDX-License-Identifier: Apache-2.0
#include "cli/own_word.h"

#include "cli/row_names.h"
#include "cli/scope_path.h"
#include "core/options.h"

namespace tfprof {
namespace {

Result<void> HasBase(const Session& session) {
  if (!session.base_path.empty()) return {};
  return Fail(ErrorKind::usage, "nothing to compare with", {},
              "diff BASE, or --base BASE, or load BASE as base");
}

// A path that begins elsewhere, as ../x does, becomes one from the whole profile: what is there is
// asked for, and not what the scope that one is in has of it.
Result<void> LeadPath(Query* query) {
  TFPROF_ASSIGN(const ScopePath path, ReadScopePath(query->subject, query->under));
  if (path.anywhere) return {};
  std::string full = path.Full();
  query->subject = full.empty() ? "/" : std::move(full);
  query->under.clear();
  return {};
}

}  // namespace

Result<void> TakeOwnWord(const Session& session, const View& view, const CommandLine& line,
                         ParsedOptions* parsed) {
  if (view.subject == Subject::none) return {};
  if (parsed->words.empty()) {
    if (view.subject == Subject::rows || view.subject == Subject::scope) return {};
    if (view.subject == Subject::base) return HasBase(session);
    const std::string name(view.name);
    Error error{ErrorKind::usage, name + " needs a word: what to look at", {}, name + " NAME"};
    return Failure(AtWord(std::move(error), line, line.words.front()));
  }
  const Word& word = parsed->words.front();
  if (view.subject == Subject::rows) {
    Result<void> set = SetOption(*FindOption("n"), word.text, parsed->query);
    return set ? set : Failure(AtWord(std::move(set).error(), line, word));
  }
  if (word.text.empty()) {
    return Failure(AtWord({ErrorKind::usage, "an empty word", {}, {}}, line, word));
  }
  parsed->query.subject = word.text;
  if (view.subject == Subject::name || view.subject == Subject::scope) {
    TFPROF_ASSIGN(parsed->query.subject, NameOrRow(session, line, word));
  }
  if (view.subject != Subject::scope) return {};
  Result<void> led = LeadPath(&parsed->query);
  return led ? led : Failure(AtWord(std::move(led).error(), line, word));
}

Result<void> TakeBase(Session& session, const View& view, Query* query) {
  if (view.subject != Subject::base) return {};
  if (!query->subject.empty() && query->subject != session.base_path) {
    session.base_path = query->subject;
    session.base.reset();
  }
  TFPROF_TRY(OpenBase(session));
  query->base = session.base;
  return {};
}

}  // namespace tfprof
