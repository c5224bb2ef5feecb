// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/follow.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <ostream>
#include <thread>
#include <utility>

#include "cli/follow/converter.h"
#include "cli/follow/last_steps.h"
#include "cli/follow/recordings.h"
#include "cli/follow/screen_block.h"
#include "cli/message.h"
#include "cli/shell/commands.h"
#include "cli/shell/terminal.h"
#include "core/base/arith.h"
#include "core/query/word_options.h"
#include "core/text/units.h"
#include "loaders/io/source.h"
#include "views/view.h"

namespace tfprof {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLookForInterrupt{50};
// A refresh that takes much work happens less often: it uses at most a quarter of the time.
constexpr int kWaitPerWork = 3;
// Other processes may begin after the last one has ended, unless nothing changes for so long.
constexpr std::chrono::seconds kSilence{10};

constexpr int64_t kMaxSteps = 8;     // of the last ones
constexpr int64_t kLinesAround = 2;  // of their table: its head, and the number of others

// False: Ctrl-C.
bool WaitUntil(steady_clock::time_point until) {
  while (steady_clock::now() < until) {
    if (Interrupted()) return false;
    std::this_thread::sleep_for(std::min(
        kLookForInterrupt,
        std::chrono::duration_cast<milliseconds>(until - steady_clock::now()) + milliseconds(1)));
  }
  return !Interrupted();
}

bool IsCancelled(const Error& error) { return error.kind == ErrorKind::cancelled; }

// Opens the files as they are now. A file that is being written is damaged or empty: then what is
// readable is opened.
Result<void> Reopen(Session& session, const std::vector<Input>& inputs) {
  const Silence silence(session.io);
  const Result<void> opened = OpenInputs(session, inputs);
  if (opened || IsCancelled(opened.error()) || session.limits.partial) return opened;
  session.limits.partial = true;
  const Result<void> in_part = OpenInputs(session, inputs);
  session.limits.partial = false;
  return in_part ? in_part : opened;
}

// True if the answer has all jobs beside each other; others are about one of them.
bool ShowsJobs(const Following& following) {
  if (following.command.words.empty()) {
    return following.texts.empty() && JobsOf(following.inputs).size() > 1;
  }
  const View* const view = FindView(following.command.words.front().text);
  return view != nullptr && view->shows_jobs;
}

std::string Header(const Session& session, const Following& following) {
  const std::time_t now = std::time(nullptr);
  const std::vector<Input>& shown = ShowsJobs(following) ? following.inputs : session.opened;
  std::string names;
  for (const Input& input : shown) names += (names.empty() ? "" : ", ") + input.path;
  const ProcessCounts counts = CountProcesses(shown);
  const std::string processes =
      counts.all == 0 ? std::string()
                      : fmt::format(", {} of {} processes running", counts.running, counts.all);
  const int64_t shown_ns = ShownOf(shown);
  const std::string part = shown_ns == kNoInt
                               ? std::string()
                               : fmt::format(", last {}", Human(shown_ns * kPsPerNs, Unit::ps));
  return fmt::format("{}: {:%H:%M:%S}{}{}\n", Printable(names), fmt::localtime(now), part,
                     processes);
}

// JSON, CSV and the like are read by programs, which need no headers.
bool IsForReaders(const Session& session, const Following& following) {
  const std::string& format = session.options.display.format;
  const auto& words = following.command.words;
  const bool is_named = std::ranges::any_of(
      words, [](const Word& word) { return OptionName(word.text) == "format"; });
  const auto names_format = [](const std::string& text) {
    return text.find("-format") != text.npos;
  };
  return (format.empty() || format == "table") && !is_named &&
         std::ranges::none_of(following.texts, names_format);
}

int AnswerCommands(Session& session, const Following& following, const ScreenBlock& block) {
  if (!following.command.words.empty()) return Execute(session, following.command, "tfprof: ");
  for (const std::string& text : following.texts) {
    if (const int status = Execute(session, text, ""); status != 0) return status;
  }
  if (!following.texts.empty()) return 0;
  const bool jobs = ShowsJobs(following);
  const int status = Execute(session, jobs ? "jobs" : "summary", "");
  if (status != 0 || session.output_closed || jobs || !IsForReaders(session, following)) {
    return status;
  }
  *session.io.out << "\n";
  const int64_t rows = block.RowsLeft(kMaxSteps + kLinesAround) - kLinesAround;
  const Result<void> written = WriteLastSteps(session, std::max<int64_t>(rows, 1));
  return written ? 0 : ExitStatus(written.error());
}

// What the files look like. Spools are listed before the recorder makes traces of them: what is
// written later is a change.
struct Look {
  std::vector<WatchedFile> spools;
  std::vector<WatchedFile> files;
  int64_t running = 0;

  bool operator==(const Look&) const = default;
};

// One look at the files after another.
class Follower {
 public:
  Follower(Session& session, const Following& following)
      : session_(session), following_(following) {}

  // Looks at the files, and answers if they changed. Error: an input that cannot be opened.
  Result<void> Refresh() {
    if (following_.before != nullptr) TFPROF_TRY(following_.before());
    work_begins_ = steady_clock::now();
    ++looks_;
    Look look{SpoolsOf(following_.inputs), {}, 0};
    for (const Input& input : following_.inputs) {
      if (!NeedsConversion(input.path)) {
        converters_.erase(input.path);
        continue;
      }
      Converter& converter =
          converters_.try_emplace(input.path, input.path, following_.last).first->second;
      if (!converter.Convert() && !Interrupted() && !std::exchange(warned_, true)) {
        PrintMessage("tfprof-capture cannot make traces of what runs; shown is what was converted",
                     session_.io);
      }
    }
    look.files = WatchedFiles(following_.inputs);
    look.running = CountProcesses(following_.inputs).running;
    if (look == look_) return {};
    look_ = std::move(look);
    changed_ = steady_clock::now();
    const Result<void> opened = Reopen(session_, following_.inputs);
    if (!opened) return Explain(opened.error());
    session_.files.clear();  // files that change are opened again
    return Show();
  }

  // A recording that was started without its launcher has nobody else who makes whole traces.
  Result<void> End() {
    if (StateOfRecordings(following_.inputs) != RecordingState::silent) return {};
    if (ShownOf(following_.inputs) == kNoInt) return {};
    converters_.clear();
    for (const Input& input : following_.inputs) {
      if (NeedsConversion(input.path)) Converter(input.path, milliseconds(0)).Convert();
    }
    TFPROF_TRY(Reopen(session_, following_.inputs));
    return Show();
  }

  // When to look again, after a look that began then. `before` is not our work: it waits for
  // others.
  steady_clock::time_point NextLook(steady_clock::time_point began) const {
    const auto now = steady_clock::now();
    return std::max(began + following_.every, now + kWaitPerWork * (now - work_begins_));
  }

  bool IsOver() const {
    if (is_cancelled_ || status_ != 0 || session_.output_closed || session_.quit) return true;
    if (looks_ == following_.looks) return true;
    const RecordingState state = StateOfRecordings(following_.inputs);
    return state == RecordingState::ended ||
           (state == RecordingState::silent && steady_clock::now() - changed_ >= kSilence);
  }
  // Error: nothing was ever shown, and nothing more comes.
  Result<int> Status() const {
    if (is_cancelled_) return 0;
    if (!shown_ && failed_) return Failure(*failed_);
    return status_;
  }

 private:
  Result<void> Show() {
    TakeSize(session_.io);
    ScreenBlock block(session_.io);
    const bool terminal = session_.io.out_is_terminal;
    if (following_.answer == nullptr && IsForReaders(session_, following_)) {
      *session_.io.out << (shown_ && !terminal ? "\n" : "") << Header(session_, following_);
    }
    if (following_.answer != nullptr) {
      Result<int> answered = following_.answer(session_);
      is_cancelled_ = !answered && IsCancelled(answered.error());
      if (!answered && !is_cancelled_) return Failure(answered.error());
      if (answered) status_ = *answered;
    } else {
      status_ = AnswerCommands(session_, following_, block);
    }
    if (status_ == static_cast<int>(ErrorKind::cancelled)) is_cancelled_ = true;
    block.Draw(!shown_);
    shown_ = true;
    return {};
  }

  // A folder may have no profile yet. The last answer stays.
  Result<void> Explain(const Error& error) {
    is_cancelled_ = IsCancelled(error);
    if (is_cancelled_) return {};
    const bool are_there = std::ranges::all_of(
        following_.inputs, [](const Input& input) { return Exists(input.path); });
    if (!are_there || error.kind == ErrorKind::usage) return Failure(error);
    const bool is_new = !failed_ || failed_->what != error.what;
    failed_ = error;
    if (is_new) {
      PrintMessage(fmt::format("waiting: {}{}{}", Printable(error.where),
                               error.where.empty() ? "" : ": ", error.what),
                   session_.io);
    }
    return {};
  }

  Session& session_;
  const Following& following_;
  std::map<std::string, Converter> converters_;  // by folder
  std::optional<Look> look_;                     // none: the files were not looked at yet
  std::optional<Error> failed_;                  // the last time the files could not be opened
  int64_t looks_ = 0;
  bool shown_ = false;
  bool warned_ = false;
  bool is_cancelled_ = false;
  steady_clock::time_point work_begins_;
  steady_clock::time_point changed_;
  int status_ = 0;
};

}  // namespace

Result<milliseconds> ParseLast(std::string_view text) {
  if (text == "all") return milliseconds(0);
  return ParseInterval(text);
}

Result<int> Follow(Session& session, const Following& following) {
  const Work whole(session);  // Ctrl-C ends it, also between two answers
  const bool pages = std::exchange(session.pages, false);
  Follower follower(session, following);
  Result<int> ended = 0;
  while (true) {
    const auto begin = steady_clock::now();
    const Result<void> done = follower.Refresh();
    if (!done) ended = Failure(done.error());
    if (done && follower.IsOver()) {
      const Result<void> whole = follower.End();
      ended = whole ? follower.Status() : Failure(whole.error());
      break;
    }
    if (!done) break;
    if (!WaitUntil(follower.NextLook(begin))) break;
  }
  session.pages = pages;
  if (session.profile.store != nullptr) session.files = FileStates(*session.profile.store);
  return ended;
}

}  // namespace tfprof
