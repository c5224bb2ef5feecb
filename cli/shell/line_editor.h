// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/completion/completion.h"
#include "cli/run.h"

namespace tfprof {

struct LineState;  // cli/shell/line_keys.h

// Completion and hints for a line that ends at the cursor.
struct LineWords {
  std::function<Completion(std::string_view line)> complete;  // on Tab
  std::function<std::string(std::string_view line)> hint;  // the likely continuation; on every key
};

// Reads lines from a terminal, with editing, history, completion and hints; on a dumb terminal
// without them.
class LineEditor {
 public:
  // `history_path`: the history file; empty: none.
  LineEditor(Io& io, std::string history_path, LineWords words);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class Outcome { line, interrupted, end };  // end: Ctrl-D
  // Shows `prompt` and stores the typed text in *line, without the line end. Ctrl-C drops the typed
  // text.
  Outcome Read(const std::string& prompt, std::string* line);

  // Returns true if keys such as Tab work; on a dumb terminal they do not.
  bool edits() const { return state_ != nullptr; }

  // Adds the line to the history for the next session.
  void Remember(const std::string& line);
  // The history at startup, oldest first.
  std::vector<std::string> History() const;

 private:
  Outcome ReadPlain(const std::string& prompt, std::string* line);
  Outcome ReadEdited(const std::string& prompt, std::string* line);

  Io& io_;
  std::string history_path_;
  std::unique_ptr<LineState> state_;  // null: a dumb terminal
  std::string unread_;                // on a dumb terminal: bytes after the last line
};

}  // namespace tfprof
