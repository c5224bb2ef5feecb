// SPDX-License-Identifier: Apache-2.0
// -output proto. That its numbers are the original's is what tests/interop/ compares.
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/report/refine.h"
#include "emitters/data/proto_nodes.h"
#include "emitters/emitter.h"
#include "proto/tfprof_output.pb.h"
#include "tests/support/store_of.h"
#include "views/view.h"

namespace tfprof::proto_test {
namespace {

std::string Emit(const StorePtr& store, std::string_view view, const Query& query) {
  Context context;
  const Indexes indexes(store);
  Report report = FindView(view)->make(store, indexes, query, context).value();
  REQUIRE(Refine(report, query.display));
  Sink sink;
  REQUIRE(FindFileEmitter("proto")->emit(report, query, {}, sink, context));
  return sink.buffer;
}

Query ToFile(const std::string& path) {
  Query query;
  query.output = {OutputKind::proto, path};
  return query;
}

StorePtr Small() {
  return StoreOf({{.name = "a/x", .type = "Mul", .inputs = {"w"}},
                  {.name = "a/y", .type = "Add", .inputs = {"a/x"}},
                  {.name = "w", .type = "Mul", .output = std::vector<int64_t>{2, 3}}},
                 {{.node = "a/x", .us = 5}, {.node = "w", .us = 2, .bytes = 9}});
}

}  // namespace

TEST_CASE("proto: a tree of nodes is written in both forms") {
  for (const char* view : {"scope", "graph"}) {
    INFO(view);
    pb::GraphNodeProto root, from_text;
    REQUIRE(root.ParseFromString(Emit(Small(), view, ToFile("out.pb"))));
    REQUIRE(google::protobuf::TextFormat::ParseFromString(Emit(Small(), view, ToFile("out.txt")),
                                                          &from_text));
    CHECK(root.SerializeAsString() == from_text.SerializeAsString());
    CHECK(root.name() == "_TFProfRoot");
    CHECK(root.total_exec_micros() == 7);
    CHECK(root.total_requested_bytes() == 9);
  }
  pb::GraphNodeProto root;
  REQUIRE(root.ParseFromString(Emit(Small(), "graph", ToFile("out.pb"))));
  const pb::GraphNodeProto& x = root.children(0).children(0);
  CHECK(x.name() == "a/x");
  CHECK(x.exec_micros() == 5);
  CHECK(x.devices(0) == "/device:cpu:0");
  CHECK(x.input_shapes().at(0).dim(1).size() == 3);
  CHECK(root.children(0).input_shapes().at(0).unknown_rank());
}

TEST_CASE("proto: rows of op are nested, with their nodes by name") {
  pb::MultiGraphNodeProto root;
  Query query = ToFile("out");
  query.display.order_by = OrderBy::micros;
  REQUIRE(root.ParseFromString(Emit(Small(), "op", query)));
  CHECK(root.total_exec_micros() == 7);
  REQUIRE(root.children_size() == 1);
  const pb::MultiGraphNodeProto& mul = root.children(0);
  CHECK(mul.name() == "Mul");
  CHECK(mul.exec_micros() == 7);
  REQUIRE(mul.graph_nodes_size() == 2);
  CHECK(mul.graph_nodes(0).name() == "a/x");
  CHECK(mul.graph_nodes(1).requested_bytes() == 9);
  CHECK(mul.graph_nodes(1).total_definition_count() == 1);
  CHECK(mul.children(0).name() == "Add");
  query.display.rows = 1;
  REQUIRE(root.ParseFromString(Emit(Small(), "op", query)));
  CHECK(root.children(0).children_size() == 0);
}

TEST_CASE("proto: without nodes there are no rows") {
  pb::MultiGraphNodeProto root;
  REQUIRE(root.ParseFromString(Emit(StoreOf({}), "op", ToFile("out"))));
  CHECK(root.name() == "_TFProfRoot");
  CHECK(root.children_size() == 0);
}

TEST_CASE("proto: a chain of a hundred thousand nodes is written in linear size") {
  std::vector<TestNode> nodes;
  for (int i = 0; i < 100'000; ++i) {
    nodes.push_back({.name = "n" + std::to_string(i)});
    if (i > 0) nodes.back().inputs = {"n" + std::to_string(i - 1)};
  }
  const StorePtr store = StoreOf(nodes);
  for (const char* path : {"out.pb", "out.txt"}) {
    Query query = ToFile(path);
    query.tree.max_depth = TreeFilter::kAnyDepth;
    const std::string bytes = Emit(store, "graph", query);
    CHECK(bytes.find("n0") != std::string::npos);
    CHECK(bytes.size() < 100'000'000);
  }
}

TEST_CASE("proto: a message is not as large as one of a node with many inputs") {
  TestNode wide{.name = "wide", .inputs = std::vector<std::string>(5000, "x")};
  const StorePtr store = StoreOf({wide, {.name = "x"}});
  Context context;
  const Indexes indexes(store);
  const Report report = FindView("scope")->make(store, indexes, {}, context).value();
  const std::vector<std::string_view>& names = report.tables[0].Find("name")->texts;
  const auto row_of = [&](std::string_view name) {
    return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  pb::GraphNodeProto message;
  FillGraphNode(report, row_of("wide"), &message);
  CHECK(message.input_shapes_size() == 5000);
  FillGraphNode(report, row_of("x"), &message);
  CHECK(message.input_shapes_size() == 0);
  CHECK(message.SpaceUsedLong() < 4096);
}

TEST_CASE("proto: advise is the reports of the original's checkers") {
  const StorePtr store = StoreOf({{.name = "a", .type = "Mul"}, {.name = "b", .type = "Add"}},
                                 {{.node = "a", .us = 300}, {.node = "b", .us = 200}});
  Query query = ToFile("advice.pb");
  query.advise.original = true;
  pb::AdviceProto message, from_text;
  REQUIRE(message.ParseFromString(Emit(store, "advise", query)));
  query.output.path = "advice.txt";
  REQUIRE(google::protobuf::TextFormat::ParseFromString(Emit(store, "advise", query), &from_text));
  CHECK(from_text.checkers_size() == 3);
  CHECK(message.checkers().at("OperationChecker").reports_size() == 0);
  const pb::AdviceProto::Checker& expensive = message.checkers().at("ExpensiveOperationChecker");
  REQUIRE(expensive.reports_size() == 2);  // of types and of nodes, a line each
  CHECK(expensive.reports(1) ==
        "top 1 graph node: a, cpu: 300us, accelerator: 0us, total: 300us\n"
        "top 2 graph node: b, cpu: 200us, accelerator: 0us, total: 200us");
}

}  // namespace tfprof::proto_test
