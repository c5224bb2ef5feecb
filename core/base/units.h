// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/attributes.h"
#include "core/base/result.h"

namespace tfprof {

// "1.50 ms", "2.00 KiB", "12.3k": three to four significant digits, unit chosen after rounding
// (999,995 us is "1.00 s", never "1000.00 ms"). No time at all of those kept in ps is "0". kNoInt
// is
// "-". Appended to *out.
void AppendHuman(int64_t value, Unit unit, std::string* out);
std::string Human(int64_t value, Unit unit);

// The same of a column of reals: times as above, a fraction as "12.3%", rates with their unit. NaN
// is "-".
void AppendHumanReal(double value, Unit unit, std::string* out);

// The unit in which JSON, CSV and -where have values of `unit`: us, percent, bytes and flops per
// second; and how many of it a real value of 1 is.
Unit WrittenUnit(Unit unit);
double WrittenScale(Unit unit);

// "1 operation", "2 operations".
std::string Counted(int64_t count, std::string_view noun);

// A number with an optional unit as users type it: us ms s for times (result in us), B KB KiB MB
// MiB GB GiB for sizes (result in bytes), none for counts. Fractions need a unit and are rounded to
// the result's. A bare k, m or b is refused. Error: usage.
Result<int64_t> ParseQuantity(std::string_view text, Unit unit);

}  // namespace tfprof
