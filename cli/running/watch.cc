// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <system_error>

#include "cli/arguments.h"
#include "cli/follow/follow.h"
#include "cli/follow/screen_block.h"
#include "cli/follow/watch.h"
#include "cli/message.h"
#include "cli/running/client.h"
#include "cli/running/commands.h"
#include "cli/shell/session.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "core/query/word_options.h"
#include "remote/options.h"
#include "views/diff/limits.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLookEvery{10};

struct WatchWords {
  std::string target;
  std::vector<std::string> for_client;  // options of capture, if the target is a server
  std::string folder;                   // -o; empty: a temporary one
  std::vector<std::string> views;
  std::string baseline;
  std::string summary;  // file
  std::vector<std::string> limits;
  std::chrono::milliseconds every = kLookEvery;
  int64_t times = 0;
  bool quiet = false;
};

Result<void> AddLimits(WatchWords& words, const std::string& value) {
  Query query;
  TFPROF_TRY(FindOption("fail-if")->set(query, value));
  for (std::string& limit : query.fail_if) {
    TFPROF_TRY(ParseLimit(limit));
    words.limits.push_back(std::move(limit));
  }
  return {};
}

constexpr WordOption<WatchWords> kWatchOptions[] = {
    {{"every", "TIME", "the time between two looks (10s)"}, SetInterval<&WatchWords::every, 1>},
    {{"times", "N", "ends after N looks"}, SetCount<&WatchWords::times, 1, 1'000'000'000>},
    {{"baseline", "FILE", "what the job is compared with (the first look)"},
     SetText<&WatchWords::baseline>},
    {{"base", "FILE", "same as -baseline"}, SetText<&WatchWords::baseline>},
    {{"fail-if", "LIMITS", "limits of diff on the new steps: status 6 if one is exceeded"},
     AddLimits},
    {{"view", "COMMAND", "its answer is shown below; repeatable"}, AddText<&WatchWords::views>},
    {{"c", "COMMAND", "same as -view"}, AddText<&WatchWords::views>},
    {{"summary", "FILE", "appends the summary to a file instead of printing it"},
     SetText<&WatchWords::summary>},
    {{"quiet", "", "prints only errors, the summary, and the verdict of -fail-if"},
     SwitchOn<&WatchWords::quiet>},
    {{"o", "LOGDIR", "keeps the traces of servers there"}, SetText<&WatchWords::folder>},
};

// Options of the client that make no sense in captures which are one run each.
constexpr std::string_view kOfSeveralRuns[] = {"run", "keep"};

Result<WatchWords> ReadWatch(const std::vector<std::string>& args) {
  const std::vector<DeclaredOption> options = WatchOptions();
  TFPROF_ASSIGN(const std::vector<GivenWord> all, ReadWords(args, options, "watch"));
  WatchWords words;
  for (const GivenWord& given : all) {
    if (given.option == GivenWord::kNoOption) {
      if (!words.target.empty()) {
        return UsageError("'" + given.text + "': watch looks at one job",
                          "tfprof DIR... jobs shows several");
      }
      words.target = given.text;
    } else if (given.option >= std::size(kWatchOptions)) {
      words.for_client.push_back(AsArgument(options[given.option], given.text));
    } else {
      TFPROF_TRY(SetOne(kWatchOptions[given.option], words, given.text));
    }
  }
  if (words.target.empty())
    return UsageError("watch needs a job", "tfprof watch LOGDIR, or grpc://HOST:PORT");
  if (!remote::IsTarget(words.target) && !words.for_client.empty()) {
    return UsageError(words.for_client.front() + " is for servers",
                      "tfprof watch grpc://HOST:PORT");
  }
  if (!remote::IsTarget(words.target) && !words.folder.empty())
    return UsageError("-o is for servers: no traces are written", "tfprof watch grpc://HOST:PORT");
  if (words.quiet && !words.views.empty()) return UsageError("-quiet shows no answers of -view");
  return words;
}

// Where traces of a server are written; a temporary folder is removed at the end.
class TraceFolder {
 public:
  explicit TraceFolder(const std::string& named) : path_(named), is_temporary_(named.empty()) {
    if (!is_temporary_) return;
    std::string name = (fs::temp_directory_path() / "tfprof-watch-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TraceFolder() {
    std::error_code failed;
    if (is_temporary_ && !path_.empty()) fs::remove_all(path_, failed);
  }
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;

  const std::string& path() const { return path_; }

  // Records once more. Of a temporary folder, only the new run stays. Error: no server answers.
  Result<void> Capture(const WatchWords& words) {
    std::vector<std::string> args{words.target, "-o", path_, "-quiet"};
    args.insert(args.end(), words.for_client.begin(), words.for_client.end());
    std::string output;
    TFPROF_ASSIGN(const int status, RunClient("capture", args, &output));
    const std::string run = LastLine(output);
    if (run.empty()) {
      const bool cancelled = status == static_cast<int>(ErrorKind::cancelled);
      return Fail(cancelled ? ErrorKind::cancelled : ErrorKind::unreadable,
                  cancelled ? "interrupted" : "no server sent a trace", words.target);
    }
    std::error_code failed;
    if (is_temporary_ && !last_run_.empty()) fs::remove_all(last_run_, failed);
    last_run_ = run;
    return {};
  }

 private:
  std::string path_;
  bool is_temporary_;
  std::string last_run_;
};

// Opens the file of the summary, before the job is watched for hours.
Result<std::ofstream> OpenSummary(const std::string& path) {
  std::ofstream file;
  if (!path.empty()) file.open(path, std::ios::app);  // as CI systems collect summaries
  if (!file) return Fail(ErrorKind::unwritable, "cannot be written", path);
  return file;
}

// CI systems end a program with SIGTERM. It acts like Ctrl-C: there is a summary, and no temporary
// folder stays. So does the end of a terminal, unless `nohup` ignores it.
void EndAsInterrupted() {
  struct sigaction interrupt {};
  sigaction(SIGINT, nullptr, &interrupt);
  for (const int number : {SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &interrupt, nullptr);
  }
}

Result<void> WriteSummary(const WatchWords& words, const Watch& watch, std::ofstream& file,
                          Io& io) {
  if (words.summary.empty()) {
    *io.out << (words.quiet ? "" : "\n") << watch.Summary() << std::flush;
    return {};
  }
  if (words.quiet && !watch.Verdict().empty()) PrintMessage(Printable(watch.Verdict()), io);
  file << watch.Summary();
  file.close();
  if (!file) return Fail(ErrorKind::unwritable, "cannot be written", words.summary);
  return {};
}

}  // namespace

std::vector<DeclaredOption> WatchOptions() {
  std::vector<DeclaredOption> options = DeclaredIn(kWatchOptions);
  for (const DeclaredOption& option : remote::DeclaredOptions("capture")) {
    const bool is_ours = FindNamed(options, option.name) != nullptr;
    if (!is_ours && std::ranges::find(kOfSeveralRuns, option.name) == std::end(kOfSeveralRuns))
      options.push_back(option);
  }
  return options;
}

Result<int> RunWatch(const std::vector<std::string>& args, Io& io) {
  TFPROF_ASSIGN(const WatchWords words, ReadWatch(args));
  TFPROF_ASSIGN(std::ofstream summary, OpenSummary(words.summary));
  EndAsInterrupted();
  Session session(io);
  TFPROF_TRY(CheckCommands(words.views, io));
  session.base_path = words.baseline;
  if (!words.baseline.empty()) {
    std::optional<Silence> silence;
    if (words.quiet) silence.emplace(io);
    TFPROF_TRY(OpenBase(session));
  }
  if (words.quiet) io.out_is_terminal = false;  // no screen is drawn
  Watch watch({words.target, words.views, words.limits, words.quiet});
  std::optional<TraceFolder> traces;
  Following following;
  following.every = words.every;
  following.last = std::max(kFollowLast, 2 * words.every);  // no step is missed between two looks
  following.looks = words.times;
  following.answer = [&](Session& open) { return watch.Look(open); };
  if (remote::IsTarget(words.target)) {
    traces.emplace(words.folder);
    following.before = [&] { return traces->Capture(words); };
    following.inputs = {{traces->path(), {}}};
  } else {
    following.inputs = FileInputs({words.target}, {});
  }
  const Result<int> followed = Follow(session, following);
  if (!followed && watch.looks() == 0) return Failure(followed.error());
  TFPROF_TRY(WriteSummary(words, watch, summary, io));
  if (!followed && followed.error().kind != ErrorKind::cancelled)
    PrintMessage("ended: " + followed.error().what, io);
  if (followed && *followed != 0) return *followed;
  return watch.Status();
}

}  // namespace tfprof
