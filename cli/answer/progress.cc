// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "core/base/parallel.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr size_t kBarCells = 30;

std::string Bar(uint64_t done, uint64_t total) {
  if (total == 0) return "reading ...";
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto cells = static_cast<size_t>(share * kBarCells);
  return fmt::format("reading [{:<{}}] {:3.0f}% of {}", std::string(cells, '#'), kBarCells,
                     share * 100, Human(static_cast<int64_t>(total), Unit::bytes));
}

}  // namespace

std::string ReadTimeText(std::chrono::duration<double> time) {
  return time.count() < 1 ? "" : fmt::format(", read in {:.1f} s", time.count());
}

Progress::Progress(Io& io, const Context& context) : io_(io), context_(context) {
  if (io_.err_is_terminal) thread_ = TryThread([this] { Show(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> locked(lock_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

std::string Progress::ReadTimeSoFar() const {
  return io_.err_is_terminal ? ReadTimeText(std::chrono::steady_clock::now() - began_) : "";
}

bool Progress::Wait(int milliseconds) {
  std::unique_lock<std::mutex> locked(lock_);
  return changed_.wait_for(locked, std::chrono::milliseconds(milliseconds),
                           [this] { return over_; });
}

void Progress::Show() {
  if (Wait(500)) return;
  do {
    const std::string bar = Bar(context_.done_bytes.load(std::memory_order_relaxed),
                                context_.total_bytes.load(std::memory_order_relaxed));
    *io_.err << "\r" << bar << "\x1b[K" << std::flush;
  } while (!Wait(100));
  *io_.err << "\r\x1b[K" << std::flush;
}

}  // namespace tfprof
