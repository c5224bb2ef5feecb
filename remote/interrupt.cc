// SPDX-License-Identifier: Apache-2.0
#include "remote/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <limits>

namespace tfprof::remote {
namespace {

int signaled = -1;

extern "C" void OnSignal(int) {
  const int saved = errno;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(signaled, &one, sizeof one);
  errno = saved;
}

}  // namespace

Interrupt CatchInterrupts() {
  signaled = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action {};
  action.sa_handler = OnSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return signaled;
}

bool IsInterrupted(Interrupt interrupt) { return !Sleep(std::chrono::milliseconds(0), interrupt); }

bool Sleep(std::chrono::milliseconds time, Interrupt interrupt) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd wait{interrupt, POLLIN, 0};  // a negative descriptor is ignored
    const int64_t most = std::numeric_limits<int>::max();
    const int ready = poll(&wait, 1, static_cast<int>(std::clamp<int64_t>(left.count(), 0, most)));
    if (ready > 0) return false;
    if (left.count() <= 0) return true;
  }
}

}  // namespace tfprof::remote
