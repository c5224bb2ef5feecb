// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <histedit.h>

#include <csignal>
#include <string>

#include "cli/shell/line_editor.h"

// Key bindings of the line editor: the functions that the library calls back.

namespace tfprof {

// State of a LineEditor; the client data of its `editor`.
struct LineState {
  struct Hint {
    std::string line;  // the line that it belongs to
    std::string rest;  // the continuation; empty: none is visible
  };

  explicit LineState(Io& where) : io(where) {}
  ~LineState();
  LineState(const LineState&) = delete;
  LineState& operator=(const LineState&) = delete;

  Io& io;
  EditLine* editor = nullptr;
  ::History* past = nullptr;
  std::string prompt;
  LineWords words;
  bool draws_hints = false;
  Hint hint;
  const sigset_t* mask = nullptr;  // the signal mask while waiting for a key

  int Columns() const { return io.columns > 0 ? io.columns : 80; }
};

// Returns true if the screen has too few columns for the library, which then fails.
bool IsNarrow(const Io& io);

// Binds the keys of `editor`: Tab completes, Right and End take the hint, Ctrl-R searches the
// history. Ctrl-C ends a line.
void BindKeys(EditLine* editor);

// The command history, kept in a file that several shells share.

// Loads the newest lines of the file and shortens a long file. Null: the library failed.
::History* OpenHistory(const std::string& path);

// Adds a line to `past` and to the end of the file, which other shells may have extended. A
// repeated line is kept once.
void AddToHistory(::History* past, const std::string& path, const std::string& line);

}  // namespace tfprof
