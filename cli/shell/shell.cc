// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/commands.h"

#include <csignal>
#include <ostream>

#include "cli/completion/completion.h"
#include "cli/shell/line_editor.h"
#include "cli/shell/terminal.h"
#include "loaders/open.h"

namespace tfprof {
namespace {

extern "C" void OnShellInterrupt(int) { Interrupted() = true; }

// Without SA_RESTART: Ctrl-C ends a read from the keyboard, and the line is dropped.
void CatchInterrupts() {
  struct sigaction action {};
  action.sa_handler = OnShellInterrupt;
  sigaction(SIGINT, &action, nullptr);
}

// The hint; stops at the next key, which needs another hint.
std::string HintUntilKey(std::string_view line, const Session& session) {
  if (!session.hints) return {};
  const KeyWatch watch;
  Context context;
  context.stop = &watch.pressed();
  context.limits = session.limits;
  return HintFor(line, session, context);
}

LineWords WordsOf(const Session& session) {
  return {[&](std::string_view line) { return Complete(line, &session); },
          [&](std::string_view line) { return HintUntilKey(line, session); }};
}

}  // namespace

std::string FirstCommand(const Session& session) {
  const bool several = !session.classic && JobsOf(session.inputs).size() > 1;
  return several ? "jobs" : "summary";
}

int RunShell(Session& session) {
  session.interactive = true;
  CatchInterrupts();
  LineEditor editor(session.io, UserFile("XDG_STATE_HOME", ".local/state", "history"),
                    WordsOf(session));
  session.history = editor.History();
  if (!session.classic) {
    session.pages = false;  // no command was typed yet
    Execute(session, FirstCommand(session) + " -n 5", "");
    session.pages = true;
    *session.io.err << (editor.edits() ? "Tab completes, help explains, Ctrl-D exits\n"
                                       : "help explains, Ctrl-D exits\n")
                    << std::flush;
  }
  std::string line;
  while (!session.quit && !session.output_closed) {
    const LineEditor::Outcome outcome = editor.Read(PromptOf(session), &line);
    if (outcome == LineEditor::Outcome::end) break;
    if (outcome == LineEditor::Outcome::interrupted) continue;
    if (line.find_first_not_of(" \t") != std::string::npos) {
      session.history.push_back(line);
      editor.Remember(line);
    }
    const int status = Execute(session, line, "");
    if (status == static_cast<int>(ErrorKind::usage)) session.rejected_lines.insert(line);
  }
  return 0;
}

}  // namespace tfprof
