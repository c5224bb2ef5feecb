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

// What the words of a line may be, for a line that ends at the cursor.
struct LineWords {
  std::function<Completion(std::string_view line)> complete;  // at Tab
  std::function<std::string(std::string_view line)> hint;     // what probably follows; at every key
};

// Reads the lines a person types, with editing, history, completion and hints where the terminal
// can do that; on a dumb terminal just the lines.
class LineEditor {
 public:
  // `history_path`: the file that keeps the history; empty: none.
  LineEditor(Io& io, std::string history_path, LineWords words);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class Outcome { line, interrupted, end };  // end: Ctrl-D
  // Shows `prompt` and puts what was typed into *line, without the line end. Ctrl-C drops what
  // was typed.
  Outcome Read(const std::string& prompt, std::string* line);

  // Whether keys such as Tab do something; on a dumb terminal they do not.
  bool edits() const { return state_ != nullptr; }

  // For the next session, too.
  void Remember(const std::string& line);
  // What the history held at the start, oldest first.
  std::vector<std::string> History() const;

 private:
  Outcome ReadPlain(const std::string& prompt, std::string* line);
  Outcome ReadEdited(const std::string& prompt, std::string* line);

  Io& io_;
  std::string history_path_;
  std::unique_ptr<LineState> state_;  // null: a dumb terminal
  std::string unread_;                // of a dumb terminal: bytes after the last line
};

}  // namespace tfprof
