// SPDX-License-Identifier: Apache-2.0
#include "cli/fit_rows.h"

#include <catch2/catch.hpp>

namespace tfprof {
namespace {

Report TablesOf(std::vector<size_t> rows) {
  Report report;
  for (const size_t count : rows) report.tables.emplace_back().rows = count;
  return report;
}

TEST_CASE("tables share the rows of a screen, small ones leave room to others") {
  CHECK(RowsOfEach(TablesOf({100}), 44) == 44);
  CHECK(RowsOfEach(TablesOf({3, 4}), 44) == 44);
  CHECK(RowsOfEach(TablesOf({100, 100}), 44) == 22);
  CHECK(RowsOfEach(TablesOf({4, 100}), 44) == 40);
  CHECK(RowsOfEach(TablesOf({100, 4, 100}), 44) == 20);
}

TEST_CASE("tables that people do not see take no room; a few rows are always there") {
  Report report = TablesOf({100, 100});
  report.tables[0].people = false;
  CHECK(RowsOfEach(report, 44) == 44);
  CHECK(RowsOfEach(TablesOf({100, 100, 100, 100, 100, 100}), 44) == 10);
  CHECK(RowsOfEach(TablesOf({100, 100}), 5) == 5);
}

}  // namespace
}  // namespace tfprof
