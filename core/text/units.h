// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/attributes.h"
#include "core/base/result.h"

namespace tfprof {

// Appends "1.50 ms", "2.00 KiB", "12.3k": three to four significant digits, with the unit chosen
// after rounding (999,995 us is "1.00 s", never "1000.00 ms"). A zero time in ps is "0". kNoInt is
// "-". `divisor`: the value is a quotient; a count then has one decimal where it is not whole.
void AppendHuman(int64_t value, Unit unit, std::string* out, int64_t divisor = 1);
std::string Human(int64_t value, Unit unit, int64_t divisor = 1);

// As AppendHuman, for reals: times as above, a fraction as "12.3%", rates with their unit. NaN is
// "-".
void AppendHumanReal(double value, Unit unit, std::string* out);

// A percentage with as many decimals as are printed, here and everywhere: halves are rounded away
// from 0, also that of 100 * 0.2875, which in binary is a little less than 28.75.
double RoundedPercent(double percent, int decimals = 1);
std::string PercentText(double percent, int decimals = 1);  // "28.8%"; NaN is "-"

// The unit that JSON, CSV and -where use for values of `unit` (us, percent, bytes and flops per
// second), and the factor from a real value of `unit` to it.
Unit WrittenUnit(Unit unit);
double WrittenScale(Unit unit);

// Formats "1 operation", "2 operations".
std::string Counted(int64_t count, std::string_view noun);

// Parses a number with an optional unit, as typed: us ms s for times (result in us), B KB KiB MB
// MiB GB GiB for sizes (result in bytes), none for counts. Fractions need a unit and are rounded to
// the result's. A bare k, m or b is invalid. Error: usage.
Result<int64_t> ParseQuantity(std::string_view text, Unit unit);

}  // namespace tfprof
