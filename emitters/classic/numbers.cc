// SPDX-License-Identifier: Apache-2.0
#include "emitters/classic/numbers.h"

#include <charconv>
#include <cstdio>
#include <iterator>

#include "core/base/arith.h"
#include "emitters/cells.h"

namespace tfprof {
namespace {

// Below this bound, a quotient as a double is off by less than a hundredth of the digit that
// decides the rounding, unless it is a tie.
constexpr int64_t kExactBelow = 1'000'000'000'000'000;

}  // namespace

void AppendTwoDecimals(double value, std::string* out) {
  char text[400];  // the largest double has 309 digits
  const int length = std::snprintf(text, sizeof text, "%.2f", value);
  if (length > 0) out->append(text, static_cast<size_t>(length));
}

// A tie is a third decimal of 5 with only zeros after it. There the double lies slightly above or
// below the tie, and only printf rounds it alike; integers decide everything else.
void AppendQuotient(int64_t value, int64_t divisor, std::string* out) {
  const int64_t hundredth = divisor / 100;
  const int64_t rest = value % hundredth;
  if (value >= kExactBelow || rest * 2 == hundredth) {
    AppendTwoDecimals(static_cast<double>(value) / static_cast<double>(divisor), out);
    return;
  }
  const int64_t hundredths = value / hundredth + (rest * 2 > hundredth ? 1 : 0);
  char text[24];
  char* end = std::to_chars(std::begin(text), std::end(text), hundredths / 100).ptr;
  *end++ = '.';
  *end++ = static_cast<char>('0' + hundredths % 100 / 10);
  *end++ = static_cast<char>('0' + hundredths % 10);
  out->append(text, static_cast<size_t>(end - text));
}

void AppendClassicCount(int64_t value, std::string* out) {
  value = ZeroIfAbsent(value);
  if (value < 1'000) {
    AppendInteger(value, out);
  } else if (value < 1'000'000) {
    AppendQuotient(value, 1'000, out);
    out->push_back('k');
  } else if (value < 1'000'000'000) {
    AppendQuotient(value, 1'000'000, out);
    out->push_back('m');
  } else {
    AppendQuotient(value, 1'000'000'000, out);
    out->push_back('b');
  }
}

void AppendClassicTime(int64_t us, std::string* out) {
  us = ZeroIfAbsent(us);
  if (us < 1'000) {
    AppendInteger(us, out);
    out->append("us");
  } else if (us < 1'000'000) {
    AppendQuotient(us, 1'000, out);
    out->append("ms");
  } else {
    AppendQuotient(us, 1'000'000, out);
    out->append("sec");
  }
}

void AppendClassicMemory(int64_t bytes, std::string* out) {
  bytes = ZeroIfAbsent(bytes);
  if (bytes < 1'000) {
    AppendInteger(bytes, out);
    out->push_back('B');
  } else if (bytes < 1'000'000) {
    AppendQuotient(bytes, 1'000, out);
    out->append("KB");
  } else {
    AppendQuotient(bytes, 1'000'000, out);
    out->append("MB");
  }
}

}  // namespace tfprof
