// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

constexpr size_t kLongestWord = 64;  // longer words are no typing slips

// The optimal string alignment distance: insertions, deletions, substitutions and swaps of
// neighbors.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string OnlyOneStartingWith(std::string_view word,
                                std::span<const std::string_view> candidates) {
  std::string found;
  for (const std::string_view candidate : candidates) {
    if (LowerCase(candidate).compare(0, word.size(), word) != 0) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

// Common words for attributes and options, and their names here.
struct Synonym {
  std::string_view word;
  std::string_view name;
};
constexpr Synonym kSynonyms[] = {
    {"time", "micros"},
    {"duration", "micros"},
    {"us", "micros"},
    {"memory", "bytes"},
    {"mem", "bytes"},
    {"size", "bytes"},
    {"peak", "peak_bytes"},
    {"flops", "float_ops"},
    {"flop", "float_ops"},
    {"parameters", "params"},
    {"weights", "params"},
    {"count", "occurrence"},
    {"runs", "occurrence"},
    {"calls", "occurrence"},
    {"shape", "input_shapes"},
    {"shapes", "input_shapes"},
    {"type", "op_types"},
    {"types", "op_types"},
    {"cpu", "cpu_micros"},
    {"gpu", "accelerator_micros"},
    {"value", "tensor_value"},
    {"limit", "n"},
    {"rows", "n"},
    {"top", "n"},
    {"head", "n"},
    {"count", "n"},
    {"depth", "max_depth"},
    {"sort", "order_by"},
    {"sort_by", "order_by"},
    {"sortby", "order_by"},
    {"filter", "where"},
    {"grep", "where"},
    {"fields", "columns"},
    {"json", "format"},
    {"csv", "format"},
};

std::string SynonymOf(std::string_view word, const std::vector<std::string_view>& valid) {
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.word != word) continue;
    if (std::find(valid.begin(), valid.end(), synonym.name) != valid.end()) {
      return std::string(synonym.name);
    }
  }
  return {};
}

}  // namespace

std::string Nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string lower = LowerCase(word);
  size_t nearest = lower.size() < 4 ? 2 : 3;  // max distance plus one
  std::string found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const size_t distance = Distance(lower, LowerCase(candidate));
    if (distance >= nearest || distance >= candidate.size()) continue;
    if (distance > 1 && 3 * distance > std::max(lower.size(), candidate.size())) continue;
    nearest = distance;
    found = candidate;
  }
  return found.empty() ? OnlyOneStartingWith(lower, candidates) : found;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& valid) {
  std::string did_you_mean = SynonymOf(word, valid);
  return did_you_mean.empty() ? Nearest(word, valid) : did_you_mean;
}

std::string OneOf(std::string_view word, const std::vector<std::string_view>& valid) {
  std::string hint;
  const std::string near = DidYouMean(word, valid);
  if (!near.empty()) hint = fmt::format("did you mean '{}'? ", near);
  hint += "one of:";
  for (const std::string_view name : valid) hint.append(" ").append(name);
  return hint;
}

}  // namespace tfprof
