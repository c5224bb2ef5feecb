// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <sstream>

#include "cli/run.h"

namespace tfprof {

// Collects one refresh of an answer for a terminal, both output and messages, and draws it over the
// last one. Elsewhere, output and messages are written as usual.
class ScreenBlock {
 public:
  explicit ScreenBlock(Io& io);
  ~ScreenBlock();
  ScreenBlock(const ScreenBlock&) = delete;
  ScreenBlock& operator=(const ScreenBlock&) = delete;

  // The room on the screen below what was collected; `most`: there is more room, or no screen.
  int64_t RowsLeft(int64_t most) const;

  // Draws what was collected, cut to the screen. `is_first`: the screen still shows something else.
  void Draw(bool is_first);

 private:
  Io& io_;
  std::ostream* const out_;
  std::ostream* const err_;
  std::ostringstream collected_;
};

// Drops messages during its lifetime.
class Silence {
 public:
  explicit Silence(Io& io) : io_(io), err_(io.err) { io.err = &dropped_; }
  ~Silence() { io_.err = err_; }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  Io& io_;
  std::ostream* const err_;
  std::ostringstream dropped_;
};

}  // namespace tfprof
