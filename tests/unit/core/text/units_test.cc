// SPDX-License-Identifier: Apache-2.0
#include "core/text/units.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/base/arith.h"

namespace tfprof::units_test {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST_CASE("times: the unit is chosen after rounding") {
  CHECK(Human(0, Unit::us) == "0 us");
  CHECK(Human(999, Unit::us) == "999 us");
  CHECK(Human(1000, Unit::us) == "1.00 ms");
  CHECK(Human(1004, Unit::us) == "1.00 ms");
  CHECK(Human(1005, Unit::us) == "1.01 ms");
  CHECK(Human(9994, Unit::us) == "9.99 ms");
  CHECK(Human(9995, Unit::us) == "10.0 ms");
  CHECK(Human(99949, Unit::us) == "99.9 ms");
  CHECK(Human(99950, Unit::us) == "100 ms");
  CHECK(Human(999499, Unit::us) == "999 ms");
  CHECK(Human(999500, Unit::us) == "1.00 s");
  CHECK(Human(999995, Unit::us) == "1.00 s");
  CHECK(Human(214600, Unit::us) == "215 ms");
  CHECK(Human(3600000000, Unit::us) == "3600 s");
  CHECK(Human(-1500, Unit::us) == "-1.50 ms");
  CHECK(Human(1500, Unit::ps) == "1.50 ns");
  CHECK(Human(kMax, Unit::ps) == "9223372 s");
}

TEST_CASE("sizes are powers of 1024") {
  CHECK(Human(1023, Unit::bytes) == "1023 B");
  CHECK(Human(1024, Unit::bytes) == "1.00 KiB");
  CHECK(Human(1024 * 1023, Unit::bytes) == "1023 KiB");
  CHECK(Human(1024 * 1024 - 1, Unit::bytes) == "1.00 MiB");
  CHECK(Human(1024 * 1024 - 512, Unit::bytes) == "1.00 MiB");
  CHECK(Human(1024 * 1024 - 513, Unit::bytes) == "1023 KiB");
  CHECK(Human(kMax, Unit::bytes) == "8.00 EiB");
}

TEST_CASE("counts, parameters, operations, shares and plain numbers have their formats") {
  CHECK(Human(9999, Unit::count) == "9999");
  CHECK(Human(10000, Unit::count) == "10.0k");
  CHECK(Human(999, Unit::params) == "999");
  CHECK(Human(12345, Unit::params) == "12.3k");
  CHECK(Human(999500, Unit::flops) == "1.00M");
  CHECK(Human(123456789, Unit::none) == "123456789");
  CHECK(Human(50, Unit::percent) == "50%");
  CHECK(Human(kNoInt, Unit::bytes) == "-");
  CHECK(Human(-kMax, Unit::flops) == "-9.22E");
}

TEST_CASE("quotients are rounded only when they are written; counts have a decimal") {
  CHECK(Human(21'000'000, Unit::ps_as_us, 3) == "7.00 us");
  CHECK(Human(22'000'000, Unit::ps_as_us, 3) == "7.33 us");
  CHECK(Human(2'999'985'000'000, Unit::ps_as_us, 3) == "1.00 s");
  CHECK(Human(3, Unit::count, 3) == "1");
  CHECK(Human(1, Unit::count, 3) == "0.3");
  CHECK(Human(5, Unit::count, 3) == "1.7");
  CHECK(Human(0, Unit::count, 3) == "0");
  CHECK(Human(3 * 1536, Unit::bytes, 3) == "1.50 KiB");
}

TEST_CASE("quantities are parsed with and without units") {
  CHECK(ParseQuantity("1500", Unit::us) == 1500);
  CHECK(ParseQuantity("+0012", Unit::us) == 12);
  CHECK(ParseQuantity("-7", Unit::count) == -7);
  CHECK(ParseQuantity("1ms", Unit::us) == 1000);
  CHECK(ParseQuantity("1.5ms", Unit::us) == 1500);
  CHECK(ParseQuantity(".5s", Unit::us) == 500000);
  CHECK(ParseQuantity("0.0004ms", Unit::us) == 0);
  CHECK(ParseQuantity("0.0005ms", Unit::us) == 1);
  CHECK(ParseQuantity("2us", Unit::ps) == 2000000);
  CHECK(ParseQuantity("10MiB", Unit::bytes) == 10485760);
  CHECK(ParseQuantity("10MB", Unit::bytes) == 10000000);
  CHECK(ParseQuantity("1KB", Unit::bytes) == 1000);
  CHECK(ParseQuantity("1kB", Unit::bytes) == 1000);
  CHECK(ParseQuantity("9223372036854775807", Unit::bytes) == kMax);
  CHECK(ParseQuantity("-9223372036854775808", Unit::bytes) == std::numeric_limits<int64_t>::min());
}

TEST_CASE("an invalid quantity is refused with an example") {
  for (const char* text : {"", "-", "x", "1k", "1m", "1b", "1 ms", "ms", "1.5", "1..5ms", "1MS",
                           "1msx", "1min", "0x10", "1e3", "."}) {
    INFO(text);
    const auto result = ParseQuantity(text, Unit::us);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::usage);
    CHECK(result.error().hint.find("1.5ms") != std::string::npos);
  }
  CHECK_FALSE(ParseQuantity("1us", Unit::bytes));
  CHECK_FALSE(ParseQuantity("1B", Unit::us));
  CHECK_FALSE(ParseQuantity("1k", Unit::count));
  CHECK_FALSE(ParseQuantity("9223372036854775808", Unit::bytes));
  CHECK_FALSE(ParseQuantity("-9223372036854775809", Unit::bytes));
  CHECK_FALSE(ParseQuantity("99999999999999999999999", Unit::bytes));
  CHECK_FALSE(ParseQuantity("9223372036854775807s", Unit::us));
}

TEST_CASE("reals in tables: times scale, fractions are percentages, rates have their unit") {
  const auto human = [](double value, Unit unit) {
    std::string text;
    AppendHumanReal(value, unit, &text);
    return text;
  };
  CHECK(human(1500.4, Unit::us) == "1.50 ms");
  CHECK(human(0.25, Unit::us) == "250 ns");
  CHECK(human(21.310352, Unit::ms) == "21.3 ms");
  CHECK(human(1e30, Unit::us) == "1e+24 s");
  CHECK(human(0.1234, Unit::fraction) == "12.3%");
  CHECK(human(12.34, Unit::percent) == "12.3");
  // One rounding, whether the value is a fraction, a percentage, or a quotient.
  CHECK(human(0.2875, Unit::fraction) == "28.8%");
  CHECK(human(28.75, Unit::percent) == "28.8");
  CHECK(human(-28.75, Unit::percent) == "-28.8");
  CHECK(human(100.0 * 23 / 80, Unit::percent) == "28.8");
  CHECK(human(28.7499, Unit::percent) == "28.7");
  CHECK(PercentText(100 * 0.0665) == "6.7%");
  CHECK(PercentText(2.5, 0) == "3%");
  CHECK(PercentText(kNoReal) == "-");
  CHECK(human(123.45, Unit::gflops_per_s) == "123.5 GFLOP/s");
  CHECK(human(613567.5, Unit::gflops_per_s) == "613.6 TFLOP/s");
  CHECK(human(3352, Unit::gbytes_per_s) == "3352 GB/s");
  CHECK(human(0, Unit::gbytes_per_s) == "0 GB/s");
  CHECK(human(1, Unit::gbytes_per_s) == "1 GB/s");
  CHECK(human(0.99999, Unit::gbytes_per_s) == "1 GB/s");
  CHECK(human(0.25, Unit::gbytes_per_s) == "250 MB/s");
  CHECK(human(0.0002604, Unit::gbytes_per_s) == "260.4 KB/s");
  CHECK(human(0.5e-9, Unit::gbytes_per_s) == "0.5 B/s");
  CHECK(human(0.001552, Unit::gflops_per_s) == "1.552 MFLOP/s");
  CHECK(human(2e-6, Unit::gflops_per_s) == "2 kFLOP/s");
  CHECK(human(0.5, Unit::gibytes_per_s) == "512 MiB/s");
  CHECK(human(-0.5, Unit::gbytes_per_s) == "-500 MB/s");
  CHECK(human(27000, Unit::gbytes_per_s) == "27 TB/s");
  CHECK(human(std::numeric_limits<double>::quiet_NaN(), Unit::us) == "-");
}

}  // namespace
TEST_CASE("units: reals of sizes, counts and rates have units as integers have") {
  const auto human = [](double value, Unit unit) {
    std::string text;
    AppendHumanReal(value, unit, &text);
    return text;
  };
  CHECK(human(1536, Unit::bytes) == "1.50 KiB");
  CHECK(human(-1536, Unit::bytes) == "-1.50 KiB");
  CHECK(human(2.5, Unit::count) == "2.5");
  CHECK(human(123456, Unit::count) == "123k");
  CHECK(human(-2e12, Unit::flops_per_s) == "-2 TFLOP/s");
  CHECK(human(3e9, Unit::bytes_per_s) == "3 GB/s");
}

}  // namespace tfprof::units_test
