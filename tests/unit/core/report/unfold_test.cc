// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/support/folding.h"

namespace tfprof::unfold_test {
namespace {

std::string Unfolded(Report report, const std::string& name, const Table* before = nullptr) {
  Context context;
  const Result<void> done = Unfold(name, before, &report, context);
  return done ? Text(report.tables[0]) : done.error().what + "; " + done.error().hint;
}

TEST_CASE("An ambiguous -unfold is refused") {
  const std::vector<Row> rows = {{"a", 0, 100},    {"a/l_0", 1, 20}, {"a/l_1", 1, 20},
                                 {"a/l_2", 1, 20}, {"b", 0, 60},     {"b/l_0", 1, 20},
                                 {"b/l_1", 1, 20}, {"b/l_2", 1, 20}};
  Context context;
  Report report = TreeOf(rows);
  const Result<void> done = Unfold("l_{0..2}", nullptr, &report, context);
  REQUIRE_FALSE(done);
  CHECK(done.error().what == "-unfold: several folded rows are called 'l_{0..2}'");
}

TEST_CASE("A row unfolds into its members") {
  const std::vector<Row> rows = {{"r", 0, 100},    {"r/l_0", 1, 20},  {"r/l_0/x", 2, 9},
                                 {"r/l_1", 1, 22}, {"r/l_1/x", 2, 9}, {"r/l_2", 1, 21},
                                 {"r/l_2/x", 2, 8}};
  CHECK(Unfolded(TreeOf(rows), "r/l_{0..2}") == "\nr/l_1 22\nr/l_2 21\nr/l_0 20\n");
  CHECK(Unfolded(TreeOf(rows), "l_{0..2}") == "\nr/l_1 22\nr/l_2 21\nr/l_0 20\n");
  CHECK(Unfolded(TreeOf(rows), "x") == "\nr/l_0/x 9\nr/l_1/x 9\nr/l_2/x 8\n");
  const std::vector<Row> list = {{"x", 0, 9}, {"a/l_0/", 0, 1}, {"a/l_1/", 0, 2}, {"a/l_2/", 0, 3}};
  CHECK(Unfolded(ListOf(list), "a/l_{0..2}") == "\na/l_2/ 3\na/l_1/ 2\na/l_0/ 1\n");
  CHECK(Unfolded(ListOf(list), "l_{0..2}/") == "\na/l_2/ 3\na/l_1/ 2\na/l_0/ 1\n");
  CHECK(Unfolded(TreeOf(rows), "y") ==
        "-unfold: no folded row is called 'y'; with its scope, as in r/l_{0..2}");
  CHECK(Unfolded(ListOf({{"a", 0, 1}}), "a") ==
        "-unfold: no folded row is called 'a'; no rows of this answer can be folded");
}

TEST_CASE("A row unfolds into its former members even if other rows are outliers now") {
  std::vector<Row> rows = {
      {"r", 0, 100}, {"r/l_0", 1, 20}, {"r/l_1", 1, 22}, {"r/l_2", 1, 21}, {"r/l_3", 1, 90}};
  Report before = TreeOf(rows);
  Context context;
  REQUIRE(Fold(&before, context));
  rows[2].micros = 200;  // in another order
  const std::string name = "r/l_{0..2}";
  CHECK(Unfolded(TreeOf(rows), name).starts_with("-unfold: no folded row is called"));
  const Table* table = before.tables.data();
  CHECK(Unfolded(TreeOf(rows), name, table) == "\nr/l_1 200\nr/l_2 21\nr/l_0 20\n");
  CHECK(Unfolded(TreeOf(rows), "l_{0..2}", table) == "\nr/l_1 200\nr/l_2 21\nr/l_0 20\n");
  CHECK(
      Unfolded(TreeOf(rows), "r/l_{0..3}", table).starts_with("-unfold: no folded row is called"));
  CHECK(
      Unfolded(ListOf({{"x", 0, 1}}), name, table).starts_with("-unfold: no folded row is called"));
}

}  // namespace
}  // namespace tfprof::unfold_test
