// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "analysis/trace_nodes/trace_nodes.h"
#include "core/query/options.h"
#include "core/query/query.h"
#include "core/store/note_catalogue.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::op_test {
namespace {

using Lines = std::vector<std::string>;

Report Ask(const StorePtr& store, const Query& query) {
  Context context;
  const Indexes indexes(store);
  return Op(store, indexes, query, context).value();
}

// "name own/remainder" in us.
Lines OpLines(const Report& report) {
  const Table& table = report.tables.at(0);
  Lines lines;
  for (size_t i = 0; i < table.rows; ++i) {
    lines.push_back(std::string(table.Find("name")->texts[i]) + " " +
                    std::to_string(table.Find("micros")->Integer(i)) + "/" +
                    std::to_string(table.Find("classic_remainder_micros")->Integer(i)));
  }
  return lines;
}

int64_t Whole(const Report& report, std::string_view id) { return report.Find(id)->integer; }

int64_t Cell(const Report& report, std::string_view id, size_t row) {
  return report.tables.at(0).Find(id)->Integer(row);
}

// Mul 4 + 2, Add 5, Sub 6, Neg 1 us; sums from the end: 18 by name.
StorePtr Small() {
  return StoreOf({{.name = "m1", .type = "Mul"},
                  {.name = "m2", .type = "Mul"},
                  {.name = "a", .type = "Add"},
                  {.name = "s", .type = "Sub"},
                  {.name = "n", .type = "Neg"}},
                 {{.node = "m1", .us = 4},
                  {.node = "m2", .us = 2},
                  {.node = "a", .us = 5},
                  {.node = "s", .us = 6},
                  {.node = "n", .us = 1}});
}

PatternList List(std::vector<std::string> patterns) { return PatternList(std::move(patterns)); }

}  // namespace

TEST_CASE(
    "op: a negative value hides a row only by the original's rule, or with an explicit minimum") {
  const StorePtr store = StoreOf({{.name = "big", .type = "Big", .float_ops = -3},
                                  {.name = "mid", .type = "Mid", .float_ops = 2}},
                                 {{.node = "big", .us = 900}, {.node = "mid", .us = 9}});
  Query query;
  query.display.order_by = OrderBy::micros;
  CHECK(OpLines(Ask(store, query)) == Lines{"Mid 9/9"});
  query.tree = HidesNone();
  CHECK(OpLines(Ask(store, query)) == Lines{"Big 900/909", "Mid 9/9"});
  REQUIRE(store->notes.size() == 1);
  CHECK(store->notes[0].what == note::negative_float_ops);
  query.tree.min_float_ops = 2;
  CHECK(OpLines(Ask(store, query)) == Lines{"Mid 9/9"});
}

TEST_CASE("op: each type is a row by name, with the sum of the following rows") {
  const Report report = Ask(Small(), {});
  CHECK(OpLines(report) == Lines{"Add 5/18", "Mul 6/13", "Neg 1/7", "Sub 6/6"});
  CHECK(Whole(report, "total_micros") == 18);
  CHECK(Cell(report, "total_micros", 1) == 6);
  CHECK(Cell(report, "occurrence_defined", 1) == 2);
  CHECK(Cell(report, "accounted", 1) == 1);
}

TEST_CASE("op: a measure orders descending, ties by name; occurrence counts graph nodes") {
  Query query;
  query.display.order_by = OrderBy::micros;
  CHECK(OpLines(Ask(Small(), query)) == Lines{"Mul 6/18", "Sub 6/12", "Add 5/6", "Neg 1/1"});
  query.display.order_by = OrderBy::occurrence;
  CHECK(OpLines(Ask(Small(), query)) == Lines{"Mul 6/18", "Add 5/12", "Neg 1/7", "Sub 6/6"});
}

TEST_CASE("op: max_depth N visits N + 1 rows, including hidden ones") {
  Query query;
  query.tree.max_depth = 2;
  query.tree.hide_name_regexes = List({"Mul"});
  const Report report = Ask(Small(), query);
  CHECK(OpLines(report) == Lines{"Add 5/18", "Neg 1/7"});
  CHECK(report.tables[0].omitted_rows == 0);  // -n cuts nothing
  query.tree.max_depth = -1;
  CHECK(OpLines(Ask(Small(), query)).empty());
}

TEST_CASE("op: the list starts at the first start match and ends before the first trim match") {
  Query query;
  query.tree.start_name_regexes = List({"M.*"});
  query.tree.trim_name_regexes = List({"S.*"});
  CHECK(OpLines(Ask(Small(), query)) == Lines{"Mul 6/13", "Neg 1/7"});
  query.tree.start_name_regexes = List({"None"});
  CHECK(OpLines(Ask(Small(), query)).empty());
}

TEST_CASE("op: thresholds apply to the falling sum, occurrence to nodes; then the sum is redone") {
  Query query;
  query.tree.min_micros = 7;
  CHECK(OpLines(Ask(Small(), query)) == Lines{"Add 5/18", "Mul 6/13", "Neg 1/7"});
  query.tree.account_displayed_op_only = true;
  const Report redone = Ask(Small(), query);
  CHECK(OpLines(redone) == Lines{"Add 5/12", "Mul 6/7", "Neg 1/1"});
  CHECK(Whole(redone, "total_micros") == 12);
  Query occurrence;
  occurrence.tree.min_occurrence = 2;
  CHECK(OpLines(Ask(Small(), occurrence)) == Lines{"Mul 6/13"});
}

TEST_CASE("op: two matching expressions double the values of a node, not its runs") {
  Query query;
  query.nodes.account_type_regexes = List({"Mul", "M.*"});
  const Report report = Ask(Small(), query);
  CHECK(OpLines(report) == Lines{"Mul 12/12"});
  CHECK(Cell(report, "occurrence_run", 0) == 2);
  CHECK(Cell(report, "occurrence_defined", 0) == 2);
  query.nodes.account_type_regexes = List({});
  CHECK(OpLines(Ask(Small(), query)).empty());
}

TEST_CASE("op: members, devices and types of a row are those that count") {
  const StorePtr store = StoreOf({{.name = "a", .type = "Op", .types = {"tag"}},
                                  {.name = "b", .type = "Op"},
                                  {.name = "c", .type = "Op"}},
                                 {{.node = "a", .device = "/device:gpu:0"}, {.node = "b"}});
  Query query;
  query.display.select = {Attribute::device, Attribute::op_types};
  const Report all = Ask(store, query);
  using Texts = std::vector<std::string_view>;
  CHECK(all.tables[0].Find("device")->lists[0] == Texts{"", "/device:cpu:0", "/device:gpu:0"});
  CHECK(all.tables[0].Find("op_types")->lists[0] ==
        Texts{"/device:cpu:0", "/device:gpu:0", "Op", "tag"});
  query.nodes.account_type_regexes = List({"tag"});
  const Report tagged = Ask(store, query);
  CHECK(tagged.tables[0].Find("device")->lists[0] == Texts{"/device:gpu:0"});
  CHECK(tagged.tables[0].members == std::vector<NodeId>{store->NodeNamed(store->names.Find("a"))});
}

TEST_CASE("op: input shapes are ordered by runs, then by text") {
  const StorePtr store = StoreOf({{.name = "w", .type = "Var", .output = {{2, -1}}},
                                  {.name = "x", .inputs = {"w", "gone"}},
                                  {.name = "y", .inputs = {"w", "gone"}},
                                  {.name = "z", .inputs = {}}},
                                 {{.node = "x", .us = 3}, {.node = "y", .us = 4}});
  Query query;
  query.display.select = {Attribute::input_shapes};
  query.tree.show_name_regexes = List({"Op"});
  const Report report = Ask(store, query);
  const Table& shapes = report.tables.at(1);
  REQUIRE(shapes.rows == 2);
  using Texts = std::vector<std::string_view>;
  CHECK(shapes.Find("input_shapes")->lists[0] == Texts{"0:2x-1", "1:unknown"});
  CHECK(shapes.Find("input_shapes")->lists[1].empty());
  CHECK(shapes.Find("row")->integers == std::vector<int64_t>{0, 0});
  CHECK(shapes.Find("run")->Integer(0) == 2);
  CHECK(shapes.Find("defined")->Integer(0) == 2);
  CHECK(shapes.Find("micros")->Integer(0) == 7);
  CHECK(shapes.Find("micros")->Integer(1) == kNoInt);
}

TEST_CASE("op: a profile without nodes has a root that few formats print") {
  const Report report = Ask(StoreOf({}), {});
  REQUIRE(report.tables[0].rows == 1);
  CHECK(report.tables[0].synthetic_root);
  CHECK(report.tables[0].PrintedRows() == 0);
  CHECK(report.tables[0].Find("name")->texts[0] == "_TFProfRoot");
  CHECK(Cell(report, "accounted", 0) == 0);
  CHECK(Cell(report, "micros", 0) == kNoInt);
}

TEST_CASE("op: unmeasured values are absent; an unknown step is refused") {
  const StorePtr store = StoreOf({{.name = "a"}});
  CHECK(Cell(Ask(store, {}), "micros", 0) == kNoInt);
  CHECK(Cell(Ask(store, {}), "classic_remainder_bytes", 0) == kNoInt);
  Query query;
  query.place.step = 7;
  Context context;
  const StorePtr small = Small();
  const Result<Report> refused = Op(small, Indexes(small), query, context);
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::usage);
}

TEST_CASE("op: sums of times saturate") {
  Context context;
  const StorePtr trace = TraceOf({{.name = "/host:CPU",
                                   .lanes = {{.events = {{"a:MatMul", 0, kMaxPs}}},
                                             {.events = {{"b:MatMul", 0, kMaxPs}}},
                                             {.events = {{"c:Add", 0, kMaxPs}}}}}});
  const Indexes indexes(trace);
  const auto nodes = NodesIfTrace(trace, indexes, context).value();
  const Report report = Ask(nodes->store, {});
  CHECK(OpLines(report) ==
        Lines{"Add " + std::to_string(kMaxPs) + "/" + std::to_string(kMaxPs),
              "MatMul " + std::to_string(kMaxPs) + "/" + std::to_string(kMaxPs)});
  CHECK(Whole(report, "total_micros") == kMaxPs);
}

TEST_CASE("op: runs and defined are orders of their own") {
  // Of type A three nodes are defined and one ran once; of type B one ran five times.
  const StorePtr store = StoreOf({{.name = "a1", .type = "A"},
                                  {.name = "a2", .type = "A"},
                                  {.name = "a3", .type = "A"},
                                  {.name = "b", .type = "B"}},
                                 {{.node = "a1"}, {.node = "b", .occurrences = 5}});
  const auto first = [&](std::string_view order) {
    Context context;
    Query query;
    query.place.exact = true;
    query.display.order_by = OrderCalled(order).value();
    const Report report = Op(store, Indexes(store), query, context).value();
    return std::string(report.tables[0].Find("name")->texts[0]);
  };
  CHECK(first("runs") == "B");
  CHECK(first("defined") == "A");
}

}  // namespace tfprof::op_test
