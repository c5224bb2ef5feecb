// SPDX-License-Identifier: Apache-2.0
#include "cli/running/commands.h"

#include "cli/ask/question.h"
#include "cli/shell/commands.h"
#include "cli/shell/session.h"
#include "core/base/nearest.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr RunningCommand kRunningCommands[] = {
    {"capture", "tfprof capture SERVER... -o LOGDIR [options], or tfprof capture local PID",
     "records on running servers, or a program under the recorder",
     "SERVER is grpc://HOST:PORT,HOST:PORT (or grpc://@FILE, one a line) of programs that called "
     "tf.profiler.experimental.server.start or jax.profiler.start_server, or tpu:NAME. All of them "
     "record at the same time; their traces are a run of a log directory, as TensorBoard has them. "
     "`capture local PID` records a program that runs under tfprof-capture, with -duration and -c. "
     "The first Ctrl-C ends the sessions, and keeps what was recorded.",
     "tfprof capture grpc://h1:6009,h2:6009 -duration 2s -o logs -c overview", CaptureOptions,
     RunCapture},
    {"monitor", "tfprof monitor SERVER... [options]", "what servers say about their devices now",
     "The Monitor call of the same servers; TPUs have it.",
     "tfprof monitor grpc://h1:8466 -every 2s", MonitorOptions, RunMonitor},
    {"watch", "tfprof watch LOGDIR|DIR|SERVER [options]",
     "a job over time, compared with a baseline, with limits for CI",
     "Looks at a job again and again: step time, device utilization, memory and findings, as "
     "curves on a terminal, one line per look elsewhere. The job is a log directory, a recording "
     "that grows, or servers, which are then captured each time. It ends with Ctrl-C, after -times "
     "N looks, or with the job, and prints a summary in Markdown. The status is 6 if a limit is "
     "exceeded in the last look. With a SERVER, the options of capture work as well.",
     "tfprof watch logs -every 30s -baseline good.xplane.pb -fail-if 'step>+10%'\ntfprof watch "
     "grpc://h1:6009 -every 1m -times 20 -view 'op -n 5'",
     WatchOptions, RunWatch},
    {"serve", "tfprof serve FILE...|LOGDIR [options]",
     "the page of report, live, in a browser of this computer",
     "Prints an address: a browser of this computer shows there what `report` writes, and asks for "
     "each answer when it is shown. That is for profiles which are too large for one page, and for "
     "several: FILEs, folders of profiles, and log directories, whose runs are listed with the "
     "newest first; new ones appear. No other computer and no other page reaches it. Ctrl-C ends "
     "it.",
     "tfprof serve logs\ntfprof serve new.xplane.pb -base old.xplane.pb -port 8000", ServeOptions,
     RunServe},
    {"fetch", "tfprof fetch URL [options]", "copies a profile from elsewhere into a cache folder",
     "URL is gs://BUCKET/PATH, s3://BUCKET/PATH, ssh://HOST:PATH or https://HOST/PATH, a file or a "
     "folder (https: a file). The copy is made by gcloud or gsutil, aws, scp or curl, which also "
     "know how to log in. It is kept in ~/.cache/tfprof, and its path is printed.",
     "tfprof fetch gs://bucket/logs -c summary", FetchOptions, RunFetch},
};

}  // namespace

std::span<const RunningCommand> RunningCommands() { return kRunningCommands; }

const RunningCommand* FindRunningCommand(std::string_view name) {
  return FindNamed(kRunningCommands, name);
}

Result<void> CheckCommands(const std::vector<std::string>& commands, Io& io) {
  const Session session(io);
  for (const std::string& text : commands) {
    TFPROF_ASSIGN(const CommandLine line, SplitShell(text));
    if (line.words.empty()) return UsageError("-c: no command", "-c 'op -n 5'");
    const std::string& name = line.words.front().text;
    if (!IsCommand(name)) return UnknownCommand(line);
    const View* const view = FindView(name);
    const bool needs_base = view != nullptr && view->subject == Subject::base;  // it comes later
    if (view != nullptr && !needs_base) TFPROF_TRY(CheckQuestion(session, *view, line, {}));
  }
  return {};
}

Result<int> AnswerOn(const std::string& path, const std::vector<std::string>& commands, Io& io) {
  std::vector<std::string> args{path};
  for (const std::string& command : commands) args.insert(args.end(), {"-c", command});
  return Run(args, io);
}

const RunningCommand* RunningCommandOf(const std::vector<std::string>& args) {
  return args.empty() ? nullptr : FindRunningCommand(args.front());
}

}  // namespace tfprof
