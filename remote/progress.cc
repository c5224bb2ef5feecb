// SPDX-License-Identifier: Apache-2.0
#include "remote/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/base/arith.h"
#include "core/text/units.h"
#include "remote/clock.h"

namespace tfprof::remote {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRedraw{100};
constexpr int64_t kCells = 20;

int64_t SteadyNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Progress::Progress(std::chrono::milliseconds session, size_t hosts, bool quiet)
    : session_(session), hosts_(hosts), quiet_(quiet), bar_(!quiet && isatty(STDERR_FILENO) != 0) {
  if (!bar_) return;
  thread_ = std::thread([this] {
    std::unique_lock held(lock_);
    while (!changed_.wait_for(held, kRedraw, [this] { return over_; })) Draw();
  });
}

Progress::~Progress() {
  {
    const std::lock_guard held(lock_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::HostsBegin(int64_t hosts) {
  began_ns_ = SteadyNs();
  recording_ += hosts;
}

std::string Progress::Bar() const {
  const int64_t whole = std::max<int64_t>(session_.count() * kNsPerMs, 1);
  const int64_t done = std::min(SteadyNs() - began_ns_, whole);
  const int64_t cells = kCells * done / whole;
  return fmt::format(
      "\r\033[K[{}{}] {} of {}, {} of {} hosts, {}", std::string(static_cast<size_t>(cells), '#'),
      std::string(static_cast<size_t>(kCells - cells), ' '), Human(done * kPsPerNs, Unit::ps),
      Human(whole * kPsPerNs, Unit::ps), ended_.load(), hosts_,
      Human(static_cast<int64_t>(bytes_.load()), Unit::bytes));
}

void Progress::Draw() {
  if (recording_ == 0) return;
  drawn_ = true;
  std::fputs(Bar().c_str(), stderr);
  std::fflush(stderr);
}

void Progress::Print(const std::string& text) {
  const std::lock_guard held(lock_);
  std::string line = text;
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' ' || c == 0x7F; }, '?');  // a server's words
  std::fprintf(stderr, "%s%s\n", drawn_ ? "\r\033[K" : "", line.c_str());
}

void Progress::Line(const std::string& text) {
  if (!quiet_) Print(text);
}

void Progress::Complaint(const std::string& text) { Print(text); }

}  // namespace tfprof::remote
