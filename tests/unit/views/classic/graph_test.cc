// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "tests/support/report_lines.h"
#include "tests/support/store_of.h"

namespace tfprof::graph_test {
namespace {

using Lines = std::vector<std::string>;

Lines Ask(const StorePtr& store, const Query& query) {
  Context context;
  return TreeLines(Graph(store, Indexes(store), query, context).value(), Measure::micros);
}

// loss <- mul <- (x, w), and log <- mul
StorePtr Small() {
  return StoreOf({{.name = "w", .type = "Var"},
                  {.name = "x"},
                  {.name = "mul", .type = "Mul", .inputs = {"x", "w", "x"}},
                  {.name = "loss", .inputs = {"mul", "unknown"}},
                  {.name = "log", .inputs = {"mul"}}},
                 {{.node = "w", .us = 1},
                  {.node = "x", .us = 2},
                  {.node = "mul", .us = 4},
                  {.node = "loss", .us = 8},
                  {.node = "log", .us = 16}});
}

}  // namespace

TEST_CASE("graph: every node is below the first path that reaches it") {
  CHECK(Ask(Small(), {}) == Lines{"_TFProfRoot --/31", "  log 16/23", "    mul 4/7", "      w 1/1",
                                  "      x 2/2", "  loss 8/8"});
}

TEST_CASE("graph: equal values keep the order of the inputs") {
  Query query;
  query.display.order_by = OrderBy::params;  // all 0
  CHECK(Ask(Small(), query)[3] == "      x 2/2");
}

TEST_CASE("graph: nodes that do not count are spliced out") {
  Query query;
  query.nodes.account_type_regexes = PatternList({"Op"});
  CHECK(Ask(Small(), query) ==
        Lines{"_TFProfRoot --/26", "  log 16/18", "    x 2/2", "  loss 8/8"});
  query.nodes.account_type_regexes = PatternList({"Var"});
  query.tree.max_depth = 2;  // what is spliced out is no level
  CHECK(Ask(Small(), query) == Lines{"_TFProfRoot --/1", "  w 1/1"});
}

TEST_CASE("graph: tables have the operands as well, for -where; ids of the original do not") {
  Query query;
  query.display.format = "table";
  Context context;
  const StorePtr store = Small();
  const Report report = Graph(store, Indexes(store), query, context).value();
  REQUIRE(report.tables[0].Find("operands") != nullptr);
  using Names = std::vector<std::string_view>;
  CHECK(report.tables[0].Find("operands")->lists ==
        std::vector<Names>{{}, {"mul"}, {"x", "w", "x"}, {}, {}, {"mul"}});
  query.display.original_ids = true;
  const Report original = Graph(store, Indexes(store), query, context).value();
  CHECK(original.tables[0].Find("operands") == nullptr);
}

TEST_CASE("graph: cycles without an outside consumer are hidden, others end") {
  const StorePtr store = StoreOf({{.name = "a", .inputs = {"b"}},
                                  {.name = "b", .inputs = {"a"}},
                                  {.name = "c", .inputs = {"d"}},
                                  {.name = "d", .inputs = {"e"}},
                                  {.name = "e", .inputs = {"d"}},
                                  {.name = "self", .inputs = {"self"}}});
  CHECK(Ask(store, {}) == Lines{"_TFProfRoot --/0", "  c 0/0", "    d 0/0", "      e 0/0"});
  Context context;
  CHECK(Graph(store, Indexes(store), {}, context).value().notes.back().count == 3);
}

TEST_CASE("graph: a chain of a million inputs is walked") {
  std::vector<TestNode> nodes;
  for (int i = 0; i < 1'000'000; ++i) {
    nodes.push_back({.name = std::to_string(i), .inputs = {std::to_string(i + 1)}});
  }
  Query query;
  query.tree.max_depth = 2'000'000;
  query.display.order_by = OrderBy::micros;
  query.tree.account_displayed_op_only = true;
  Context context;
  const StorePtr store = StoreOf(nodes);
  const Report report = Graph(store, Indexes(store), query, context).value();
  CHECK(report.tables[0].depth.back() == 1'000'000);
  CHECK(At(report.tables[0].total_values[0], Measure::definition_count) == 1'000'001);
}

TEST_CASE("graph: executions of the shown nodes in the selected step are exported") {
  const StorePtr store =
      StoreOf({{.name = "x"}, {.name = "y"}}, {{.node = "x", .step = 0, .start_us = 5, .us = 1},
                                               {.node = "x", .step = 1, .start_us = 9, .us = 2},
                                               {.node = "y", .step = 1, .start_us = 8, .us = 3}});
  Query query;
  query.tree.hide_name_regexes = PatternList({"y"});
  query.place.step = 1;
  Context context;
  const Report report = Graph(store, Indexes(store), query, context).value();
  const Trace trace = report.trace_export(report, context).value();
  std::vector<TraceSpan> spans(4);
  REQUIRE(trace.spans(spans) == 1);
  CHECK(spans[0].start_ps == 9 * kPsPerUs);
  CHECK(spans[0].name == "x");
  CHECK(trace.spans(spans) == 0);
}

}  // namespace tfprof::graph_test
