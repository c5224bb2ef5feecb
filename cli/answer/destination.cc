// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/destination.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "cli/answer/output.h"
#include "cli/ask/row_names.h"
#include "cli/export/writing.h"
#include "cli/message.h"
#include "emitters/notes.h"

namespace tfprof {
namespace {

bool LocaleIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view text = Environment(name);
    if (text.empty()) continue;
    return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
  }
  return false;
}

// The command that shows an answer longer than the screen: $TFPROF_PAGER, else $PAGER, else less if
// installed. An empty value or `cat` means none, and so does a dumb terminal. Empty: none.
std::string PagerCommand() {
  if (Environment("TERM") == "dumb") return {};
  for (const char* name : {"TFPROF_PAGER", "PAGER"}) {
    if (std::getenv(name) == nullptr) continue;
    const std::string_view command = Environment(name);
    if (command.empty() || command == "cat") return {};
    // less: quit if the text fits, show colors, cut long lines, keep the answer on the screen.
    return "LESS=${LESS:-FRSX} " + std::string(command);
  }
  for (const char* less : {"/usr/bin/less", "/bin/less"}) {
    if (access(less, X_OK) == 0) return std::string(less) + " -FRSX";
  }
  return {};
}

// Returns true if the session is interactive and `text` has more lines than the screen.
bool NeedsPager(const Session& session, std::string_view text) {
  if (!session.interactive || !session.pages || session.io.rows <= 0) return false;
  return std::count(text.begin(), text.end(), '\n') >= session.io.rows;
}

// The file that receives the answer; empty: none, or standard output.
std::string FileOf(const Query& query, const Redirect& redirect) {
  if (redirect.kind == Redirect::pipe) return {};
  return redirect.kind != Redirect::none ? redirect.target : query.output.path;
}

Result<void> OpenDestination(Session& session, const Query& query, const Redirect& redirect,
                             Destination& destination) {
  const OutputKind kind = query.output.kind;
  if (redirect.kind != Redirect::none && kind != OutputKind::stdout_text) {
    return UsageError("use either -output or a redirection, not both");
  }
  if (kind == OutputKind::none) return {};
  if (redirect.kind == Redirect::pipe)
    return destination.OpenPipe(redirect.target, session.interactive);
  const std::string path = FileOf(query, redirect);
  if (path.empty()) return destination.OpenStream(session.io);
  TFPROF_TRY(CheckFile(session, query, redirect, OpenFiles(*session.profile.store)));
  return destination.OpenFile(path, redirect.kind == Redirect::append);
}

}  // namespace

int ScreenColumns(const Session& session, const CommandLine& line) {
  const bool on_screen = session.io.out_is_terminal && line.redirect.kind == Redirect::none;
  return on_screen ? std::max(session.io.columns, 0) : 0;
}

Style StyleFor(const Session& session, const Report& report, const Query& query,
               const CommandLine& line) {
  Style style;
  style.utf8 = LocaleIsUtf8();
  const bool screen = ToScreen(session, query, line);
  style.columns = screen ? session.io.columns : 0;
  style.numbered = screen && session.interactive && NameColumn(report) != nullptr;
  style.color = screen && Environment("NO_COLOR").empty() && Environment("TERM") != "dumb";
  return style;
}

bool ToScreen(const Session& session, const Query& query, const CommandLine& line) {
  return session.io.out_is_terminal && query.output.kind == OutputKind::stdout_text &&
         line.redirect.kind == Redirect::none;
}

Result<void> CheckFile(const Session& session, const Query& query, const Redirect& redirect,
                       const std::vector<std::string>& open) {
  const std::string path = FileOf(query, redirect);
  if (path.empty()) return {};
  const bool replaces =
      session.classic || query.output.overwrite;  // the original replaces anything
  return CheckTarget(path, open, replaces);
}

Result<void> WriteReport(Session& session, const Report& report, const Query& query,
                         const Emitter& emitter, const CommandLine& line, Work& work) {
  const Style style = StyleFor(session, report, query, line);
  const bool is_human = session.interactive && ToScreen(session, query, line);
  Destination destination;
  const std::string pager = is_human && query.display.format == "table" ? PagerCommand() : "";
  if (pager.empty()) {
    TFPROF_TRY(OpenDestination(session, query, line.redirect, destination));
    if (query.output.kind == OutputKind::none) return {};
    return destination.Commit(emitter.emit(report, query, style, destination.sink(), work.context));
  }
  Sink text;
  TFPROF_TRY(emitter.emit(report, query, style, text, work.context));
  TFPROF_TRY(NeedsPager(session, text.buffer) ? destination.OpenPipe(pager, true)
                                              : destination.OpenStream(session.io));
  destination.sink().Append(text.buffer);
  return destination.Commit();
}

void PrintOtherTables(Session& session, const Report& report, const Display& display) {
  const bool one_table = display.format == "csv" || display.format == "tsv";
  if (!one_table || display.original_ids || !display.table.empty() || report.tables.size() < 2)
    return;
  std::string names;
  for (const Table& table : std::span(report.tables).subspan(1)) names += " " + table.name;
  PrintMessage(
      "note: this is table " + report.tables[0].name + "; -table NAME writes another:" + names,
      session.io);
}

void PrintNotes(Session& session, const Report& report, const Emitter& emitter) {
  if (emitter.name == "table" || emitter.name == "md" || emitter.name == "json") return;
  if (!TableShowsNotes(report)) PrintNotes(session, report.notes);
}

void PrintNotes(Session& session, const std::vector<Note>& notes) {
  for (const Note& note : notes) {
    if (!session.printed_notes.insert(note.what.Text()).second) continue;
    PrintMessage("note: " + Printable(NoteText(note)), session.io);
  }
}

}  // namespace tfprof
