// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/stat.h>

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/trace_nodes/trace_nodes.h"
#include "cli/ask/command.h"
#include "cli/run.h"
#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/report/report.h"
#include "core/store/store.h"
#include "loaders/open.h"
#include "views/answer.h"

namespace tfprof {

// Returns true if both are the same file, under whatever names.
bool IsSameFile(const struct stat& a, const struct stat& b);

// Detects changes of open files. A profile may be open for hours while programs write new ones.
// Attributes, allocations, code and tensors are read when a query needs them, so data written since
// then belongs to another run.

struct SeenFile {
  std::string path;
  struct stat as_read = {};
  struct stat as_reported = {};  // its state when a change was last reported, or when it was read
};

// The current state of the files of `store`, without pipes and devices.
std::vector<SeenFile> FileStates(const Store& store);

// Prints a sentence for each file that changed since it was read. once: each change is reported
// once. each_time: for commands that write a file from the profile.
enum class ChangeReporting { once, each_time };
void ReportChanges(std::vector<SeenFile>* files, ChangeReporting reporting, Io& io);

// The options in force at one time.
struct KeptOptions {
  Query options;
  OptionSet given;
  CommandLine shown = {};  // the query whose answer these options show again; no words: none
};

// One open profile and the state of the commands about it.
struct Session {
  explicit Session(Io& where) : io(where) {}

  Io& io;
  bool classic = false;      // opened with the original's path flags: classic mode
  bool interactive = false;  // commands are typed at a terminal
  bool pages = true;         // long output goes through a pager
  bool hints = true;         // the likely continuation is shown in gray
  Limits limits;
  const std::atomic<bool>* stop = nullptr;  // cancels work; null: Ctrl-C does

  Query options;                // set by `set`
  OptionSet given;              // the explicitly set ones among them
  Profile profile;              // its store is null until a profile is open
  std::vector<SeenFile> files;  // the files of `profile`

  std::vector<RankRange> ranks;  // the ranks of a job whose files are read; empty: all
  std::vector<Input> inputs;     // what was named; `profile` is one job of it
  std::vector<Input> opened;     // those of `inputs` that `profile` was made from
  std::vector<Job> jobs;         // each of `inputs` by itself, once the view jobs needs them

  std::string base_path;                 // of diff; empty: none was given
  StorePtr base;                         // the base profile, once it is needed
  std::vector<SeenFile> base_files;      // the files of `base`
  std::optional<std::string> came_from;  // the scope before the last cd; none: no cd yet
  std::vector<KeptOptions> past;         // before each change, the latest at the end
  std::vector<KeptOptions> undone;       // undone changes, until the next change
  std::shared_ptr<const Report> last;    // the last table that was shown; null: none
  CommandLine last_line;                 // the query that it answers
  std::shared_ptr<const Report> named;   // the last answer whose rows have names
  std::shared_ptr<const Report> folded;  // the table whose rows `unfold` shows; null: none

  std::set<std::string> printed_notes;   // each is printed once
  std::vector<std::string> history;      // the lines typed
  std::set<std::string> rejected_lines;  // refused lines among them
  bool quit = false;
  bool output_closed = false;  // the reader closed standard output
  int sourcing = 0;            // nesting depth of `source`
};

// Runs a shell command, whose name is line.words[0], and writes its output to `out`. Returns 0, or
// the exit status of an error that was already reported.
using ShellRun = Result<int>(Session& session, const CommandLine& line, std::string_view place,
                             Sink& out);

// Set by the handler of SIGINT; long work stops at its next Poll.
std::atomic<bool>& Interrupted();

// Marks a load or a query as running during its lifetime: Ctrl-C cancels it, unless the session has
// another way. Work within work is cancelled with it.
struct Work {
  explicit Work(const Session& session);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  static std::atomic<bool>& Running();
  Context context;

 private:
  bool is_within_ = false;
};

// The profile that has the graph nodes: the open one or, for a trace, the one made from its events.
// Errors: usage (no such step), cancelled.
Result<Profile> ProfileOfNodes(const Session& session, const TraceNodes::Key& key,
                               Context& context);

// Loads the base for diff unless it is loaded. Errors: as Load.
Result<void> OpenBase(Session& session);

// Opens each of `inputs` as a job by itself, whatever other views make of them. The profile is the
// first one that can be opened. Error: that of the first, if none can be opened.
Result<void> OpenEachJob(Session& session, const std::vector<Input>& inputs, EventsRead read = {});

// Sets the jobs that the view shows; opens those that are not open. Errors: as OpenEachJob.
Result<void> TakeJobs(Session& session, const View& view, Query* query);

// Replaces the open profile with the first job of `inputs`; on failure the open one stays. Reports
// on standard error what was read: coverage (classic mode) or a summary line (default mode).
// `read`: the events that later queries need.
Result<void> OpenInputs(Session& session, const std::vector<Input>& inputs, EventsRead read = {});

}  // namespace tfprof
