// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "emitters/emitter.h"

// Text on a terminal.

namespace tfprof {

constexpr std::string_view kBold = "\x1b[1m", kDim = "\x1b[2m", kRed = "\x1b[31m",
                           kYellow = "\x1b[33m", kPlain = "\x1b[0m";

// Appends `text`, in `color` if the style has colors and `color` is not empty.
inline void AppendPainted(std::string_view text, std::string_view color, const Style& style,
                          std::string* out) {
  const bool paint = style.color && !color.empty() && !text.empty();
  if (paint) out->append(color);
  out->append(text);
  if (paint) out->append(kPlain);
}

// Appends `text`, printable, broken at spaces if it is wider than the terminal; a word longer than
// `uncut_lines` lines is cut in the middle. Each line begins with `indent` spaces and ends in a
// line feed.
void AppendWrapped(std::string_view text, size_t indent, const Style& style, std::string* out,
                   size_t uncut_lines = 1);

}  // namespace tfprof
