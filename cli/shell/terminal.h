// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <signal.h>

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <thread>

#include "cli/run.h"

// The interactive terminal: its keys, its size, and its signals.

namespace tfprof {

// Blocks signals during its lifetime, also in programs that are run. A line is drawn with Ctrl-C
// and size changes blocked; only WaitForKey admits them: they would go unnoticed until the next
// key.
struct HeldSignals {
  sigset_t held, before;
  explicit HeldSignals(std::initializer_list<int> numbers = {SIGINT, SIGWINCH});
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

enum class WakeReason : uint8_t { key, resized, interrupted };

// Waits until input is available, the size has changed, or Ctrl-C was pressed. `mask`: the signals
// that stay blocked meanwhile.
WakeReason WaitForKey(const sigset_t& mask);

// Waits until one of the signals arrives, and returns its number; 0: the time has passed.
int WaitForSignal(const HeldSignals& signals, std::chrono::milliseconds time);

// Returns true if unread keys are waiting.
bool KeysWait();

// Makes WaitForKey return when the size changes.
void CatchResizes();

// Stores the size of the terminal, if it reports one, in io.columns and io.rows.
void TakeSize(Io& io);

// During its lifetime, a key or Ctrl-C sets `pressed`, which stops speculative work such as hints.
class KeyWatch {
 public:
  KeyWatch();
  ~KeyWatch();
  KeyWatch(const KeyWatch&) = delete;
  KeyWatch& operator=(const KeyWatch&) = delete;

  const std::atomic<bool>& pressed() const { return pressed_; }

 private:
  void Watch();

  std::atomic<bool> pressed_{false};
  int over_ = -1;  // an eventfd
  std::thread thread_;
};

}  // namespace tfprof
