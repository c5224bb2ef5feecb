// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/ask/command.h"
#include "cli/run.h"
#include "cli/shell/file_changes.h"
#include "core/base/context.h"
#include "core/report/report.h"
#include "core/store/store.h"
#include "loaders/open.h"
#include "views/answer.h"

namespace tfprof {

// Options in force at one time.
struct KeptOptions {
  Query options;
  OptionSet given;
  CommandLine shown = {};  // the question whose answer is shown again with them; no words: none
};

// One open profile and what is in force for the commands about it.
struct Session {
  explicit Session(Io& where) : io(where) {}

  Io& io;
  bool classic = false;      // opened with the original's path flags: the first door
  bool interactive = false;  // a person types the commands
  bool pages = true;         // what is longer than the screen goes through a pager
  bool hints = true;         // what is likely to be typed next is shown in grey
  Limits limits;

  Query options;                // what `set` keeps
  OptionSet given;              // the options among them that somebody chose
  Profile profile;              // its store is null until something is open
  std::vector<SeenFile> files;  // those of `profile`

  std::string base_path;                 // of diff; empty: none was named
  StorePtr base;                         // that profile, once it was needed
  std::vector<SeenFile> base_files;      // those of `base`
  std::optional<std::string> came_from;  // the scope that the last cd left; none: there was no cd
  std::vector<KeptOptions> past;         // before each change, the last one at the end
  std::vector<KeptOptions> undone;       // taken back, and not changed since
  std::shared_ptr<const Report> last;    // the last table that was shown; null: none
  CommandLine last_line;                 // the question that it answers
  std::shared_ptr<const Report> named;   // the last one whose rows have names
  std::shared_ptr<const Report> folded;  // the one of which `unfold` shows rows; null: none

  std::set<std::string> told_notes;  // each is told once
  std::vector<std::string> history;  // the lines typed
  std::set<std::string> slips;       // those among them that were refused
  bool quit = false;
  bool output_closed = false;  // nobody reads standard output any more
  int sourcing = 0;            // depth of `source` in `source`
};

// Set by the handler of SIGINT; what works long stops at its next Poll.
std::atomic<bool>& Interrupted();

// A load or a query while it lives: Ctrl-C cancels it. Without one, Ctrl-C finds nothing to cancel.
struct Work {
  explicit Work(const Session& session);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  static std::atomic<bool>& Running();
  Context context;
};

// Loads the base for diff, unless it is there already. Errors: as Load.
Result<void> OpenBase(Session& session);

// Loads `inputs` in place of what is open, which stays when that fails. Says on standard error what
// was read: coverage (first door) or a summary line (second). `read`: what the questions that
// follow need of the events.
Result<void> OpenInputs(Session& session, const std::vector<Input>& inputs, EventsRead read = {});

}  // namespace tfprof
