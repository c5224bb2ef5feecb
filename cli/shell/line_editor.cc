// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/line_editor.h"

#include <unistd.h>

#include <clocale>
#include <cstring>
#include <ostream>

#include "cli/shell/line_keys.h"
#include "cli/shell/session.h"
#include "cli/shell/terminal.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

// Without a UTF-8 locale the library drops the bytes of non-ASCII letters.
void ChooseLocale() {
  const char* chosen = std::setlocale(LC_CTYPE, "");
  const bool utf8 = chosen != nullptr && (std::strstr(chosen, "UTF-8") != nullptr ||
                                          std::strstr(chosen, "utf8") != nullptr);
  if (!utf8) std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::unique_ptr<LineState> OpenEditor(Io& io, const std::string& history_path, LineWords words) {
  ChooseLocale();
  auto state = std::make_unique<LineState>(io);
  state->words = std::move(words);
  // Gray is a color, too.
  state->draws_hints = io.out_is_terminal && Environment("NO_COLOR").empty();
  state->editor = el_init("tfprof", stdin, stdout, stderr);
  state->past = OpenHistory(history_path);
  if (state->editor == nullptr || state->past == nullptr) return nullptr;
  el_set(state->editor, EL_CLIENTDATA, state.get());
  el_set(state->editor, EL_HIST, history, state->past);
  BindKeys(state->editor);
  CatchResizes();
  return state;
}

}  // namespace

LineEditor::LineEditor(Io& io, std::string history_path, LineWords words)
    : io_(io), history_path_(std::move(history_path)) {
  const std::string_view terminal = Environment("TERM");
  const bool is_dumb = terminal.empty() || terminal == "dumb";
  if (!is_dumb) state_ = OpenEditor(io, history_path_, std::move(words));
}

LineEditor::~LineEditor() = default;

LineEditor::Outcome LineEditor::Read(const std::string& prompt, std::string* line) {
  const int columns = io_.columns;
  TakeSize(io_);
  const bool edits = state_ != nullptr && !IsNarrow(io_) && unread_.empty();
  if (!edits) return ReadPlain(prompt, line);
  if (io_.columns != columns) el_resize(state_->editor);
  return ReadEdited(prompt, line);
}

LineEditor::Outcome LineEditor::ReadEdited(const std::string& prompt, std::string* line) {
  const HeldSignals held;
  state_->prompt.clear();
  AppendPrintable(prompt, true, &state_->prompt);  // the library accepts only UTF-8
  state_->hint = {};
  state_->mask = &held.before;
  int length = 0;
  Interrupted() = false;
  // Before the prompt appears: keys typed after it must not reach the terminal's own line editing.
  el_set(state_->editor, EL_PREP_TERM, 1);
  const char* text = el_gets(state_->editor, &length);
  if (Interrupted()) {
    el_reset(state_->editor);
    *io_.out << "^C\n" << std::flush;
    return Outcome::interrupted;
  }
  if (text == nullptr || length <= 0) {
    *io_.out << "\n" << std::flush;
    return Outcome::end;
  }
  line->assign(text, static_cast<size_t>(length));
  if (line->ends_with('\n')) line->pop_back();
  return Outcome::line;
}

LineEditor::Outcome LineEditor::ReadPlain(const std::string& prompt, std::string* line) {
  const HeldSignals held;
  Interrupted() = false;
  *io_.out << prompt << std::flush;
  size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    char block[4096];
    const WakeReason reason = WaitForKey(held.before);
    if (reason == WakeReason::resized) continue;
    if (reason == WakeReason::interrupted) {
      unread_.clear();
      *io_.out << "\n" << std::flush;
      return Outcome::interrupted;
    }
    const ssize_t got = read(STDIN_FILENO, block, sizeof(block));
    if (got <= 0) {
      *io_.out << "\n" << std::flush;
      return Outcome::end;
    }
    unread_.append(block, static_cast<size_t>(got));
    end = unread_.find('\n');
  }
  *line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return Outcome::line;
}

void LineEditor::Remember(const std::string& line) {
  if (state_ == nullptr) return;
  AddToHistory(state_->past, history_path_, line);
}

std::vector<std::string> LineEditor::History() const {
  std::vector<std::string> lines;
  if (state_ == nullptr) return lines;
  HistEvent event;
  for (int found = history(state_->past, &event, H_LAST); found >= 0;
       found = history(state_->past, &event, H_PREV)) {
    lines.emplace_back(event.str);
  }
  return lines;
}

}  // namespace tfprof
