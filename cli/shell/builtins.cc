// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <system_error>

#include "analysis/steps/step_selection.h"
#include "cli/answer/destination.h"
#include "cli/arguments.h"
#include "cli/ask/checks.h"
#include "cli/ask/question.h"
#include "cli/follow/follow.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/places.h"
#include "cli/shell/commands.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

constexpr int kMaxSourceDepth = 16;

// The words after the first `skip` ones, as a separate command.
CommandLine Rest(const CommandLine& line, size_t skip) {
  CommandLine rest = line;
  rest.words.erase(rest.words.begin(), rest.words.begin() + static_cast<ptrdiff_t>(skip));
  return rest;
}

// Options that belong to one table or one command cannot be kept for all.
Result<void> CheckKept(const CommandLine& line, const ParsedOptions& parsed) {
  for (const Word& word : parsed.given_words) {
    const std::string_view name = OptionName(word.text);
    if (Reads(kUnkeptOptions, *FindOption(name))) {
      return Refused(line, word, "-" + std::string(name) + " applies to one command only",
                     "give it with the command");
    }
    const bool own_order = name == "order_by" && !OrderCalled(parsed.query.display.order_column);
    if (name == "where" || name == "columns" || name == "unfold" || own_order) {
      const std::string_view what = name == "unfold" ? "rows" : "a column";
      return Refused(line, word, fmt::format("-{} names {} of one table", name, what),
                     "give it with the command");
    }
  }
  const std::string& format = parsed.query.display.format;
  if (format.empty() || FindEmitter(format) != nullptr) return {};
  return NoFormat(format);
}

bool IsAboutHints(std::span<const Word> words) {
  return !words.empty() && words.front().text == "hints";
}

Result<void> KeepHints(Session& session, const CommandLine& line, std::span<const Word> words) {
  if (words.size() != 2 || (words[1].text != "on" && words[1].text != "off")) {
    return Refused(line, words.back(), "hints are on or off", "set hints off");
  }
  session.hints = words[1].text == "on";
  return {};
}

Error WithPathHint(Error error) {
  if (error.kind == ErrorKind::unreadable && HintOf(error).empty()) {
    error.hint = "paths are relative to the folder in which tfprof was started; Tab completes them";
  }
  return error;
}

// Warns about options of `set` without matches in a new profile. They stay in force, so every query
// would fail, and the option may have been set long ago.
void WarnOfEmptyOptions(const Session& session) {
  const Query& kept = session.options;
  const auto warn = [&](std::string_view option, const std::string& value, std::string_view none,
                        const Result<void>& found) {
    if (found || found.error().kind != ErrorKind::usage) return;
    std::string_view what = found.error().what;
    const std::string head = fmt::format("-{}: ", option);
    if (what.starts_with(head)) what.remove_prefix(head.size());
    PrintMessage(
        fmt::format(
            "note: -{0} {1} is still set and fails here: {2}; {3}; `set -{0} {4}` resets it",
            option, Printable(value), Printable(what), Printable(HintOf(found.error())), none),
        session.io);
  };
  Work work(session);
  warn("step", kept.place.StepText(), "-1",
       CheckStep(*session.profile.store, *session.profile.indexes, kept.place, {}, work.context));
  const Result<void> host = CheckPlaces(session, kept, true);
  warn("host", kept.place.host, "''", host);
  if (host) warn("device", kept.place.device, "''", CheckPlaces(session, kept, false));
}

}  // namespace

Result<void> KeepOptions(Session& session, const CommandLine& line, std::span<const Word> words) {
  if (IsAboutHints(words)) return KeepHints(session, line, words);
  TFPROF_ASSIGN(ParsedOptions parsed, ParseOptions(line, words, session.options, session.classic));
  if (!parsed.words.empty()) {
    return Refused(line, parsed.words.front(), "set takes options", "for example -max_depth 3");
  }
  TFPROF_TRY(CheckKept(line, parsed));
  // The original keeps them, and then prints nothing.
  const std::vector<Error> invalid = InvalidRegexes(parsed.query, line);
  if (!session.classic && !invalid.empty()) return Failure(invalid.front());
  session.options = std::move(parsed.query);
  session.options.display.order_column.clear();
  session.given |= parsed.given;
  return {};
}

Result<int> RunSet(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  if (line.words.size() == 1) {
    out.Append(ListActiveFilters(session));
    return 0;
  }
  KeptOptions before{session.options, session.given};
  const std::span<const Word> words = std::span(line.words).subspan(1);
  TFPROF_TRY(KeepOptions(session, line, words));
  if (!IsAboutHints(words)) RememberOptions(session, std::move(before));
  return 0;
}

Result<int> RunLoad(Session& session, const CommandLine& line, std::string_view, Sink&) {
  std::vector<std::string> paths;
  for (const Word& word : std::span(line.words).subspan(1)) paths.push_back(word.text);
  const bool as_base = paths.size() == 3 && paths[1] == "as" && paths[2] == "base";
  if (as_base) {
    session.base_path = paths[0];
    session.base.reset();
  }
  const Result<void> opened =
      as_base ? OpenBase(session) : OpenInputs(session, FileInputs(paths, {}, {}, session.ranks));
  if (!opened) return Failure(WithPathHint(opened.error()));
  if (!as_base) WarnOfEmptyOptions(session);
  return 0;
}

Result<int> RunFollow(Session& session, const CommandLine& line, std::string_view, Sink&) {
  Following following{session.inputs, {}, {}, kFollowEvery};
  size_t words = 1;
  for (; words < line.words.size(); words += 2) {
    const std::string_view option = OptionName(line.words[words].text);
    if (option != "every" && option != "last") break;
    if (words + 1 == line.words.size()) {
      return Refused(line, line.words[words], fmt::format("-{} needs a time", option),
                     "follow -every 2s -last 60s");
    }
    const Word& value = line.words[words + 1];
    Result<std::chrono::milliseconds> time =
        option == "last" ? ParseLast(value.text) : ParseInterval(value.text);
    if (!time) return Failure(AtWord(std::move(time).error(), line, value));
    (option == "last" ? following.last : following.every) = *time;
  }
  following.command = Rest(line, words);
  const std::vector<Word>& command = following.command.words;
  if (!command.empty() && FindView(command.front().text) == nullptr) {
    return Refused(line, line.words[words], "follow repeats the answer of a view",
                   "follow -every 2s op");
  }
  const View* const view = command.empty() ? nullptr : FindView(command.front().text);
  if (view == nullptr || !view->shows_jobs) following.inputs = session.opened;
  return Follow(session, following);
}

Result<int> RunSource(Session& session, const CommandLine& line, std::string_view place, Sink&) {
  const std::string& path = line.words[1].text;
  if (session.sourcing >= kMaxSourceDepth) {
    return Refused(line, line.words[1], "files that source each other in a cycle");
  }
  ++session.sourcing;
  const int status = RunScriptFile(session, path, {}, place);
  --session.sourcing;
  return status;
}

Result<int> RunTime(Session& session, const CommandLine& line, std::string_view place, Sink&) {
  const auto begin = std::chrono::steady_clock::now();
  const int status = Execute(session, Rest(line, 1), place);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  *session.io.err << fmt::format("{:.3f} s\n", seconds.count()) << std::flush;
  return status;
}

Result<int> RunEcho(Session&, const CommandLine& line, std::string_view, Sink& out) {
  for (size_t i = 1; i < line.words.size(); ++i) {
    if (i > 1) out.Append(" ");
    out.Append(line.words[i].text);
  }
  out.Append("\n");
  return 0;
}

Result<int> RunHistory(Session& session, const CommandLine&, std::string_view, Sink& out) {
  for (size_t i = 0; i < session.history.size(); ++i) {
    out.Append(fmt::format("{:5}  {}\n", i + 1, session.history[i]));
  }
  return 0;
}

Result<int> RunHelp(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  TFPROF_ASSIGN(const std::string text,
                HelpAbout(line, session.profile.store.get(), ScreenColumns(session, line)));
  out.Append(text);
  return 0;
}

Result<int> RunClear(Session& session, const CommandLine&, std::string_view, Sink& out) {
  const bool on_screen = session.io.out_is_terminal && Environment("TERM") != "dumb";
  if (on_screen) out.Append("\x1b[H\x1b[2J");
  return 0;
}

Result<int> RunQuit(Session& session, const CommandLine&, std::string_view, Sink&) {
  session.quit = true;
  return 0;
}

std::string UserFile(const char* variable, const std::string& in_home, const std::string& file) {
  const std::string_view folder = Environment(variable), home = Environment("HOME");
  if (folder.starts_with('/')) return std::string(folder) + "/tfprof/" + file;
  if (home.empty()) return {};
  return std::string(home) + "/" + in_home + "/tfprof/" + file;
}

Result<void> ReadConfig(Session& session, const std::string& path) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status) && failed.value() != EACCES) return {};
  // A FIFO would wait for a writer forever.
  const Failure unread =
      Fail(ErrorKind::unreadable, "cannot read the configuration", path, "--no-config ignores it");
  if (!std::filesystem::is_regular_file(status) && !std::filesystem::is_character_file(status)) {
    return unread;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return unread;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    if (text.ends_with('\r')) text.pop_back();
    const size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos || text[first] == '#') continue;
    Result<CommandLine> line = SplitShell(text);
    const Result<void> kept =
        line ? KeepOptions(session, *line, line->words) : Failure(std::move(line).error());
    if (kept) continue;
    Error error = kept.error();
    error.what = path + ":" + std::to_string(number) + ": " + error.what;
    if (error.hint.empty()) error.hint = "--no-config ignores it";
    return Failure(std::move(error));
  }
  return {};
}

}  // namespace tfprof
