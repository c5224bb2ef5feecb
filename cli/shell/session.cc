// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/answer/progress.h"
#include "cli/arguments.h"
#include "cli/message.h"
#include "cli/running/nvml.h"
#include "core/store/sources_text.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

// Prints one line per file of run records, in the original's words. It goes to standard error,
// since it would precede JSON output otherwise.
void PrintCoverage(const Store& store, std::ostream& out) {
  for (const Source& source : store.sources) {
    if (source.known_nodes < 0) continue;
    const auto covered = static_cast<double>(source.covered_nodes);
    out << fmt::format("run graph coverage: {:.2f}\n",
                       covered / (static_cast<double>(source.known_nodes) + 1e-10));
  }
  out.flush();
}

// If the summary does not fit in one line after `before`, the files get a separate line.
void PrintSummary(const std::string& before, const Store& store, const std::string& read_time,
                  Io& io) {
  const std::string files = Printable(SourcesText(store, &Source::bytes));
  const auto counted = [](size_t count, std::string_view noun) {
    return Counted(static_cast<int64_t>(count), noun);
  };
  const std::string of_trace =
      counted(store.processes.size(), "plane") + ", " + counted(store.lanes.size(), "line") + ", " +
      counted(store.EventCount(), "event") + (store.events_read.hosts ? "" : " of devices");
  const std::string of_graph = counted(store.nodes.size(), "node") + ", " +
                               counted(store.EventCount(), "event") + ", " +
                               counted(store.steps.size(), "step");
  const std::string counts = (store.IsTrace() ? of_trace : of_graph) + read_time;
  const auto columns = static_cast<size_t>(ErrorColumns(io));
  const bool fits = columns == 0 || before.size() + files.size() + 2 + counts.size() <= columns;
  PrintMessage(before + files + ":" + (fits ? " " + counts : ""), io);
  if (!fits) *io.err << "  " << counts << "\n" << std::flush;
}

bool AreNamed(const std::vector<Input>& inputs, const std::vector<Input>& among) {
  return std::ranges::all_of(inputs, [&](const Input& input) {
    return std::ranges::find(among, input.path, &Input::path) != among.end();
  });
}

// Of several jobs, says which one answers are about.
void PrintOtherJobs(const std::vector<std::vector<Input>>& jobs, Io& io) {
  if (jobs.size() < 2) return;
  PrintMessage(fmt::format("{} jobs, answers are about {}; `jobs` shows all, `load {}` opens "
                           "another one",
                           jobs.size(), Printable(jobs[0][0].path), Printable(jobs[1][0].path)),
               io);
}

Result<StorePtr> LoadJob(const Session& session, const Input& input, EventsRead read) {
  Work work(session);
  const Progress progress(session.io, work.context);
  TFPROF_ASSIGN(StorePtr store, Load({input}, work.context, read));
  PrintSummary("", *store, progress.ReadTimeSoFar(), session.io);
  return store;
}

// Makes `store` the open profile.
void SetProfile(Session& session, StorePtr store) {
  session.profile = Profile(std::move(store));
  session.files = FileStates(*session.profile.store);
  session.printed_notes.clear();
  session.last.reset();
  session.folded.reset();
  session.named.reset();
  session.options.nodes.under.clear();  // it belongs to the other profile
  session.came_from.reset();
}

// The store of `input`, if it alone is the open profile.
StorePtr OpenStoreOf(const Session& session, const Input& input) {
  const bool is_open = session.opened.size() == 1 && session.opened[0].path == input.path;
  return is_open ? session.profile.store : nullptr;
}

// Opens the jobs of session.inputs that are not open. Errors: cancelled; that of the first, if none
// can be opened.
Result<void> OpenJobs(Session& session, EventsRead read) {
  std::vector<Job> jobs;
  std::optional<Error> first;
  for (const Input& input : session.inputs) {
    StorePtr store = OpenStoreOf(session, input);
    if (store == nullptr) {
      Result<StorePtr> loaded = LoadJob(session, input, read);
      if (!loaded && loaded.error().kind == ErrorKind::cancelled) return Failure(loaded.error());
      if (loaded) {
        store = std::move(*loaded);
      } else if (!first) {
        first = loaded.error();
      }
      jobs.push_back({input.path, store, loaded ? "" : loaded.error().what});
    } else {
      jobs.push_back({input.path, store, ""});
    }
  }
  const bool any = std::ranges::any_of(jobs, [](const Job& job) { return job.store != nullptr; });
  if (!any && first) return Failure(std::move(*first));
  session.jobs = std::move(jobs);
  return {};
}

}  // namespace

std::atomic<bool>& Interrupted() {
  static std::atomic<bool> interrupted{false};
  return interrupted;
}

std::atomic<bool>& Work::Running() {
  static std::atomic<bool> running{false};
  return running;
}

Work::Work(const Session& session) {
  context.stop = session.stop != nullptr ? session.stop : &Interrupted();
  context.limits = session.limits;
  if (session.stop != nullptr) return;
  is_within_ = Running().exchange(true);
  if (!is_within_) Interrupted() = false;
}

Work::~Work() {
  if (context.stop == &Interrupted() && !is_within_) Running() = false;
}

Result<Profile> ProfileOfNodes(const Session& session, const TraceNodes::Key& key,
                               Context& context) {
  Profile nodes = session.profile;
  if (!LacksNodes(*nodes.store)) return nodes;
  TFPROF_ASSIGN(const auto made, nodes.indexes->Get<TraceNodes>(key, context));
  nodes.store = made->store;
  nodes.indexes = made->indexes;
  return nodes;
}

Result<void> OpenBase(Session& session) {
  if (session.base != nullptr) return {};
  Work work(session);
  const Progress progress(session.io, work.context);
  TFPROF_ASSIGN(session.base,
                Load(FileInputs({session.base_path}, {}, {}, session.ranks), work.context));
  session.base_files = FileStates(*session.base);
  PrintSummary("base: ", *session.base, progress.ReadTimeSoFar(), session.io);
  return {};
}

Result<void> OpenEachJob(Session& session, const std::vector<Input>& inputs, EventsRead read) {
  session.inputs = inputs;
  session.opened.clear();
  TFPROF_TRY(OpenJobs(session, read));
  for (size_t i = 0; i < session.jobs.size(); ++i) {
    if (session.jobs[i].store == nullptr) continue;
    SetProfile(session, session.jobs[i].store);
    session.opened = {inputs[i]};
    break;
  }
  return {};
}

Result<void> TakeJobs(Session& session, const View& view, Query* query) {
  if (!view.shows_jobs || session.classic) return {};
  if (session.jobs.empty()) TFPROF_TRY(OpenJobs(session, {}));
  query->jobs = session.jobs;
  query->gpus = GpusNow();
  return {};
}

Result<void> OpenInputs(Session& session, const std::vector<Input>& inputs, EventsRead read) {
  const std::vector<std::vector<Input>> jobs =
      session.classic || inputs.empty() ? std::vector(1, inputs) : JobsOf(inputs);
  Work work(session);
  StorePtr store;
  std::string read_time;
  {
    const Progress progress(session.io, work.context);
    TFPROF_ASSIGN(store, Load(jobs[0], work.context, read));
    read_time = progress.ReadTimeSoFar();
  }
  SetProfile(session, std::move(store));
  if (!AreNamed(inputs, session.inputs)) session.inputs = inputs;
  session.opened = jobs[0];
  session.jobs.clear();
  if (session.classic) {
    PrintCoverage(*session.profile.store, *session.io.err);
  } else {
    PrintSummary("", *session.profile.store, read_time, session.io);
  }
  PrintOtherJobs(jobs, session.io);
  return {};
}

}  // namespace tfprof
