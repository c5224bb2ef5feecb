// SPDX-License-Identifier: Apache-2.0
// Any text as a number with a unit, and any number for people. Whole numbers are also worked out
// here, in 128 bits.
#include <cstring>
#include <limits>

#include "core/text/number_ranges.h"
#include "core/text/units.h"
#include "tests/fuzz/fuzz.h"

namespace tfprof {
namespace {

constexpr struct {
  std::string_view text;
  Unit unit;
  int64_t size;
} kUnits[] = {
    {"", Unit::us, 1},          {"us", Unit::us, 1},          {"ms", Unit::us, 1000},
    {"s", Unit::us, 1000000},   {"", Unit::bytes, 1},         {"B", Unit::bytes, 1},
    {"KiB", Unit::bytes, 1024}, {"MB", Unit::bytes, 1000000}, {"GiB", Unit::bytes, 1 << 30},
    {"", Unit::count, 1}};

// A whole number of up to 18 digits, without a sign, and one of these units behind it.
void CompareWhole(std::string_view text) {
  const size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  if (length == 0 || length > 18) return;
  for (const auto& known : kUnits) {
    if (text.substr(length) != known.text) continue;
    __int128 value = std::stoll(std::string(text.substr(0, length)));
    value *= known.size;
    const Result<int64_t> parsed = ParseQuantity(text, known.unit);
    const bool fits = value <= std::numeric_limits<int64_t>::max();
    Require(parsed.has_value() == fits, "a number that fits is refused, or the other way");
    if (fits) Require(*parsed == static_cast<int64_t>(value), "another number");
  }
}

}  // namespace
}  // namespace tfprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view text = BytesOf(data, size);
  CompareWhole(text);
  int64_t integer = 0;
  double real = 0;
  std::memcpy(&integer, data, std::min(size, sizeof integer));
  std::memcpy(&real, data, std::min(size, sizeof real));
  for (int unit = 0; unit <= static_cast<int>(Unit::bytes_per_s); ++unit) {
    (void)ParseQuantity(text, static_cast<Unit>(unit));
    std::string human;
    AppendHuman(integer, static_cast<Unit>(unit), &human);
    Require(!human.empty() && human.size() < 40, "a number of no readable length: " + human);
    AppendHumanReal(real, static_cast<Unit>(unit), &human);
  }
  const std::string_view halves[] = {text.substr(0, size / 2), text.substr(size / 2)};
  (void)WithRanges(halves);
  return 0;
}
