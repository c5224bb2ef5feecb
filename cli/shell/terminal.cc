// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/terminal.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "cli/shell/session.h"
#include "core/base/parallel.h"

namespace tfprof {
namespace {

using namespace std::chrono_literals;

std::atomic<bool>& Resized() {
  static std::atomic<bool> resized{false};
  return resized;
}

extern "C" void OnResize(int) { Resized() = true; }

}  // namespace

HeldSignals::HeldSignals(std::initializer_list<int> numbers) {
  sigemptyset(&held);
  for (const int number : numbers) {
    struct sigaction action {};  // `nohup` ignores some
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    sigaddset(&held, number);
  }
  pthread_sigmask(SIG_BLOCK, &held, &before);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

WakeReason WaitForKey(const sigset_t& mask) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (!Interrupted()) {
    if (Resized().exchange(false)) return WakeReason::resized;
    if (ppoll(&input, 1, nullptr, &mask) >= 0) return WakeReason::key;
    if (errno != EINTR) return WakeReason::key;  // read() reports the error
  }
  return WakeReason::interrupted;
}

int WaitForSignal(const HeldSignals& signals, std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (true) {
    const auto left = std::max(until - std::chrono::steady_clock::now(), 0ns);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    const timespec most{seconds.count(), (left - seconds).count()};
    const int number = sigtimedwait(&signals.held, nullptr, &most);
    if (number > 0) return number;
    if (errno != EINTR) return 0;
  }
}

bool KeysWait() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

void CatchResizes() {
  struct sigaction action {};
  action.sa_handler = OnResize;
  action.sa_flags = SA_RESTART;  // only ppoll returns early
  sigaction(SIGWINCH, &action, nullptr);
}

void TakeSize(Io& io) {
  winsize size{};
  if (!io.out_is_terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return;
  io.columns = size.ws_col;
  io.rows = size.ws_row;
}

KeyWatch::KeyWatch() : over_(eventfd(0, EFD_CLOEXEC)) {
  if (over_ >= 0) thread_ = TryThread([this] { Watch(); });
}

KeyWatch::~KeyWatch() {
  if (thread_.joinable()) {
    eventfd_write(over_, 1);
    thread_.join();
  }
  if (over_ >= 0) close(over_);
}

void KeyWatch::Watch() {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  sigdelset(&mask, SIGINT);
  pollfd ends[2] = {{STDIN_FILENO, POLLIN, 0}, {over_, POLLIN, 0}};
  const int ready = ppoll(ends, 2, nullptr, &mask);
  if (ready < 0 || ends[0].revents != 0) pressed_ = true;
}

}  // namespace tfprof
