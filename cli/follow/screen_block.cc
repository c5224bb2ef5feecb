// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/screen_block.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/message.h"

namespace tfprof {
namespace {

constexpr std::string_view kHome = "\033[H", kClear = "\033[2J", kClearToEndOfLine = "\033[K",
                           kClearBelow = "\033[J";

}  // namespace

ScreenBlock::ScreenBlock(Io& io) : io_(io), out_(io.out), err_(io.err) {
  if (!io.out_is_terminal) return;
  io.out = &collected_;
  io.err = &collected_;
}

ScreenBlock::~ScreenBlock() {
  io_.out = out_;
  io_.err = err_;
}

int64_t ScreenBlock::RowsLeft(int64_t most) const {
  if (!io_.out_is_terminal || io_.rows <= 0) return most;
  const std::string text = collected_.str();
  const auto lines = std::count(text.begin(), text.end(), '\n');
  return std::clamp<int64_t>(io_.rows - 1 - lines, 0, most);
}

void ScreenBlock::Draw(bool is_first) {
  if (!io_.out_is_terminal) {
    out_->flush();
    return;
  }
  // Lines are overwritten one by one: a cleared screen would flicker.
  std::string drawn(is_first ? kClear : "");
  drawn += kHome;
  const std::string text = collected_.str();
  std::string_view rest = text;
  for (int row = 1; !rest.empty() && (io_.rows <= 0 || row < io_.rows); ++row) {
    drawn.append(TakeLine(&rest)).append(kClearToEndOfLine).append("\n");
  }
  drawn += kClearBelow;
  *out_ << drawn << std::flush;
}

}  // namespace tfprof
