// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>
#include <string_view>

namespace tfprof {

// Texts made by an analysis or a view (frames of code, joined names), at stable addresses.
struct TextPool {
  std::deque<std::string> texts;
  std::string_view Keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

}  // namespace tfprof
