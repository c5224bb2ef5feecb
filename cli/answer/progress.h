// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "cli/run.h"
#include "core/base/context.h"

namespace tfprof {

// How long reading took, behind what was read: to who had to wait, from a second on; else empty.
std::string ReadIn(std::chrono::duration<double> time);

// While it lives, shows on a terminal how far the work of `context` is, from half a second on.
// Elsewhere it shows nothing.
class Progress {
 public:
  Progress(Io& io, const Context& context);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // ReadIn so far, on a terminal.
  std::string ReadInSoFar() const;

 private:
  void Show();
  bool Wait(int milliseconds);  // true: the work is over

  Io& io_;
  const Context& context_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mutex lock_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tfprof
