// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Columns as bytes that a browser reads into typed arrays without parsing. All numbers are
// little-endian.

namespace tfprof {

// Where a column is: `rows` values of `width` bytes, from byte `at` of the data. Integers are the
// sums of `base` and what is stored; the largest value of the width is an absent one. A value of
// several bytes is spread over planes: first the lowest byte of each row, then the next one, so
// that they compress well. Width 0: each value is `base`; with `base` kNoInt, absent.
struct StoredColumn {
  size_t at = 0;
  int width = 0;
  int64_t base = 0;
};

struct PageBytes {
  std::string data;

  // Stores integers with the least width that holds them; kNoInt is absent.
  StoredColumn AddIntegers(std::span<const int64_t> values);
  // Stores reals as IEEE 754 doubles in 8 planes; NaN is absent. All absent: width 0.
  StoredColumn AddReals(std::span<const double> values);
};

// Texts that columns refer to by their number, each stored once.
struct PageTexts {
  std::unordered_map<std::string, int64_t> ids;
  std::vector<const std::string*> texts;  // by id; the keys of `ids`

  int64_t Id(std::string text);
};

std::string Base64(std::string_view bytes);
// Returns the SHA-256 digest of `bytes`, 32 bytes.
std::string Sha256(std::string_view bytes);
// Returns the digest of a script or a style, as a Content-Security-Policy names it.
std::string DigestOf(std::string_view text);

}  // namespace tfprof
