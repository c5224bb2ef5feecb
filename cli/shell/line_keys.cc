// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/line_keys.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cwchar>
#include <optional>

#include "cli/completion/completion.h"
#include "cli/message.h"
#include "cli/shell/terminal.h"
#include "emitters/printable.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

constexpr const char* kSaveCursor = "\x1b\x37";
constexpr const char* kRestoreCursor = "\x1b\x38";
constexpr const char* kEraseToRight = "\x1b[K";

LineState* StateOf(EditLine* editor) {
  void* state = nullptr;
  el_get(editor, EL_CLIENTDATA, &state);
  return static_cast<LineState*>(state);
}

void Put(std::string_view text) {
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0) return;
}

// The typed line if the cursor is at its end; none otherwise, and none in a search.
std::optional<std::string> LineToCursor(EditLine* editor) {
  const LineInfo* info = el_line(editor);
  if (info->cursor != info->lastchar) return std::nullopt;
  return std::string(info->buffer, info->cursor);
}

// The hint for `line`: the rest of the last hint if the typed text matches it.
const std::string& RestOf(LineState& state, const std::string& line) {
  LineState::Hint& hint = state.hint;
  const std::string whole = hint.line + hint.rest;
  const bool still_matches = !hint.rest.empty() && line.size() < whole.size() &&
                             line.starts_with(hint.line) && whole.starts_with(line);
  hint.rest = still_matches ? whole.substr(line.size()) : state.words.hint(line);
  hint.line = line;
  return hint.rest;
}

// Draws the hint in gray after the cursor, which does not move. Skips it if more keys are waiting.
bool DrawHint(EditLine* editor) {
  LineState& state = *StateOf(editor);
  if (!state.draws_hints || KeysWait()) return false;
  const std::optional<std::string> line = LineToCursor(editor);
  if (!line || line->empty()) return false;
  const std::string shown = FittingHint(state.prompt, *line, RestOf(state, *line), state.Columns());
  if (shown.empty()) {
    state.hint = {};
    return false;
  }
  Put(kSaveCursor + std::string(kDim) + shown + std::string(kPlain) + kRestoreCursor);
  return true;
}

// Inserts the visible hint, if there is one.
bool TakeHint(EditLine* editor) {
  const LineState& state = *StateOf(editor);
  const bool seen = !state.hint.rest.empty() && LineToCursor(editor) == state.hint.line;
  return seen && el_insertstr(editor, state.hint.rest.c_str()) == 0;
}

// Takes the hint at the end of the line; else moves `letters` to the right.
unsigned char GoRight(EditLine* editor, ptrdiff_t letters) {
  if (TakeHint(editor)) return CC_REFRESH;
  if (letters == 0) return CC_ERROR;
  el_cursor(editor, static_cast<int>(letters));
  return CC_CURSOR;
}

unsigned char OnRight(EditLine* editor, int) {
  const LineInfoW* info = el_wline(editor);
  return GoRight(editor, std::min<ptrdiff_t>(info->lastchar - info->cursor, 1));
}

unsigned char OnEnd(EditLine* editor, int) {
  const LineInfoW* info = el_wline(editor);
  return GoRight(editor, info->lastchar - info->cursor);
}

// Redraws the line from its start, after `change`.
template <class Change>
void Redraw(EditLine* editor, const Change& change) {
  const LineState& state = *StateOf(editor);
  const LineInfo* info = el_line(editor);
  const std::string before(info->buffer, info->cursor);
  const int above = RowsAbove(state.prompt, before, state.Columns());
  if (above > 0) Put("\x1b[" + std::to_string(above) + "A");
  Put("\r\x1b[J");
  change();
  el_set(editor, EL_REFRESH);
}

// Redraws the line after the terminal was resized.
void FitScreen(EditLine* editor) {
  Io& io = StateOf(editor)->io;
  TakeSize(io);
  Redraw(editor, [&] {
    if (!IsNarrow(io)) el_resize(editor);  // else the library keeps the width that it knows
  });
}

// Puts the mark of Ctrl-C after all typed text.
void GoToEnd(EditLine* editor) {
  const LineInfoW* info = el_wline(editor);
  const auto letters = static_cast<int>(info->lastchar - info->cursor);
  if (letters > 0) Redraw(editor, [&] { el_cursor(editor, letters); });
}

// Reads a letter for the library, which has drawn the line. Returns 1, 0 at the end of input, -1 on
// Ctrl-C.
int ReadLetter(EditLine* editor, wchar_t* letter) {
  std::mbstate_t decoding{};
  for (;;) {
    const bool drawn = DrawHint(editor);
    const WakeReason reason = WaitForKey(*StateOf(editor)->mask);
    if (drawn) Put(kEraseToRight);  // only the hint is to the right of the end of the line
    if (reason == WakeReason::interrupted) {
      GoToEnd(editor);
      return -1;
    }
    if (reason == WakeReason::resized) {
      FitScreen(editor);
      continue;
    }
    char byte = 0;
    const ssize_t got = read(STDIN_FILENO, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return static_cast<int>(got);
    const size_t used = std::mbrtowc(letter, &byte, 1, &decoding);
    if (used == 0 || used == 1) return 1;
    if (used == static_cast<size_t>(-1)) decoding = {};  // invalid bytes: dropped
  }
}

char* Prompt(EditLine* editor) { return StateOf(editor)->prompt.data(); }

// The candidates as displayed: names wider than the screen are cut as in tables.
std::vector<std::string> CandidatesShown(const Completion& completion, size_t columns) {
  const bool utf8 = MB_CUR_MAX > 1;
  std::vector<std::string> shown;
  for (const std::string& candidate : completion.candidates) {
    AppendCut(Printable(candidate), columns, utf8, &shown.emplace_back());
  }
  return shown;
}

// Shows the candidates below the line, in columns of equal width, up to the size of the screen.
void ShowMenu(const LineState& state, const Completion& completion) {
  const auto columns = static_cast<size_t>(state.Columns());
  const std::vector<std::string> candidates = CandidatesShown(completion, columns);
  size_t width = 0;
  for (const std::string& text : candidates) width = std::max(width, CellWidth(text) + 2);
  const size_t per_row = std::max<size_t>(columns / width, 1);
  const auto rows = static_cast<size_t>(state.io.rows > 3 ? state.io.rows - 3 : 1000);
  const size_t shown = std::min(candidates.size(), rows * per_row);
  std::string menu = "\n";
  for (size_t i = 0; i < shown; ++i) {
    const bool last = (i + 1) % per_row == 0 || i + 1 == shown;
    menu += candidates[i];
    menu += last ? "\n" : std::string(width - CellWidth(candidates[i]), ' ');
  }
  const size_t left = candidates.size() - shown + completion.more;
  if (left > 0) menu += "[" + std::to_string(left) + " more]\n";
  Put(menu);
}

unsigned char Insert(EditLine* editor, const std::string& text) {
  return el_insertstr(editor, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

// Bound to Tab: inserts the common prefix of the candidates, or lists them if it is empty.
unsigned char OnTab(EditLine* editor, int) {
  const LineState& state = *StateOf(editor);
  const LineInfo* info = el_line(editor);
  const std::string line(info->buffer, info->cursor);
  const Completion completion = state.words.complete(line);
  if (completion.candidates.empty()) return CC_ERROR;
  const std::string shared =
      completion.more > 0 ? completion.shared : CommonPrefix(completion.candidates);
  const std::string typed = line.substr(completion.from);
  const std::string after = completion.candidates.size() == 1 ? completion.after : "";
  const bool continues_list = shared.starts_with(typed);
  if (continues_list && shared.size() + after.size() > typed.size()) {
    return Insert(editor, shared.substr(typed.size()) + after);
  }
  if (!continues_list && shared.size() > typed.size()) {  // in quotes, which open before it
    el_deletestr(editor, static_cast<int>(Letters(typed)));
    return Insert(editor, shared + after);
  }
  if (completion.candidates.size() == 1) return CC_NORM;
  ShowMenu(state, completion);
  return CC_REDISPLAY;
}

}  // namespace

bool IsNarrow(const Io& io) {
  constexpr int kNarrow = 10;
  return io.columns > 0 && io.columns <= kNarrow;
}

LineState::~LineState() {
  if (editor != nullptr) el_end(editor);
  if (past != nullptr) history_end(past);
}

void BindKeys(EditLine* editor) {
  el_set(editor, EL_PROMPT, Prompt);
  el_set(editor, EL_GETCFN, ReadLetter);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_ADDFN, "complete-word", "completes the word", OnTab);
  el_set(editor, EL_ADDFN, "right", "accepts the hint, or moves right", OnRight);
  el_set(editor, EL_ADDFN, "end", "accepts the hint, or moves to the end of the line", OnEnd);
  el_set(editor, EL_BIND, "^I", "complete-word", nullptr);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  for (const char* key : {"^F", "\\e[C", "\\eOC"}) el_set(editor, EL_BIND, key, "right", nullptr);
  for (const char* key : {"^E", "\\e[F", "\\eOF", "\\e[4~"}) {
    el_set(editor, EL_BIND, key, "end", nullptr);
  }
}

}  // namespace tfprof
