// SPDX-License-Identifier: Apache-2.0
#include "cli/line_editor.h"

#include <histedit.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <filesystem>
#include <ostream>

#include "cli/message.h"
#include "cli/session.h"

namespace tfprof {

struct LineEditor::State {
  EditLine* editor = nullptr;
  ::History* past = nullptr;
  std::string prompt;
  Completer complete;
  int columns = 80;
  const sigset_t* waiting = nullptr;  // the signal mask while a key is awaited

  ~State() {
    if (editor != nullptr) el_end(editor);
    if (past != nullptr) history_end(past);
  }
};

namespace {

constexpr int kHistoryLines = 1000;

LineEditor::State* StateOf(EditLine* editor) {
  void* state = nullptr;
  el_get(editor, EL_CLIENTDATA, &state);
  return static_cast<LineEditor::State*>(state);
}

// Ctrl-C is held back while it lives and let in by WaitForKey alone: one that comes while a line
// is drawn would else be seen by nobody until the next key.
struct HeldInterrupt {
  sigset_t before;
  HeldInterrupt() {
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
  }
  ~HeldInterrupt() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  HeldInterrupt(const HeldInterrupt&) = delete;
  HeldInterrupt& operator=(const HeldInterrupt&) = delete;
};

// Until there is something to read, or false: Ctrl-C was pressed.
bool WaitForKey(const sigset_t& mask) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (!Interrupted()) {
    if (ppoll(&input, 1, nullptr, &mask) >= 0) return true;
    if (errno != EINTR) return true;  // read() tells what is wrong
  }
  return false;
}

// A letter for the library: 1, 0 at the end of input, -1 where Ctrl-C was pressed.
int ReadLetter(EditLine* editor, wchar_t* letter) {
  const LineEditor::State& state = *StateOf(editor);
  std::mbstate_t decoding{};
  for (;;) {
    if (!WaitForKey(*state.waiting)) return -1;
    char byte = 0;
    const ssize_t got = read(STDIN_FILENO, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return static_cast<int>(got);
    const size_t used = std::mbrtowc(letter, &byte, 1, &decoding);
    if (used == 0 || used == 1) return 1;
    if (used == static_cast<size_t>(-1)) decoding = {};  // no letter: dropped
  }
}

char* Prompt(EditLine* editor) { return StateOf(editor)->prompt.data(); }

// The candidates below the line, in columns as wide as the widest.
void ShowMenu(const LineEditor::State& state, const std::vector<std::string>& candidates) {
  size_t width = 0;
  for (const std::string& text : candidates) width = std::max(width, text.size() + 2);
  const size_t per_row = std::max<size_t>(static_cast<size_t>(state.columns) / width, 1);
  std::string menu = "\n";
  for (size_t i = 0; i < candidates.size(); ++i) {
    const bool last = (i + 1) % per_row == 0 || i + 1 == candidates.size();
    menu += Printable(candidates[i]);
    menu += last ? "\n" : std::string(width - candidates[i].size(), ' ');
  }
  if (write(STDOUT_FILENO, menu.data(), menu.size()) < 0) return;
}

// Bound to Tab: inserts what all candidates share; shows them when that is nothing.
unsigned char OnTab(EditLine* editor, int) {
  const LineEditor::State& state = *StateOf(editor);
  const LineInfo* info = el_line(editor);
  const std::string line(info->buffer, info->cursor);
  const Completion completion = state.complete(line);
  if (completion.candidates.empty()) return CC_ERROR;
  std::string insert = CommonPrefix(completion.candidates).substr(line.size() - completion.from);
  if (completion.candidates.size() == 1) insert += completion.after;
  if (!insert.empty()) return el_insertstr(editor, insert.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  if (completion.candidates.size() == 1) return CC_NORM;
  ShowMenu(state, completion.candidates);
  return CC_REDISPLAY;
}

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || *term == '\0' || std::strcmp(term, "dumb") == 0;
}

// Without a locale of UTF-8 the library drops the bytes of other letters.
void ChooseLocale() {
  const char* chosen = std::setlocale(LC_CTYPE, "");
  const bool utf8 = chosen != nullptr && (std::strstr(chosen, "UTF-8") != nullptr ||
                                          std::strstr(chosen, "utf8") != nullptr);
  if (!utf8) std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::unique_ptr<LineEditor::State> OpenEditor(const Io& io, const std::string& history_path,
                                              LineEditor::Completer complete) {
  ChooseLocale();
  auto state = std::make_unique<LineEditor::State>();
  state->complete = std::move(complete);
  if (io.columns > 0) state->columns = io.columns;
  state->editor = el_init("tfprof", stdin, stdout, stderr);
  state->past = history_init();
  if (state->editor == nullptr || state->past == nullptr) return nullptr;
  HistEvent event;
  history(state->past, &event, H_SETSIZE, kHistoryLines);
  history(state->past, &event, H_SETUNIQUE, 1);
  if (!history_path.empty()) history(state->past, &event, H_LOAD, history_path.c_str());
  el_set(state->editor, EL_CLIENTDATA, state.get());
  el_set(state->editor, EL_PROMPT, Prompt);
  el_set(state->editor, EL_GETCFN, ReadLetter);
  el_set(state->editor, EL_EDITOR, "emacs");
  el_set(state->editor, EL_HIST, history, state->past);
  el_set(state->editor, EL_ADDFN, "complete-word", "completes what is typed", OnTab);
  el_set(state->editor, EL_BIND, "^I", "complete-word", nullptr);
  el_set(state->editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  return state;
}

}  // namespace

LineEditor::LineEditor(Io& io, std::string history_path, Completer complete)
    : io_(io), history_path_(std::move(history_path)) {
  if (!IsDumb()) state_ = OpenEditor(io, history_path_, std::move(complete));
}

LineEditor::~LineEditor() = default;

LineEditor::Outcome LineEditor::Read(const std::string& prompt, std::string* line) {
  return state_ != nullptr ? ReadEdited(prompt, line) : ReadPlain(prompt, line);
}

LineEditor::Outcome LineEditor::ReadEdited(const std::string& prompt, std::string* line) {
  const HeldInterrupt held;
  state_->prompt = prompt;
  state_->waiting = &held.before;
  int length = 0;
  Interrupted() = false;
  // Before the prompt is seen: what is typed after it must not meet the terminal's own editing.
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
  const HeldInterrupt held;
  Interrupted() = false;
  *io_.out << prompt << std::flush;
  size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    char block[4096];
    const bool waited = WaitForKey(held.before);
    const ssize_t got = waited ? read(STDIN_FILENO, block, sizeof(block)) : -1;
    if (!waited) {
      unread_.clear();
      *io_.out << "\n" << std::flush;
      return Outcome::interrupted;
    }
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
  HistEvent event;
  history(state_->past, &event, H_ENTER, line.c_str());
  if (history_path_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(history_path_).parent_path(), error);
  const mode_t old = umask(0077);  // what was looked at is nobody else's business
  history(state_->past, &event, H_SAVE, history_path_.c_str());
  umask(old);
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
