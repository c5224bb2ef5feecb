// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>

#include "cli/run.h"
#include "core/context.h"

namespace tfprof {

// While it lives, shows on a terminal how far the work of `context` is, from half a second on.
// Elsewhere it shows nothing.
class Progress {
 public:
  Progress(Io& io, const Context& context);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void Show();
  bool Wait(int milliseconds);  // true: the work is over

  Io& io_;
  const Context& context_;
  std::mutex lock_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tfprof
