// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/parts.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "core/base/arith.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

Picture Bars() {
  Picture picture;
  picture.title = "steps";
  picture.parts = {"compute", "input", "never"};
  picture.labels = {"train 1", "2"};
  picture.values = {30'000'000, 10'000'000, kNoInt, 20'000'000, 0, kNoInt};
  return picture;
}

std::string Drawn(const Picture& picture, int columns, bool utf8) {
  std::string out;
  AppendPictures({picture}, {.columns = columns, .utf8 = utf8}, &out);
  return out;
}

TEST_CASE("bars: parts one after the other, the longest row as wide as there is room") {
  CHECK(Drawn(Bars(), 43, false) ==
        "steps\n"
        "train 1  40.0 us  ###################------\n"
        "2        20.0 us  #############\n"
        "# compute  - input\n"
        "\n");
  CHECK(Drawn(Bars(), 42, true).find("██") != std::string::npos);
}

TEST_CASE("no line of a picture is wider than the terminal") {
  Picture bars = Bars();
  bars.labels[0] = std::string(300, 'x') + "\xff\n";
  bars.parts = {std::string(30, 'a'), std::string(30, 'b'), "c"};
  bars.values[2] = 5'000'000;
  Picture curve;
  curve.kind = Picture::Kind::curve;
  curve.title = "step times";
  for (int64_t i = 0; i < 1000; ++i) curve.values.push_back(i * 1'000'000);
  for (const int columns : {40, 60, 80, 160, 250}) {
    for (const bool utf8 : {true, false}) {
      std::istringstream lines(Drawn(bars, columns, utf8) + Drawn(curve, columns, utf8));
      for (std::string line; std::getline(lines, line);) {
        CHECK(CellWidth(line) <= static_cast<size_t>(columns));
      }
    }
  }
}

TEST_CASE("a curve from the least to the most; cells that several share show the largest") {
  Picture curve;
  curve.kind = Picture::Kind::curve;
  curve.title = "t";
  curve.values = {1'000'000, 2'000'000, 1'000'000, 9'000'000};
  CHECK(Drawn(curve, 80, false) == "t  _._#  1.00 us to 9.00 us\n\n");
  curve.values = {5, 5, 5};
  CHECK(Drawn(curve, 80, false) == "t  ===  5 ps\n\n");
}

TEST_CASE("a curve of memory begins at nothing: what hardly changes looks flat") {
  Picture curve;
  curve.kind = Picture::Kind::curve;
  curve.title = "in use";
  curve.unit = Unit::bytes;
  const int64_t gib = int64_t{1} << 30;
  curve.values = {4 * gib, 4 * gib + 4096, 4 * gib + 8192};
  CHECK(Drawn(curve, 80, false) == "in use  ###  4.00 GiB\n\n");
  curve.values = {0, 2 * gib, 4 * gib};
  CHECK(Drawn(curve, 80, false) == "in use  _=#  0 B to 4.00 GiB\n\n");
}

TEST_CASE("nothing is drawn where nobody looks, or there is nothing") {
  CHECK(Drawn(Bars(), 0, true).empty());
  CHECK(Drawn(Bars(), 39, true).empty());
  CHECK(Drawn(Picture(), 80, true).empty());
  Picture curve;
  curve.kind = Picture::Kind::curve;
  CHECK(Drawn(curve, 80, true).empty());
  Picture zero = Bars();
  zero.values.assign(6, 0);
  CHECK(Drawn(zero, 80, true).empty());
}

}  // namespace
}  // namespace tfprof
