// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "core/base/arith.h"
#include "core/base/ascii.h"

namespace tfprof {
namespace {

// kNoInt: not a natural number.
int64_t Natural(std::string_view text) {
  int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole && number >= 0 ? number : kNoInt;
}

}  // namespace

Result<std::vector<RankRange>> ParseRanks(std::string_view text) {
  std::vector<RankRange> ranges;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const size_t colon = part.find(':');
    const int64_t first = Natural(part.substr(0, colon));
    const int64_t last = colon == part.npos ? first : Natural(part.substr(colon + 1));
    if (first == kNoInt || last == kNoInt || last < first) {
      return Fail(ErrorKind::usage, fmt::format("'{}' is not a list of ranks", text), {},
                  "give ranks and ranges, such as 0,8:16");
    }
    ranges.push_back({first, last});
    begin = end + 1;
  }
  return ranges;
}

std::string RanksText(std::span<const RankRange> ranges) {
  std::string text;
  for (const RankRange& range : ranges) {
    text += (text.empty() ? "" : ",") + std::to_string(range.first);
    if (range.last != range.first) text += ":" + std::to_string(range.last);
  }
  return text;
}

bool TakesRank(std::span<const RankRange> ranges, int64_t rank) {
  return ranges.empty() || std::ranges::any_of(ranges, [&](const RankRange& range) {
           return range.first <= rank && rank <= range.last;
         });
}

int64_t RankInName(std::string_view path) {
  constexpr std::string_view kRank = "rank";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (size_t i = 0; i + kRank.size() < name.size(); ++i) {
    if (!BeginsWithAnyCase(name.substr(i), kRank)) continue;
    size_t begin = i + kRank.size();
    const char c = name[begin];
    if (c == '_' || c == '-' || c == ' ' || c == '=') ++begin;
    size_t end = begin;
    while (end < name.size() && IsDigit(name[end])) ++end;
    if (end > begin) return Natural(name.substr(begin, end - begin));
  }
  return kNoInt;
}

}  // namespace tfprof
