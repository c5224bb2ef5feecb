// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/session.h"

#include <fmt/core.h>

#include <ostream>

#include "cli/answer/progress.h"
#include "cli/arguments.h"
#include "cli/message.h"
#include "core/base/units.h"
#include "core/store/sources_text.h"

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
  Interrupted() = false;
  Running() = true;
  context.stop = &Interrupted();
  context.limits = session.limits;
}

Work::~Work() { Running() = false; }

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
  TFPROF_ASSIGN(session.base, Load(FileInputs({session.base_path}, {}), work.context));
  session.base_files = FileStates(*session.base);
  PrintSummary("base: ", *session.base, progress.ReadTimeSoFar(), session.io);
  return {};
}

Result<void> OpenInputs(Session& session, const std::vector<Input>& inputs, EventsRead read) {
  Work work(session);
  StorePtr store;
  std::string read_time;
  {
    const Progress progress(session.io, work.context);
    TFPROF_ASSIGN(store, Load(inputs, work.context, read));
    read_time = progress.ReadTimeSoFar();
  }
  session.profile = Profile(std::move(store));
  session.files = FileStates(*session.profile.store);
  session.printed_notes.clear();
  session.last.reset();
  session.folded.reset();
  session.named.reset();
  session.options.nodes.under.clear();  // it belongs to the other profile
  session.came_from.reset();
  if (session.classic) {
    PrintCoverage(*session.profile.store, *session.io.err);
  } else {
    PrintSummary("", *session.profile.store, read_time, session.io);
  }
  return {};
}

}  // namespace tfprof
