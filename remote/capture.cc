// SPDX-License-Identifier: Apache-2.0
#include "remote/capture.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <barrier>
#include <cstdio>
#include <ctime>
#include <deque>
#include <filesystem>
#include <span>
#include <system_error>
#include <thread>

#include "core/text/units.h"
#include "remote/interrupt.h"
#include "remote/worker_session.h"

namespace tfprof::remote {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr int kSomeFailed = static_cast<int>(ErrorKind::unreadable);
constexpr int kCancelled = static_cast<int>(ErrorKind::cancelled);

// The runs that this command made.
struct Run {
  fs::path folder;
  std::vector<std::string> files;
};

// Names are times, as others name them; two runs within a second have different ones.
Result<fs::path> MakeRunFolder(const Options& options) {
  const fs::path parent = fs::path(options.folder) / "plugins" / "profile";
  std::error_code failed;
  fs::create_directories(parent, failed);
  if (failed) return Fail(ErrorKind::unwritable, failed.message(), parent.string());
  if (!options.run.empty()) {
    fs::create_directory(parent / options.run, failed);
    if (failed)
      return Fail(ErrorKind::unwritable, failed.message(), (parent / options.run).string());
    return parent / options.run;
  }
  const std::string time = fmt::format("{:%Y_%m_%d_%H_%M_%S}", fmt::localtime(std::time(nullptr)));
  for (int number = 1;; ++number) {
    const fs::path folder = parent / (number == 1 ? time : fmt::format("{}_{}", time, number));
    if (fs::create_directory(folder, failed)) return folder;
    if (failed) return Fail(ErrorKind::unwritable, failed.message(), folder.string());
  }
}

void Report(const WorkerSession& session, Progress& progress) {
  const std::string name = session.worker.address.Text();
  if (session.error) {
    const std::string& hint = session.error->hint;
    progress.Complaint(
        fmt::format("{}: {}{}", name, session.error->what, hint.empty() ? "" : " (" + hint + ")"));
    return;
  }
  progress.Line(fmt::format("{}: {}{}", name,
                            Human(static_cast<int64_t>(session.bytes), Unit::bytes),
                            session.ended_early ? ", ended early" : ""));
  if (session.offset && session.offset->IsApart()) {
    progress.Complaint(fmt::format("{}: its clock is {}: events of different hosts are not aligned",
                                   name, OffsetText(*session.offset)));
  }
}

// Records on some servers at the same time: all are connected before any begins, and then all are
// asked at once. A start time for the servers would be one by their clocks, which may be apart.
void RunTogether(std::span<WorkerSession> sessions, const Options& options, Interrupt interrupt,
                 Progress& progress) {
  std::barrier connected(static_cast<ptrdiff_t>(sessions.size()), [&]() noexcept {
    Sleep(options.delay, interrupt);
    progress.HostsBegin(static_cast<int64_t>(sessions.size()));
  });
  std::vector<std::thread> threads;
  for (WorkerSession& session : sessions) {
    threads.emplace_back([&] {
      static_cast<void>(session.Connect());  // tried again below
      connected.arrive_and_wait();
      session.Run();
      progress.HostEnds();
      Report(session, progress);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::vector<WorkerSession> SessionsOf(const Options& options, const std::vector<Worker>& workers,
                                      const fs::path& folder, Interrupt interrupt,
                                      Progress& progress) {
  std::vector<WorkerSession> sessions;
  for (const Worker& worker : workers) {
    const std::string path = (folder / (worker.name + ".xplane.pb")).string();
    if (fs::exists(path)) continue;  // of a run that is continued
    sessions.push_back({options, worker, folder.filename().string() + "/" + worker.name, path,
                        interrupt, progress});
  }
  return sessions;
}

// Records one run, some servers at a time.
Result<int> CaptureRun(const Options& options, const std::vector<Worker>& workers,
                       Interrupt interrupt, std::deque<Run>* runs) {
  TFPROF_ASSIGN(const fs::path folder, MakeRunFolder(options));
  Progress progress(options.duration, workers.size(), options.quiet);
  std::vector<WorkerSession> sessions = SessionsOf(options, workers, folder, interrupt, progress);
  const auto most = static_cast<size_t>(options.parallel);
  size_t ended = 0, traces = workers.size() - sessions.size();
  while (ended < sessions.size() && !IsInterrupted(interrupt)) {
    const std::span<WorkerSession> some(&sessions[ended], std::min(most, sessions.size() - ended));
    RunTogether(some, options, interrupt, progress);
    traces += static_cast<size_t>(
        std::ranges::count_if(some, [](const WorkerSession& one) { return !one.error; }));
    ended += some.size();
  }
  Run run{folder, {}};
  for (const WorkerSession& session : sessions) {
    if (session.bytes > 0) run.files.push_back(session.path);
  }
  std::error_code failed;
  if (traces == 0 && run.files.empty()) {
    fs::remove(folder, failed);
  } else {
    progress.Line(
        fmt::format("{} of {}", traces, Counted(static_cast<int64_t>(workers.size()), "host")));
    std::printf("%s\n", folder.c_str());  // for scripts, and for tfprof
    std::fflush(stdout);
    runs->push_back(std::move(run));
  }
  if (IsInterrupted(interrupt)) return kCancelled;
  return traces == workers.size() ? 0 : kSomeFailed;
}

// Removes the oldest runs, and nothing that others wrote into them.
void RemoveOldRuns(int64_t keep, std::deque<Run>* runs) {
  while (keep > 0 && static_cast<int64_t>(runs->size()) > keep) {
    std::error_code failed;
    for (const std::string& file : runs->front().files) fs::remove(file, failed);
    fs::remove(runs->front().folder, failed);
    runs->pop_front();
  }
}

}  // namespace

Result<int> Capture(const Options& options, const std::vector<Worker>& workers,
                    Interrupt interrupt) {
  std::deque<Run> runs;
  int worst = 0;
  for (int64_t number = 1;; ++number) {
    const auto begin = steady_clock::now();
    TFPROF_ASSIGN(const int status, CaptureRun(options, workers, interrupt, &runs));
    RemoveOldRuns(options.keep, &runs);
    worst = std::max(worst, status);
    if (options.every.count() == 0 || number == options.times || IsInterrupted(interrupt))
      return worst;
    const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
    // Ctrl-C between two runs is how this ends.
    if (!Sleep(std::max(options.every - took, milliseconds(0)), interrupt)) return worst;
  }
}

}  // namespace tfprof::remote
