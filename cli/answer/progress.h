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

// A phrase with the read time, to append to a message; empty below one second.
std::string ReadTimeText(std::chrono::duration<double> time);

// During its lifetime, shows the progress of the work of `context` on a terminal, after half a
// second. Shows nothing elsewhere.
class Progress {
 public:
  Progress(Io& io, const Context& context);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // ReadTimeText for the time elapsed, on a terminal.
  std::string ReadTimeSoFar() const;

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
