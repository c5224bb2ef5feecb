// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/support/sample_report.h"

namespace tfprof::cards_test {
namespace {

// Two rows with a sentence each; the second lacks what the first has.
Report Cards() {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 2;
  table.name = "things";
  table.columns.push_back(TextColumn("kind", {"a", "b"}));
  table.columns.push_back(IntegerColumn("size", {2048, 1}, Unit::bytes));
  table.columns.push_back(TextColumn("what", {"some words of a sentence", "short"}));
  table.columns.back().spec.long_text = LongText::labeled;
  table.columns.back().spec.label = "what";
  table.columns.push_back(TextColumn("why", {"one two three four", {}}));
  table.columns.back().spec.long_text = LongText::labeled;
  table.columns.back().spec.label = "why";
  table.columns.push_back(TextColumn("command", {"op -select micros,bytes -n 3", "steps"}));
  table.columns.back().spec.long_text = LongText::verbatim;
  return report;
}

TEST_CASE("table: each row is a card, wrapped to the width, with its command on one line") {
  Style narrow;
  narrow.columns = 20;
  CHECK(Emit("table", Cards(), {}, narrow) == R"(
kind      size
a     2.00 KiB
  some words of a
  sentence
  why: one two three
  four
  op -select micros,bytes -n 3

b          1 B
  short
  steps

)");
}

TEST_CASE("table: cards without short cells start with their sentence") {
  Report report = Cards();
  report.tables[0].columns.erase(report.tables[0].columns.begin(),
                                 report.tables[0].columns.begin() + 2);
  report.tables[0].columns[1].spec.long_text = LongText::bare;
  CHECK(Emit("table", report) == R"(
some words of a sentence
    one two three four
    op -select micros,bytes -n 3

short
    steps

)");
}

TEST_CASE("table: there are no cards for selected columns, and no evidence for hidden rows") {
  Query query;
  query.display.columns = {"kind", "size", "what", "why", "command"};
  CHECK(Emit("table", Cards(), query).starts_with("\nkind      size  what "));
  Report report = Cards();
  report.tables[0].rows = 0;
  CHECK(Emit("table", report) == "\nno things\n");
  report.tables[0].omitted_rows = 1;
  CHECK(Emit("table", report).find("(no rows)\n[1 other]\n") != std::string::npos);
}

}  // namespace
}  // namespace tfprof::cards_test
