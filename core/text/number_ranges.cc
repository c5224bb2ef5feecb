// SPDX-License-Identifier: Apache-2.0
#include "core/text/number_ranges.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

constexpr size_t kMaxRanges = 5;

std::string_view WithoutZeros(std::string_view digits) {
  const size_t zeros = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return digits.substr(zeros);
}

constexpr uint64_t kLong = UINT64_MAX;  // the value of numbers that are compared as texts

struct Number {
  uint64_t value = 0;
  std::string_view digits;
};

Number NumberOf(std::string_view digits) {
  constexpr size_t kMaxDigits = 18;
  const std::string_view significant = WithoutZeros(digits);
  if (significant.size() > kMaxDigits) return {kLong, digits};
  uint64_t value = 0;
  for (const char digit : significant) value = 10 * value + static_cast<uint64_t>(digit - '0');
  return {value, digits};
}

// Compares by value, for any length; 9 precedes 09.
bool IsLess(const Number& a, const Number& b) {
  if (a.value != b.value) return a.value < b.value;
  if (a.value != kLong) return a.digits.size() < b.digits.size();
  const std::string_view x = WithoutZeros(a.digits), y = WithoutZeros(b.digits);
  if (x.size() != y.size()) return x.size() < y.size();
  return x != y ? x < y : a.digits.size() < b.digits.size();
}

bool ConsistsOf(std::string_view digits, char c) {
  return digits.find_first_not_of(c) == digits.npos;
}

// Returns true if `b` follows `a` in counting: 9 10, 09 10, but not 9 010.
bool IsNext(std::string_view a, std::string_view b) {
  const size_t last = a.find_last_not_of('9');
  if (last == a.npos)
    return b.size() == a.size() + 1 && b[0] == '1' && ConsistsOf(b.substr(1), '0');
  return b.size() == a.size() && b.substr(0, last) == a.substr(0, last) && b[last] == a[last] + 1 &&
         ConsistsOf(b.substr(last + 1), '0');
}

// Formats "0..5", "7", ...: three or more consecutive numbers are a range.
std::vector<std::string> RangesOf(std::span<const std::string_view> texts) {
  std::vector<Number> numbers;
  for (const std::string_view text : texts) numbers.push_back(NumberOf(text));
  // Rows sorted by name are already sorted in most cases.
  if (!std::is_sorted(numbers.begin(), numbers.end(), IsLess)) {
    std::sort(numbers.begin(), numbers.end(), IsLess);
  }
  const auto same = [](const Number& a, const Number& b) { return a.digits == b.digits; };
  numbers.erase(std::unique(numbers.begin(), numbers.end(), same), numbers.end());
  std::vector<std::string> ranges;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && IsNext(numbers[end - 1].digits, numbers[end].digits)) ++end;
    const bool is_range = end - i > 2;
    ranges.emplace_back(numbers[i].digits);
    if (is_range) ranges.back().append("..").append(numbers[end - 1].digits);
    i = is_range ? end : i + 1;
  }
  return ranges;
}

void AppendRanges(std::span<const std::string_view> numbers, std::string* out) {
  const std::vector<std::string> ranges = RangesOf(numbers);
  out->push_back('{');
  for (size_t i = 0; i < ranges.size(); ++i) {
    const bool left_out = i + 1 >= kMaxRanges && i + 1 < ranges.size();
    if (left_out && i + 1 > kMaxRanges) continue;
    out->append(i > 0 ? "," : "").append(left_out ? "..." : ranges[i]);
  }
  out->push_back('}');
}

}  // namespace

Digits NextDigits(std::string_view text, size_t from) {
  while (from < text.size() && !IsDigit(text[from])) ++from;
  size_t end = from;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return {from, end};
}

std::string WithRanges(std::span<const std::string_view> names) {
  const std::string_view first = names.front();
  std::vector<size_t> at(names.size(), 0);  // for each name, the position after its last number
  std::string out;
  size_t copied = 0;
  for (Digits digits = NextDigits(first, 0); digits.begin < digits.end;
       digits = NextDigits(first, digits.end)) {
    std::vector<std::string_view> numbers;
    bool differ = false;
    for (size_t i = 0; i < names.size(); ++i) {
      const Digits here = NextDigits(names[i], at[i]);
      at[i] = here.end;
      if (here.begin == here.end) continue;
      numbers.push_back(names[i].substr(here.begin, here.end - here.begin));
      differ |= numbers.back() != numbers.front();
    }
    if (!differ) continue;
    out.append(first.substr(copied, digits.begin - copied));
    AppendRanges(numbers, &out);
    copied = digits.end;
  }
  return out.append(first.substr(copied));
}

}  // namespace tfprof
