// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <utility>

#include "api/behind.h"
#include "cli/answer/answer.h"
#include "cli/ask/checks.h"
#include "cli/ask/question.h"
#include "cli/export/writing.h"
#include "cli/places.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "core/report/changes.h"
#include "core/report/keep_rows.h"
#include "core/report/refine.h"

namespace tfprof::v1 {
namespace {

// The words of a command with these options. Each option and its value are one word, so that no
// value is taken for an option.
CommandLine LineOf(std::string name, const std::string& about, const Options& options) {
  std::vector<std::string> words{std::move(name)};
  if (!about.empty()) words.push_back(about);
  for (const auto& [option, value] : options) words.push_back("-" + option + "=" + value);
  return JoinWords(words);
}

// Diff names its base by a file; an open profile stands for one.
constexpr std::string_view kBase = "(base)";

tfprof::Result<Report> AnswerLine(Asking& asking, const CommandLine& line) {
  // Rows for machines: all of them, unfolded.
  asking.session.options.display.format = "json";
  Work work(asking.session);
  TFPROF_ASSIGN(Answered answered, AnswerFor(asking.session, line, -1, work.context));
  if (answered.report.blocks) {
    constexpr size_t kAll = std::numeric_limits<size_t>::max();
    TFPROF_TRY(TakeBlocks(kAll, &answered.report, work.context));
  }
  return Report(
      std::make_shared<Report::Behind>(std::move(answered.report), std::move(answered.query)));
}

tfprof::Result<Report> AnswerText(const Profile& profile, std::string_view text) {
  Asking asking(profile.behind(), nullptr);
  TFPROF_ASSIGN(const CommandLine line, SplitShell(text));
  return AnswerLine(asking, line);
}

tfprof::Result<std::string> WriteLine(Asking& asking, std::string_view name,
                                      const CommandLine& line) {
  const WritingCommand* command = FindWritingCommand(name);
  if (command == nullptr) {
    return UsageError("no command '" + std::string(name) + "' that writes a file",
                      OneOf(std::string(name), NamesIn(WritingCommands())));
  }
  tfprof::Result<int> written = WriteFile(asking.session, *command, line, "");
  if (!written) return Failure(MarkOption(std::move(written).error(), line));
  return std::move(asking.err).str();
}

}  // namespace

Result<Report> Answer(const Profile& profile, const Question& question) {
  Asking asking(profile.behind(), question.stop);
  std::string about = question.about;
  if (question.base != nullptr) {
    about = kBase;
    asking.session.base_path = kBase;
    asking.session.base = question.base->behind().profile.store;
  }
  return ToPublic(AnswerLine(asking, LineOf(question.view, about, question.options)));
}

Result<Report> Answer(const Profile& profile, std::string_view line) {
  return ToPublic(AnswerText(profile, line));
}

Result<std::string> Write(const Profile& profile, std::string_view command, const std::string& path,
                          const Options& options, const std::atomic<bool>* stop) {
  Asking asking(profile.behind(), stop);
  return ToPublic(WriteLine(asking, command, LineOf(std::string(command), path, options)));
}

}  // namespace tfprof::v1
