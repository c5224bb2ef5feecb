// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "tests/support/report_lines.h"
#include "tests/support/store_of.h"

namespace tfprof::scope_test {
namespace {

using Lines = std::vector<std::string>;

Lines Ask(const StorePtr& store, const Query& query, Measure measure = Measure::micros) {
  Context context;
  const Indexes indexes(store);
  return TreeLines(Scope(store, indexes, query, context).value(), measure);
}

StorePtr Small() {
  return StoreOf({{.name = "a/x", .type = "MatMul"},
                  {.name = "a/y", .type = "Add"},
                  {.name = "b", .type = "MatMul"}},
                 {{.node = "a/x", .us = 5}, {.node = "a/y", .us = 2}, {.node = "b", .us = 4}});
}

PatternList List(const std::string& pattern) { return PatternList({pattern}); }

}  // namespace

TEST_CASE("scope: totals include the subtree, and names are in byte order") {
  CHECK(Ask(Small(), {}) ==
        Lines{"_TFProfRoot --/11", "  a 0/7", "    a/x 5/5", "    a/y 2/2", "  b 4/4"});
}

TEST_CASE("scope: a row that does not count remains above one that does, with its self values") {
  const StorePtr store =
      StoreOf({{.name = "a", .type = "Add"}, {.name = "a/x", .type = "MatMul"}, {.name = "c"}},
              {{.node = "a", .us = 3}, {.node = "a/x", .us = 5}, {.node = "c", .us = 9}});
  Query query;
  query.nodes.account_type_regexes = List("MatMul");
  CHECK(Ask(store, query) == Lines{"_TFProfRoot --/8", "  a --/8", "    a/x 5/5"});
}

TEST_CASE("scope: a measure orders descending, ties by name") {
  Query query;
  query.display.order_by = OrderBy::micros;
  CHECK(Ask(StoreOf({{.name = "a"}, {.name = "b"}, {.name = "c"}}, {{.node = "b", .us = 2}}),
            query) == Lines{"_TFProfRoot --/2", "  b 2/2", "  a 0/0", "  c 0/0"});
}

TEST_CASE("scope: children of a hidden row move up and are sorted there") {
  const StorePtr store = StoreOf({{.name = "a/c"}, {.name = "a-b"}});
  Query query;
  query.tree.hide_name_regexes = List("a");
  CHECK(Ask(store, query) == Lines{"_TFProfRoot --/0", "  a-b 0/0", "  a/c 0/0"});
}

TEST_CASE("scope: depth, trim and start select rows") {
  Query query;
  query.tree.max_depth = 2;
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/11", "  a 0/7", "  b 4/4"});
  query.tree.max_depth = 0;
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/11"});
  query = {};
  query.tree.trim_name_regexes = List("a");
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/11", "  a 0/7", "  b 4/4"});
  query = {};
  query.tree.start_name_regexes = List("a/.*");
  query.tree.max_depth = 2;
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/11", "  a/x 5/5", "  a/y 2/2"});
}

TEST_CASE("scope: below -under the depth counts from the scope, whose row repeats the root") {
  Query query;
  query.nodes.under = "a";
  query.tree.max_depth = 2;
  const auto names = [&] {
    Context context;
    const StorePtr store = Small();
    const Report report = Scope(store, Indexes(store), query, context).value();
    const std::vector<std::string_view>& texts = report.tables[0].Find("name")->texts;
    return Lines(texts.begin(), texts.end());
  };
  CHECK(names() == Lines{"_TFProfRoot", "a"});  // as the original
  query.place.exact = true;
  CHECK(names() == Lines{"_TFProfRoot", "a", "a/x", "a/y"});
}

TEST_CASE("scope: thresholds apply to totals, those of runs to self values") {
  Query query;
  query.tree.min_micros = 5;
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/11", "  a 0/7", "    a/x 5/5"});
  query = {};
  query.tree.min_occurrence = 1;
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/11", "  a/x 5/5", "  a/y 2/2", "  b 4/4"});
}

TEST_CASE("scope: account_displayed_op_only sums the shown rows, the root included") {
  Query query;
  query.tree.hide_name_regexes = List("a/y");
  query.tree.account_displayed_op_only = true;
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/9", "  a 0/5", "    a/x 5/5", "  b 4/4"});
  CHECK(Ask(Small(), query, Measure::definition_count)[0] == "_TFProfRoot --/4");
  CHECK(Ask(Small(), {}, Measure::definition_count)[0] == "_TFProfRoot --/4");
}

TEST_CASE("scope: nodes have their cells") {
  Context context;
  const StorePtr store =
      StoreOf({{.name = "m/w", .type = "Var", .parameter = {{3, 4}}, .output = {{3, 4}}},
               {.name = "m/out", .inputs = {"m/w", "gone"}}},
              {{.node = "m/out", .device = "/CPU:0"}});
  Query query;
  query.display.select = {Attribute::params, Attribute::device, Attribute::op_types,
                          Attribute::input_shapes};
  const Report report = Scope(store, Indexes(store), query, context).value();
  const Table& table = report.tables[0];
  using List = std::vector<std::string_view>;
  REQUIRE(table.rows == 4);  // root, m, m/out, m/w
  CHECK(table.Find("shape")->texts[3] == "3x4");
  CHECK(table.Find("shape")->texts[2].data() == nullptr);
  CHECK(table.Find("device")->lists[2] == List{"/cpu:0"});
  CHECK(table.Find("device")->lists[3].empty());
  CHECK(table.Find("op_types")->lists[1] == List{"_kTFScopeParent"});
  CHECK(table.Find("op_types")->lists[2] == List{"/cpu:0", "Op"});
  CHECK(table.Find("input_shapes")->lists[2] == List{"0:3x4", "1:unknown"});
  CHECK(table.Find("params")->spec.shown);
  CHECK_FALSE(table.Find("total_micros")->spec.shown);
  CHECK(report.Find("total_params")->integer == 12);
  CHECK(report.Find("step")->text == "average");
}

TEST_CASE("scope: answers do not depend on earlier queries") {
  Context context;
  const StorePtr store = Small();
  const Indexes indexes(store);
  Query filtered;
  filtered.nodes.account_type_regexes = List("Add");
  filtered.tree.account_displayed_op_only = true;
  const Lines alone =
      TreeLines(Scope(store, Indexes(store), filtered, context).value(), Measure::micros);
  CHECK(TreeLines(Scope(store, indexes, {}, context).value(), Measure::micros) == Ask(store, {}));
  CHECK(TreeLines(Scope(store, indexes, filtered, context).value(), Measure::micros) == alone);
  CHECK(TreeLines(Scope(store, indexes, {}, context).value(), Measure::micros) == Ask(store, {}));
}

}  // namespace tfprof::scope_test
