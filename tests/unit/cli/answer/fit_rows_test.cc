// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/answer.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "core/report/refine.h"
#include "core/store/note_catalogue.h"
#include "emitters/emitter.h"
#include "emitters/table/layout.h"

namespace tfprof::fit_rows_test {
namespace {

Report TablesOf(std::vector<size_t> rows) {
  Report report;
  for (const size_t count : rows) report.tables.emplace_back().rows = count;
  return report;
}

// Of a column each.
Report NumbersOf(std::vector<size_t> rows) {
  Report report = TablesOf(rows);
  report.store = std::make_shared<const Store>();
  for (Table& table : report.tables) {
    ReportColumn& column = table.columns.emplace_back();
    column.spec.id = column.spec.title = "number";
    for (size_t row = 0; row < table.rows; ++row) {
      column.integers.push_back(static_cast<int64_t>(row));
    }
  }
  return report;
}

int64_t Lines(const Report& report) {
  Context context;
  Sink text;
  REQUIRE(FindEmitter("table")->emit(report, {}, {}, text, context));
  return std::count(text.buffer.begin(), text.buffer.end(), '\n');
}

Result<void> Fit(int64_t lines, Report* report) {
  Context context;
  return FitLines({}, *FindEmitter("table"), {}, lines, report, context);
}

TEST_CASE("tables share the rows of a screen, and small ones leave room for others") {
  CHECK(RowsOfEach(TablesOf({100}), {}, 44) == 44);
  CHECK(RowsOfEach(TablesOf({3, 4}), {}, 44) == 44);
  CHECK(RowsOfEach(TablesOf({100, 100}), {}, 44) == 22);
  CHECK(RowsOfEach(TablesOf({4, 100}), {}, 44) == 40);
  CHECK(RowsOfEach(TablesOf({100, 4, 100}), {}, 44) == 20);
}

TEST_CASE("hidden tables take no room; a few rows are always shown") {
  Report report = TablesOf({100, 100});
  report.tables[0].human_readable = false;
  CHECK(RowsOfEach(report, {}, 44) == 44);
  CHECK(RowsOfEach(TablesOf({100, 100, 100, 100, 100, 100}), {}, 44) == 10);
  CHECK(RowsOfEach(TablesOf({100, 100}), {}, 5) == 5);
}

TEST_CASE("facts, headings and notes share the screen with the rows of all tables") {
  Report report = NumbersOf({40, 3, 50});
  report.notes.push_back({.what = note::no_planes});
  report.notes.push_back({.what = note::no_copies});
  CHECK(Lines(report) > 90);
  REQUIRE(Fit(30, &report));
  CHECK(Lines(report) <= 30);
  CHECK(Lines(report) >= 28);
  CHECK(report.tables[1].rows == 3);
  CHECK(report.tables[0].rows == report.tables[2].rows);
  CHECK(report.tables[2].omitted_rows == 50 - static_cast<int64_t>(report.tables[2].rows));
}

TEST_CASE("a table after the first one shares the screen, and its cut counts both limits") {
  Report report = NumbersOf({40, 50});
  report.tables[1].columns[0].spec.role = ColumnRole::row_of_first;
  for (int64_t& row : report.tables[1].columns[0].integers) row /= 2;  // two for each of the first
  Query query;
  query.display.rows = RowsOfEach(report, {}, 20);
  CHECK(query.display.rows == 10);
  REQUIRE(Refine(report, query.display));
  CHECK(report.tables[1].rows == 20);
  CutFollowing(query.display.rows, &report);
  CHECK(report.tables[1].rows == 10);
  CHECK(report.tables[1].omitted_rows == 40);
  query.display.columns = {"number"};
  CHECK(TablesForHumans(report, query.display).size() == 1);
}

TEST_CASE("output that does not fit with a few rows per table is left to the pager") {
  Report report = NumbersOf({40, 3, 50});
  for (int i = 0; i < 20; ++i)
    report.notes.push_back({.what = note::With(note::other_devices, {std::to_string(i)})});
  REQUIRE(Fit(24, &report));
  CHECK(report.tables[0].rows == 40);
  CHECK(report.tables[2].rows == 50);
}

}  // namespace
}  // namespace tfprof::fit_rows_test
