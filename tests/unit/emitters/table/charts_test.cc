// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/parts.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "core/base/arith.h"
#include "emitters/printable.h"

namespace tfprof::charts_test {
namespace {

Chart Bars() {
  Chart chart;
  chart.title = "steps";
  chart.parts = {"compute", "input", "never"};
  chart.labels = {"train 1", "2"};
  chart.values = {30'000'000, 10'000'000, kNoInt, 20'000'000, 0, kNoInt};
  return chart;
}

std::string ChartText(const Chart& chart, int columns, bool utf8) {
  std::string out;
  AppendCharts({chart}, {.columns = columns, .utf8 = utf8}, &out);
  return out;
}

TEST_CASE("bars: parts are side by side, and the longest row fills the width") {
  CHECK(ChartText(Bars(), 43, false) ==
        "steps\n"
        "train 1  40.0 us  ###################------\n"
        "2        20.0 us  #############\n"
        "# compute  - input\n"
        "\n");
  CHECK(ChartText(Bars(), 42, true).find("██") != std::string::npos);
}

TEST_CASE("no line of a chart is wider than the terminal") {
  Chart bars = Bars();
  bars.labels[0] = std::string(300, 'x') + "\xff\n";
  bars.parts = {std::string(30, 'a'), std::string(30, 'b'), "c"};
  bars.values[2] = 5'000'000;
  Chart curve;
  curve.kind = Chart::Kind::curve;
  curve.title = "step times";
  for (int64_t i = 0; i < 1000; ++i) curve.values.push_back(i * 1'000'000);
  for (const int columns : {40, 60, 80, 160, 250}) {
    for (const bool utf8 : {true, false}) {
      std::istringstream lines(ChartText(bars, columns, utf8) + ChartText(curve, columns, utf8));
      for (std::string line; std::getline(lines, line);) {
        CHECK(CellWidth(line) <= static_cast<size_t>(columns));
      }
    }
  }
}

TEST_CASE("an empty line ends a list of curves, also if the last one has nothing to show") {
  Chart curve;
  curve.kind = Chart::Kind::curve;
  curve.title = "t";
  curve.values = {1'000'000, 2'000'000};
  Chart nothing = curve;
  nothing.values = {kNoInt, kNoInt};
  std::string alone, list;
  AppendCharts({curve}, {.columns = 80, .utf8 = true}, &alone);
  AppendCharts({curve, nothing}, {.columns = 80, .utf8 = true}, &list);
  CHECK(alone.ends_with("\n\n"));
  CHECK(list == alone);
}

TEST_CASE("a curve spans min to max; a cell shows the max of its values") {
  Chart curve;
  curve.kind = Chart::Kind::curve;
  curve.title = "t";
  curve.values = {1'000'000, 2'000'000, 1'000'000, 9'000'000};
  CHECK(ChartText(curve, 80, false) == "t  _._#  1.00 us to 9.00 us\n\n");
  curve.values = {5, 5, 5};
  CHECK(ChartText(curve, 80, false) == "t  ===  5 ps\n\n");
}

TEST_CASE("a curve of memory starts at 0, so small changes look flat") {
  Chart curve;
  curve.kind = Chart::Kind::curve;
  curve.title = "in use";
  curve.unit = Unit::bytes;
  const int64_t gib = int64_t{1} << 30;
  curve.values = {4 * gib, 4 * gib + 4096, 4 * gib + 8192};
  CHECK(ChartText(curve, 80, false) == "in use  ###  4.00 GiB\n\n");
  curve.values = {0, 2 * gib, 4 * gib};
  CHECK(ChartText(curve, 80, false) == "in use  _=#  0 B to 4.00 GiB\n\n");
}

TEST_CASE("no chart is printed in a pipe or without values") {
  CHECK(ChartText(Bars(), 0, true).empty());
  CHECK(ChartText(Bars(), 39, true).empty());
  CHECK(ChartText(Chart(), 80, true).empty());
  Chart curve;
  curve.kind = Chart::Kind::curve;
  CHECK(ChartText(curve, 80, true).empty());
  Chart zero = Bars();
  zero.values.assign(6, 0);
  CHECK(ChartText(zero, 80, true).empty());
}

}  // namespace
}  // namespace tfprof::charts_test
