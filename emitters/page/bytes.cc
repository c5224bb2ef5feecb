// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/arith.h"

namespace tfprof {
namespace {

// Appends the low `width` bytes of what is stored for each value, plane by plane.
template <class T, class StoredOf>
void AppendPlanes(std::span<const T> values, int width, StoredOf stored_of, std::string* out) {
  const size_t begin = out->size();
  out->resize(begin + values.size() * static_cast<size_t>(width));
  char* plane = out->data() + begin;
  for (int byte = 0; byte < width; ++byte, plane += values.size()) {
    for (size_t row = 0; row < values.size(); ++row) {
      plane[row] = static_cast<char>(stored_of(values[row]) >> (8 * byte) & 0xff);
    }
  }
}

int WidthOf(uint64_t range) {
  // The largest value of each width stands for an absent one.
  for (const int width : {1, 2, 4}) {
    if (range < (uint64_t{1} << (8 * width)) - 1) return width;
  }
  return 8;
}

}  // namespace

StoredColumn PageBytes::AddIntegers(std::span<const int64_t> values) {
  int64_t least = kNoInt, most = kNoInt;
  bool absent = false;
  for (const int64_t value : values) {
    if (value == kNoInt) {
      absent = true;
      continue;
    }
    least = least == kNoInt ? value : std::min(least, value);
    most = most == kNoInt ? value : std::max(most, value);
  }
  StoredColumn column{.at = data.size(), .width = 0, .base = least};
  if (least == kNoInt || (least == most && !absent)) return column;
  const uint64_t range = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
  column.width = WidthOf(range);
  const auto stored_of = [least](int64_t value) {
    return value == kNoInt ? ~uint64_t{0}
                           : static_cast<uint64_t>(value) - static_cast<uint64_t>(least);
  };
  AppendPlanes(values, column.width, stored_of, &data);
  return column;
}

StoredColumn PageBytes::AddReals(std::span<const double> values) {
  if (std::ranges::all_of(values, [](double value) { return std::isnan(value); })) {
    return {.at = data.size(), .width = 0, .base = kNoInt};
  }
  const StoredColumn column{.at = data.size(), .width = 8, .base = 0};
  AppendPlanes(
      values, 8, [](double value) { return std::bit_cast<uint64_t>(value); }, &data);
  return column;
}

int64_t PageTexts::Id(std::string text) {
  const auto [at, is_new] = ids.try_emplace(std::move(text), static_cast<int64_t>(texts.size()));
  if (is_new) texts.push_back(&at->first);
  return at->second;
}

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* to = text.data();
  const auto byte = [&](size_t at) { return uint32_t{static_cast<unsigned char>(bytes[at])}; };
  const auto write = [&](uint32_t bits, int digits) {
    for (int i = 0; i < digits; ++i) to[i] = kDigits[bits >> (18 - 6 * i) & 63];
    to += 4;
  };
  size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) {
    write(byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2), 4);
  }
  if (at + 1 == bytes.size()) write(byte(at) << 16, 2);
  if (at + 2 == bytes.size()) write(byte(at) << 16 | byte(at + 1) << 8, 3);
  return text;
}

}  // namespace tfprof
