// SPDX-License-Identifier: Apache-2.0
#include "cli/export/commands.h"

#include <catch2/catch.hpp>

#include "tests/support/store_of.h"
#include "views/answer.h"

namespace tfprof::completeness_test {
namespace {

// Scopes a, a/a, a/a/a, ... in each other.
Report Nested(int levels) {
  std::string name = "a";
  for (int i = 1; i < levels; ++i) name += "/a";
  Query query;
  query.tree.max_depth = levels + 1;
  Context context;
  const Profile profile(StoreOf({{.name = name, .type = "Add"}}, {{.node = name, .us = 7}}));
  return Make(profile, ScopeView(), query, context).value();
}

}  // namespace

TEST_CASE("names of scopes within each other have no more bytes than the limit") {
  Display display;
  display.format = "json";
  Report report = Nested(100);
  REQUIRE(report.tables[0].rows == 101);
  LimitNames(display, report, 1 << 20);
  CHECK(report.tables[0].rows == 101);
  CHECK(report.notes.empty());

  // The root's name has 11 bytes; those of the first n levels n * n.
  LimitNames(display, report, 11 + 30 * 30);
  CHECK(report.tables[0].rows == 31);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].count == 70);
  CHECK(report.tables[0].Find("total_micros")->Integer(30) == 7);

  Report indented = Nested(100);
  display.format = "table";
  LimitNames(display, indented, 11 + 30 * 30);
  CHECK(indented.tables[0].rows < 31);
}

}  // namespace tfprof::completeness_test
