// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <signal.h>

#include <atomic>
#include <thread>

#include "cli/run.h"

// The terminal that commands are typed into: its keys, its size, and the signals it sends.

namespace tfprof {

// Ctrl-C and changes of size are held back while it lives and let in by WaitForKey alone: what
// comes while a line is drawn would else be seen by nobody until the next key.
struct HeldSignals {
  sigset_t before;
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

enum class Waited : uint8_t { key, resized, interrupted };

// Until there is something to read, the size has changed, or Ctrl-C was pressed. `mask`: the
// signals that stay blocked meanwhile.
Waited WaitForKey(const sigset_t& mask);

// Whether something is typed that nobody has read.
bool KeysWait();

// From now on WaitForKey tells when the size changes.
void CatchResizes();

// Puts the size of the terminal, where it tells one, into io.columns and io.rows.
void TakeSize(Io& io);

// While it lives, a key or Ctrl-C sets `pressed`: what is worked out for somebody who only might
// want it stops then.
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
