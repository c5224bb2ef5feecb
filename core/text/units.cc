// SPDX-License-Identifier: Apache-2.0
#include "core/text/units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>

#include "core/base/arith.h"
#include "core/text/append_format.h"

namespace tfprof {
namespace {

struct Scale {
  std::string_view name;  // with its leading space
  uint64_t size;          // in units of the value
};

// In ascending order. A value below the second size is printed as an integer in the first unit.
constexpr Scale kUs[] = {{" us", 1}, {" ms", 1000}, {" s", 1000000}};
constexpr Scale kPs[] = {
    {" ps", 1}, {" ns", 1000}, {" us", 1000000}, {" ms", 1000000000}, {" s", 1000000000000}};
constexpr Scale kBytes[] = {{" B", 1},
                            {" KiB", uint64_t{1} << 10},
                            {" MiB", uint64_t{1} << 20},
                            {" GiB", uint64_t{1} << 30},
                            {" TiB", uint64_t{1} << 40},
                            {" PiB", uint64_t{1} << 50},
                            {" EiB", uint64_t{1} << 60}};
constexpr Scale kNumbers[] = {{"", 1},
                              {"k", 1000},
                              {"M", 1000000},
                              {"G", 1000000000},
                              {"T", 1000000000000},
                              {"P", 1000000000000000},
                              {"E", 1000000000000000000}};
constexpr Scale kNoUnit[] = {{"", 1}};
// Rates, from the unit of the value down to smaller units, for values below 1.
constexpr std::string_view kFlopRates[] = {" GFLOP/s", " MFLOP/s", " kFLOP/s", " FLOP/s"};
constexpr std::string_view kByteRates[] = {" GB/s", " MB/s", " KB/s", " B/s"};
constexpr std::string_view kBinaryRates[] = {" GiB/s", " MiB/s", " KiB/s", " B/s"};
constexpr Scale kPercent[] = {{"%", 1}};

std::span<const Scale> Scales(Unit unit) {
  switch (unit) {
    case Unit::us: return kUs;
    case Unit::ps:
    case Unit::ps_as_us:
    case Unit::ps_as_ms: return kPs;
    case Unit::bytes: return kBytes;
    case Unit::count:
    case Unit::flops:
    case Unit::params: return kNumbers;
    case Unit::percent: return kPercent;
    default: break;
  }
  return kNoUnit;
}

constexpr uint64_t kPower10[] = {1, 10, 100};

// 128 bits: value * 100 may exceed 64 bits.
__extension__ using Wide = unsigned __int128;

// value / size with `decimals` digits, as an integer, rounded half up.
uint64_t Rounded(uint64_t value, Wide size, int decimals) {
  return static_cast<uint64_t>((static_cast<Wide>(value) * kPower10[decimals] + size / 2) / size);
}

void AppendUnsigned(uint64_t value, std::string* out) {
  char digits[20];
  out->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void AppendFixed(uint64_t scaled, int decimals, std::string* out) {
  AppendUnsigned(scaled / kPower10[decimals], out);
  if (decimals == 0) return;
  const uint64_t rest = scaled % kPower10[decimals];
  out->push_back('.');
  if (decimals == 2 && rest < 10) out->push_back('0');
  AppendUnsigned(rest, out);
}

void AppendMagnitude(uint64_t value, uint64_t divisor, std::span<const Scale> scales,
                     std::string* out) {
  size_t at = 0;
  const auto rounded = [&](int decimals) {
    return Rounded(value, Wide{scales[at].size} * divisor, decimals);
  };
  while (at + 1 < scales.size()) {
    // The choice of the next unit follows the rounding: 999,995 us reads 1.00 s.
    const uint64_t step = scales[at + 1].size / scales[at].size;
    if (rounded(0) < step) break;
    ++at;
  }
  int decimals = at == 0 ? 0 : 2;
  while (decimals > 0 && rounded(decimals) >= 1000) --decimals;
  AppendFixed(rounded(decimals), decimals, out);
  out->append(scales[at].name);
}

// ---- reading -----------------------------------------------------------------------------------

constexpr Scale kByteSuffixes[] = {{" B", 1},           {" KB", 1000},    {" kB", 1000},
                                   {" KiB", 1 << 10},   {" MB", 1000000}, {" MiB", 1 << 20},
                                   {" GB", 1000000000}, {" GiB", 1 << 30}};

struct Grammar {
  std::span<const Scale> suffixes;
  std::string_view kind;  // "a time"
  std::string_view hint;
};

Grammar GrammarOf(Unit unit) {
  switch (unit) {
    case Unit::us: return {kUs, "a time", "write 1500, 1500us, 1.5ms or 2s"};
    case Unit::ps:
    case Unit::ps_as_us:
    case Unit::ps_as_ms: return {kPs, "a time", "write 1500, 1500ps, 2ns, 1.5us, 1.5ms or 2s"};
    case Unit::bytes:
      return {kByteSuffixes, "a size",
              "write 4096, 4096B, 4KiB, 1.5MiB or 2GiB (KB, MB, GB are powers of 1000)"};
    default: return {{}, "a number", "write a whole number without a unit"};
  }
}

// Digits with an optional decimal point: value = digits / 10^decimals.
struct Decimal {
  bool negative = false;
  uint64_t digits = 0;
  int decimals = 0;
  bool fits = true;
  size_t length = 0;  // bytes read; 0: not a number
};

Decimal ReadDecimal(std::string_view text) {
  Decimal number;
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) number.negative = text[at++] == '-';
  bool point = false, any = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    any = true;
    if (__builtin_mul_overflow(number.digits, uint64_t{10}, &number.digits) ||
        __builtin_add_overflow(number.digits, static_cast<uint64_t>(c - '0'), &number.digits)) {
      number.fits = false;
    }
    if (point) ++number.decimals;
  }
  if (any) number.length = at;
  return number;
}

// The magnitude in the result's unit, rounded half up; false: out of range.
bool Scaled(const Decimal& number, uint64_t size, int64_t* result) {
  __extension__ using Wide = unsigned __int128;
  if (!number.fits || number.decimals > 18) return false;
  uint64_t divisor = 1;
  for (int i = 0; i < number.decimals; ++i) divisor *= 10;
  const Wide value = (static_cast<Wide>(number.digits) * size + divisor / 2) / divisor;
  const uint64_t max = (uint64_t{1} << 63) - (number.negative ? 0 : 1);
  if (value > max) return false;
  const uint64_t magnitude = static_cast<uint64_t>(value);
  *result = static_cast<int64_t>(number.negative ? uint64_t{0} - magnitude : magnitude);
  return true;
}

void AppendTime(double value, int64_t ps, std::string* out) {
  const double times = value * static_cast<double>(ps);
  const bool fits = std::abs(times) < 9e18;  // larger times are unrealistic
  if (fits) {
    AppendHuman(std::llround(times), Unit::ps, out);
  } else {
    AppendFormat(out, "{:.4g} s", times / 1e12);
  }
}

// `step`: the number of units in the preceding unit.
void AppendRate(double value, double step, std::span<const std::string_view> units,
                std::string* out) {
  constexpr double kBelowOne = 0.99995;  // 0.99995 to 1 is printed as 1 with four digits
  size_t at = 0;
  for (; at + 1 < units.size() && value != 0 && std::abs(value) < kBelowOne; ++at) value *= step;
  AppendFormat(out, "{:.4g}{}", value, units[at]);
}

Failure NotA(const Grammar& grammar, std::string_view text) {
  return UsageError(fmt::format("'{}' is not {}", text, grammar.kind), std::string(grammar.hint));
}

}  // namespace

void AppendHuman(int64_t value, Unit unit, std::string* out, int64_t divisor) {
  if (value == kNoInt) return out->push_back('-');
  const std::span<const Scale> scales = Scales(unit);
  // A unit would suggest false precision.
  if (value == 0 && scales.data() == kPs) return out->push_back('0');
  if (value < 0) out->push_back('-');
  const uint64_t magnitude =
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  // Numbers of up to four digits are no longer than with a suffix.
  const auto parts = static_cast<uint64_t>(divisor);
  if (unit == Unit::count && magnitude / parts < 10000) {
    AppendFixed(Rounded(magnitude, parts, 1), 1, out);
    if (magnitude % parts == 0) out->resize(out->size() - 2);  // ".0"
    return;
  }
  AppendMagnitude(magnitude, parts, scales, out);
}

namespace {

// A rate per second, or the change of one.
void AppendPerSecond(double value, Unit giga, std::string* out) {
  if (value < 0) out->push_back('-');
  AppendHumanReal(std::abs(value) / 1e9, giga, out);
}

// As AppendHuman if the value fits and needs a larger unit; counts below keep their decimals.
bool AppendLarge(double value, Unit unit, std::string* out) {
  constexpr double kMost = 9e18;
  const double least = unit == Unit::bytes ? 0 : 10000;
  if (std::abs(value) < least || std::abs(value) > kMost) return false;
  AppendHuman(std::llround(value), unit, out);
  return true;
}

}  // namespace

void AppendHumanReal(double value, Unit unit, std::string* out) {
  const auto put = [&](double number, std::string_view suffix) {
    AppendFormat(out, "{:.4g}{}", number, suffix);
  };
  if (std::isnan(value)) return out->push_back('-');
  switch (unit) {
    case Unit::us: return AppendTime(value, kPsPerUs, out);
    case Unit::ms: return AppendTime(value, 1000 * kPsPerUs, out);
    case Unit::percent: return AppendFormat(out, "{:.1f}", RoundedPercent(value));
    case Unit::fraction: out->append(PercentText(100 * value)); return;
    case Unit::gflops_per_s:
      if (value >= 1000) return put(value / 1000, " TFLOP/s");
      return AppendRate(value, 1000, kFlopRates, out);
    case Unit::gbytes_per_s:
      if (value >= 10000) return put(value / 1000, " TB/s");
      return AppendRate(value, 1000, kByteRates, out);
    case Unit::gibytes_per_s: return AppendRate(value, 1024, kBinaryRates, out);
    case Unit::flops_per_byte: return put(value, " FLOP/B");
    case Unit::flops_per_s: return AppendPerSecond(value, Unit::gflops_per_s, out);
    case Unit::bytes_per_s: return AppendPerSecond(value, Unit::gbytes_per_s, out);
    case Unit::bytes:
    case Unit::count:
    case Unit::params:
    case Unit::flops:
      if (!AppendLarge(value, unit, out)) put(value, "");
      return;
    default: return put(value, "");
  }
}

double RoundedPercent(double percent, int decimals) {
  constexpr double kNoise = 1e-12;  // more than the error of a quotient, less than any difference
  const double one = decimals == 0 ? 1 : 10;
  return std::copysign(std::floor(std::abs(percent) * one * (1 + kNoise) + 0.5) / one, percent);
}

std::string PercentText(double percent, int decimals) {
  if (std::isnan(percent)) return "-";
  return fmt::format("{:.{}f}%", RoundedPercent(percent, decimals), decimals);
}

std::string Counted(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string Human(int64_t value, Unit unit, int64_t divisor) {
  std::string text;
  AppendHuman(value, unit, &text, divisor);
  return text;
}

Result<int64_t> ParseQuantity(std::string_view text, Unit unit) {
  const Grammar grammar = GrammarOf(unit);
  const Decimal number = ReadDecimal(text);
  if (number.length == 0) return NotA(grammar, text);
  const std::string_view suffix = text.substr(number.length);
  uint64_t size = suffix.empty() ? 1 : 0;
  for (const Scale& known : grammar.suffixes) {
    if (known.name.substr(1) == suffix) size = known.size;
  }
  const bool has_point = text.substr(0, number.length).find('.') != std::string_view::npos;
  if (size == 0 || (suffix.empty() && has_point)) return NotA(grammar, text);
  int64_t result = 0;
  if (!Scaled(number, size, &result)) {
    return UsageError(fmt::format("'{}' is too large or too precise", text));
  }
  return result;
}

Unit WrittenUnit(Unit unit) {
  switch (unit) {
    case Unit::ps:
    case Unit::ps_as_ms: return Unit::ps_as_us;
    case Unit::ms: return Unit::us;
    case Unit::fraction: return Unit::percent;
    case Unit::gflops_per_s: return Unit::flops_per_s;
    case Unit::gbytes_per_s:
    case Unit::gibytes_per_s: return Unit::bytes_per_s;
    default: return unit;
  }
}

double WrittenScale(Unit unit) {
  switch (unit) {
    case Unit::ms: return 1e3;
    case Unit::fraction: return 100;
    case Unit::gflops_per_s:
    case Unit::gbytes_per_s: return 1e9;
    case Unit::gibytes_per_s: return 1024.0 * 1024 * 1024;
    default: return 1;
  }
}

}  // namespace tfprof
