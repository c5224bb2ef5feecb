// SPDX-License-Identifier: Apache-2.0
#include "core/report/refine.h"

#include <catch2/catch.hpp>

#include "tests/support/refining.h"

namespace tfprof::where_test {
namespace {

std::string Where1(std::string column, std::string op, std::string value) {
  Report report = List();
  Query query;
  query.display.where = AllOf({{std::move(column), std::move(op), std::move(value)}});
  const Result<void> done = Refine(report, query.display);
  return done ? NamesOf(report.tables[0]) : "error: " + done.error().what;
}

}  // namespace

TEST_CASE("-where compares numbers with units") {
  CHECK(Where1("micros", "=", "10") == "ac");
  CHECK(Where1("micros", ">", "1ms") == "b");
  CHECK(Where1("micros", ">=", "3ms") == "b");
  CHECK(Where1("micros", "<", "3ms") == "ac");
  CHECK(Where1("bytes", "<=", "4KiB") == "ac");
  CHECK(Where1("share", "<", "1") == "a");
}

TEST_CASE("-where accepts units for reals") {
  const auto names = [](Unit unit, std::string value) {
    Report report = List();
    for (ReportColumn& column : report.tables[0].columns) {
      if (column.spec.id == "share") column.spec.unit = unit;
    }
    Query query;
    query.display.where = AllOf({{"share", ">", std::move(value)}});
    const Result<void> done = Refine(report, query.display);
    return done ? NamesOf(report.tables[0]) : "error: " + done.error().what;
  };
  CHECK(names(Unit::fraction, "60%") == "c");
  CHECK(names(Unit::us, "0.001ms") == "c");
  CHECK(names(Unit::ms, "400us") == "ac");
  CHECK(names(Unit::fraction, "1us").starts_with("error: "));
}

TEST_CASE("an absent cell satisfies only !=, and - matches it") {
  CHECK(Where1("bytes", ">=", "0") == "ac");
  CHECK(Where1("bytes", "<", "9999") == "ac");
  CHECK(Where1("bytes", "!=", "100") == "ab");
  CHECK(Where1("bytes", "=", "-") == "b");
  CHECK(Where1("share", "!=", "-") == "ac");
  CHECK(Where1("device", "=", "-") == "b");
}

TEST_CASE("-where compares texts, lists and expressions") {
  CHECK(Where1("name", "=", "b") == "b");
  CHECK(Where1("name", ">", "a") == "bc");
  CHECK(Where1("name", "~", "[ab]") == "ab");
  CHECK(Where1("device", "=", "gpu") == "a");
  CHECK(Where1("device", "!=", "gpu") == "bc");
  CHECK(Where1("device", "~", "pu$") == "ac");
}

TEST_CASE("-where joins terms; a term about a column that a table lacks is left out") {
  const Report report = List();
  const auto rows = [&](std::string_view text) {
    const Result<Condition> condition = ParseCondition(text);
    REQUIRE(condition);
    const Result<RowTest> test = FitCondition(*condition, report.tables[0]);
    REQUIRE(test);
    std::string names;
    for (size_t row = 0; row < 3; ++row) {
      if (Holds(*test, row)) names += report.tables[0].Find("name")->texts[row];
    }
    return names;
  };
  CHECK(rows("micros = 10 and bytes > 1KiB") == "a");
  CHECK(rows("micros > 1ms or device = gpu") == "ab");
  CHECK(rows("name = a or name = b and micros < 1ms") == "a");
  CHECK(rows("(name = a or name = b) and micros > 1ms") == "b");
  CHECK(rows("not bytes > 1KiB") == "bc");  // also the absent one, as != does
  CHECK(rows("not (micros = 10 and not name = c)") == "bc");
  CHECK(rows("micros = 10 or nothing = 1") == "ac");
  CHECK(rows("not nothing = 1 and name = c") == "c");
  CHECK(FitCondition(*ParseCondition("nothing = 1 or not none = 2"), report.tables[0])->empty());
}

TEST_CASE("an error of -where has the place of its term") {
  const auto part = [](std::string_view text) {
    Report report = List();
    Query query;
    query.display.where = *ParseCondition(text);
    const Result<void> done = Refine(report, query.display);
    REQUIRE_FALSE(done);
    const ValuePart wrong = done.error().part;
    return std::string(text.substr(wrong.begin, wrong.end - wrong.begin));
  };
  CHECK(part("name = a and micros = soon") == "micros = soon");
  CHECK(part("name ~ a or (nme ~ b)") == "nme");
}

TEST_CASE("a condition that does not fit the column is refused") {
  CHECK(Where1("micros", "~", "1").substr(0, 6) == "error:");
  CHECK(Where1("micros", "=", "soon").substr(0, 6) == "error:");
  CHECK(Where1("share", "=", "").substr(0, 6) == "error:");
  CHECK(Where1("name", "~", "(").substr(0, 6) == "error:");
  CHECK(Where1("name", ">", "5").substr(0, 6) == "error:");
  CHECK(Where1("name", "=", "5").empty());
  CHECK(Where1("name", "<", "info") == "abc");  // begins as a number does, and is none
  CHECK(Where1("name", "==", "a").substr(0, 6) == "error:");
}

}  // namespace tfprof::where_test
