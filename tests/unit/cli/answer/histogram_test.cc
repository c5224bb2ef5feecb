// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/histogram.h"

#include <algorithm>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace tfprof::histogram_test {
namespace {

std::string Histogram(Unit unit, std::vector<double> values, BinScale scale,
                      CellType type = CellType::integer, size_t absent = 0, int64_t divisor = 1) {
  ColumnSpec spec;
  spec.title = "x";
  spec.type = type;
  spec.unit = unit;
  spec.divisor = divisor;
  Sink out;
  AppendHistogram(spec, {std::move(values), absent}, scale, 0, out);
  return out.buffer;
}

// The bounds and counts of the bins, "0 .. 5 3; ".
std::string Bins(const std::string& histogram) {
  std::string bins;
  for (size_t at = 0; at < histogram.size();) {
    const size_t end = histogram.find('\n', at);
    std::string line = histogram.substr(at, end - at);
    at = end + 1;
    if (line.find(" rows") != line.npos) break;
    line = line.substr(0, line.find('#'));
    std::string words;
    for (const char c : line) {
      if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
    }
    while (words.ends_with(' ')) words.pop_back();
    bins += words + "; ";
  }
  return bins;
}

}  // namespace

TEST_CASE("bins are log where the first linear one would have half of the values") {
  constexpr double kUs = 1e6;  // ps
  CHECK(Bins(Histogram(Unit::ps, {1 * kUs, 2 * kUs, 201 * kUs}, BinScale::automatic)) ==
        "1.00 us .. 2.00 us 2; 2.00 us .. 5.00 us 0; 5.00 us .. 10.0 us 0; "
        "10.0 us .. 20.0 us 0; 20.0 us .. 50.0 us 0; 50.0 us .. 100 us 0; "
        "100 us .. 200 us 0; 200 us .. 500 us 1; ");
  const std::string linear =
      Bins(Histogram(Unit::ps, {1 * kUs, 14 * kUs, 200 * kUs}, BinScale::automatic));
  CHECK(linear.starts_with("1.00 us .. 13.4 us 1; "));  // (200 - 1) / 16 = 12.4
  CHECK(linear.ends_with("188 us .. 200 us 1; "));
}

TEST_CASE("values that are not positive have a log bin of their own, absent ones none") {
  const std::string text =
      Histogram(Unit::count, {0, 0, 0, 7, 40}, BinScale::automatic, CellType::integer, 2);
  CHECK(Bins(text) == "0 3; 5 .. 10 1; 10 .. 20 0; 20 .. 50 1; ");
  CHECK(text.find("x of 5 rows: min 0") != text.npos);
  CHECK(text.find("2 rows without a value") != text.npos);
  CHECK(Bins(Histogram(Unit::count, {-3, 0, 7, 8}, BinScale::log)) == "-3 .. 0 2; 5 .. 10 2; ");
  CHECK(Bins(Histogram(Unit::count, {-3, 0}, BinScale::log)).starts_with("-3 .. "));
  CHECK(Bins(Histogram(Unit::count, {4, 4}, BinScale::linear)) == "4 2; ");
}

TEST_CASE("bounds of log bins are round in the unit that is shown") {
  CHECK(Bins(Histogram(Unit::bytes, {1024, 4096, 5000}, BinScale::log)) ==
        "1.00 KiB .. 2.00 KiB 1; 2.00 KiB .. 4.00 KiB 1; 4.00 KiB .. 8.00 KiB 1; ");
  CHECK(Bins(Histogram(Unit::fraction, {0.02, 0.3}, BinScale::log, CellType::real)) ==
        "2.0% .. 5.0% 1; 5.0% .. 10.0% 0; 10.0% .. 20.0% 0; 20.0% .. 50.0% 1; ");
  // Sums over 4 steps: 3 and 6 us of the mean.
  CHECK(Bins(Histogram(Unit::ps, {12e6, 24e6}, BinScale::log, CellType::integer, 0, 4)) ==
        "2.00 us .. 5.00 us 1; 5.00 us .. 10.0 us 1; ");
  const std::string wide = Bins(Histogram(Unit::count, {1, 2e12}, BinScale::log));
  CHECK(std::count(wide.begin(), wide.end(), ';') == 13);  // decades
  const std::string wider = Bins(Histogram(Unit::ps, {1, 4e18}, BinScale::log));
  CHECK(std::count(wider.begin(), wider.end(), ';') == 7);  // thousands
}

}  // namespace tfprof::histogram_test
