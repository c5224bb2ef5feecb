// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <histedit.h>

#include <csignal>
#include <string>

#include "cli/shell/line_editor.h"

// What keys do while a line is typed: the part of the line editor that the library calls back.

namespace tfprof {

// Of a LineEditor; the client data of its `editor`.
struct LineState {
  struct Hint {
    std::string line;  // for which it was drawn
    std::string rest;  // that may follow; empty: none is seen
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
  const sigset_t* waiting = nullptr;  // the signal mask while a key is awaited

  int Columns() const { return io.columns > 0 ? io.columns : 80; }
};

// Whether the screen has too few columns for the library, which fails on such.
bool IsNarrow(const Io& io);

// Makes the keys of `editor` do what they do: Tab completes, Right and End take the hint, Ctrl-R
// searches the history. Ctrl-C ends a line.
void BindKeys(EditLine* editor);

}  // namespace tfprof
