// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <catch2/catch.hpp>

#include "loaders/tensorflow/device_lane.h"
#include "tests/support/kineto_of.h"
#include "tests/support/store_of.h"
#include "views/subject.h"
#include "views/views.h"

// Questions about one node, scope or operation type, and lists of them.

namespace tfprof::one_thing_test {
namespace {

using Lines = std::vector<std::string>;

StorePtr Small() {
  return StoreOf({{.name = "a/x", .type = "MatMul", .inputs = {"w"}},
                  {.name = "a/y", .type = "Add", .inputs = {"a/x", "a/x"}},
                  {.name = "b", .type = "MatMul"},
                  {.name = "w", .type = "Variable"}},
                 {{.node = "w", .start_us = 1000, .us = 2},
                  {.node = "a/x", .start_us = 1010, .us = 5},
                  {.node = "a/y", .start_us = 1020, .us = 2},
                  {.node = "b", .start_us = 1030, .us = 4},
                  {.node = "a/x", .step = 1, .start_us = 2000, .us = 9}});
}

std::string Found(const std::string& name, const std::string& under = "",
                  const StorePtr& store = Small()) {
  Context context;
  const Indexes indexes(store);
  const auto entity = FindEntity(*store, indexes, name, under, context);
  if (!entity) return entity.error().what;
  return fmt::format("{} {} {}", KindName(entity->kind), entity->name, entity->nodes.size());
}

using Make = Result<Report>(const StorePtr&, const Indexes&, const Query&, Context&);

// The texts and numbers of the named columns of the first table.
Lines Rows(Make* make, const Query& query, const std::vector<std::string>& columns) {
  Context context;
  const StorePtr store = Small();
  const Indexes indexes(store);
  const Report report = make(store, indexes, query, context).value();
  Lines lines;
  for (size_t row = 0; row < report.tables[0].rows; ++row) {
    std::string line;
    for (const std::string& id : columns) {
      const ReportColumn& column = *report.tables[0].Find(id);
      if (!line.empty()) line += ' ';
      line += column.spec.type == CellType::text ? std::string(column.texts[row])
              : column.Integer(row) == kNoInt    ? "-"
                                                 : std::to_string(column.Integer(row));
    }
    lines.push_back(line);
  }
  return lines;
}

Query About(const std::string& subject) {
  Query query;
  query.subject = subject;
  return query;
}

}  // namespace

TEST_CASE("a name is a node, a scope or a type: complete before partial, any case last") {
  CHECK(Found("a/x") == "node a/x 1");
  CHECK(Found("a") == "scope a 2");
  CHECK(Found("a/") == "scope a 2");
  CHECK(Found("MatMul") == "operation type MatMul 2");
  CHECK(Found("matmul") == "operation type MatMul 2");
  CHECK(Found("op:MatMul") == "operation type MatMul 2");
  CHECK(Found("op:Varia") == "operation type Variable 1");
  CHECK(Found("op:b") == "operation type Variable 1");
  CHECK(Found("op:a/x") == "no node, scope or type named 'a/x'");
  CHECK(Found("Varia") == "operation type Variable 1");
  CHECK(Found("x", "a") == "node a/x 1");
  CHECK(Found("b", "a") == "node b 1");
  CHECK(Found("nothing") == "no node, scope or type named 'nothing'");
}

TEST_CASE("a node with the name of a type wins, and other meanings of the name are noted") {
  const StorePtr store =
      StoreOf({{.name = "Cast", .type = "Cast"}, {.name = "b", .type = "Cast"}},
              {{.node = "Cast", .start_us = 1, .us = 2}, {.node = "b", .start_us = 3, .us = 2}});
  CHECK(Found("Cast", "", store) == "node Cast 1");
  CHECK(Found("op:Cast", "", store) == "operation type Cast 2");
  CHECK(Found("node:Cast", "", store) == "node Cast 1");
  CHECK(Found("node:MatMul") == "no node, scope or type named 'MatMul'");
  Context context;
  const Indexes indexes(store);
  const auto noted = [&](Make* make, const std::string& name) {
    const Report report = make(store, indexes, About(name), context).value();
    return report.notes.empty() ? "" : report.notes.front().what.Text();
  };
  CHECK(noted(Why, "Cast") == "'Cast' is also an operation type: why op:Cast");
  CHECK(noted(Peek, "op:Cast") == "'Cast' is also a node: peek node:Cast");
  CHECK(noted(Why, "b").empty());
}

TEST_CASE("a name of a trace that one of several operations of a type has stands for the type") {
  const StorePtr store =
      KinetoOf({{.category = "python_function", .name = "nn.Module: Linear_0", .us = 10},
                {.category = "cpu_op", .name = "aten::mm", .start_us = 1, .us = 5},
                {.category = "cpu_op", .name = "aten::mm", .start_us = 20, .us = 5}});
  Context context;
  const Report report = Peek(store, Indexes(store), About("aten::mm"), context).value();
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].what.Text() == "'aten::mm' is also a node: peek node:aten::mm");
}

TEST_CASE("top: it has the time of op, and the variation between steps") {
  CHECK(Rows(Top, {}, {"name", "micros", "runs", "step_least", "step_most"}) ==
        Lines{"MatMul 11 2 9000000 9000000", "Add 2 1 0 2000000", "Variable 2 1 0 2000000"});
  Query focus;
  focus.nodes.focus = {"=a/x"};
  CHECK(Rows(Top, focus, {"name", "micros", "step_least", "step_most"}) ==
        Lines{"MatMul 7 5000000 9000000"});
}

TEST_CASE("peek: inputs and outputs of a node are listed once; parts of a scope by cost") {
  CHECK(Rows(Peek, About("a/x"), {"role", "name", "micros"}) == Lines{"input w 2", "output a/y 2"});
  CHECK(Rows(Peek, About("a"), {"role", "name", "micros"}) == Lines{"part a/x 7", "part a/y 2"});
  CHECK(Rows(Peek, About("MatMul"), {"role", "name", "micros"}) == Lines{"part a/x 7", "part b 4"});
}

TEST_CASE("why: the wait after the inputs were ready is reported") {
  const Lines reasons = Rows(Why, About("a/x"), {"reason", "what"});
  const auto why_says = [&](std::string_view line) {
    return std::find(reasons.begin(), reasons.end(), line) != reasons.end();
  };
  CHECK(why_says("waited its last input was ready 8.00 us before it started, on average"));
  CHECK(why_says("run_count 1 run per step, 7.00 us each"));
  CHECK(why_says("steps steps: 5.00 us to 9.00 us, median 7.00 us; max in step 1"));
}

TEST_CASE("why: the rate of a type covers the nodes with recorded FLOPs") {
  const StorePtr store =
      StoreOf({{.name = "a", .type = "MatMul", .float_ops = 6000}, {.name = "b", .type = "MatMul"}},
              {{.node = "a", .start_us = 10, .us = 3}, {.node = "b", .start_us = 20, .us = 9}});
  const auto why_says = [&](const std::string& subject, std::string_view reason) {
    Context context;
    const Indexes indexes(store);
    const Report report = Why(store, indexes, About(subject), context).value();
    const auto& reasons = report.tables[0].Find("reason")->texts;
    const auto at = std::find(reasons.begin(), reasons.end(), reason) - reasons.begin();
    return std::string(report.tables[0].Find("what")->texts.at(static_cast<size_t>(at)));
  };
  CHECK(why_says("op:MatMul", "flops") ==
        "6.00k float operations per step, known for 25.0% of the time, too little for a rate");
  CHECK(why_says("a", "flops_per_s") == "6.00k float operations per step: 2 GFLOP/s");
}

TEST_CASE("why: memory is per step only if there are steps") {
  const auto why_says = [](const StorePtr& store) {
    Context context;
    const Indexes indexes(store);
    const Report report = Why(store, indexes, About("m"), context).value();
    const auto& reasons = report.tables[0].Find("reason")->texts;
    const auto at = std::find(reasons.begin(), reasons.end(), "bytes") - reasons.begin();
    return std::string(report.tables[0].Find("what")->texts[static_cast<size_t>(at)]);
  };
  CHECK(why_says(StoreOf({{.name = "m"}}, {{.node = "m", .bytes = 100}})) ==
        "requests 100 B of memory per step");
  StoreBuilder builder;
  builder.SetEpoch(0);
  AddTestNode({.name = "m"}, builder);
  const NodeId node = builder.FindNode(builder.Name("m"));
  const LaneId lane = AddDeviceLane("/device:cpu:0", builder);
  builder.BeginRows(lane, StepId());
  builder.AddNodeLane(node, lane);
  ExecMemory memory;
  memory.event = builder.AddEvent(builder.TimeFromMicros(1), builder.DurationFromMicros(1),
                                  builder.AddLabel(builder.Name("m"), node), 0);
  memory.requested = 100;
  builder.AddMemory(memory);
  CHECK(why_says(builder.Finish().value()) == "requests 100 B of memory");
}

TEST_CASE("find: types, and scopes that represent their contents, are found") {
  CHECK(Rows(Find, About("A"), {"kind", "name", "micros", "nodes"}) ==
        Lines{"operation type MatMul 11 2", "scope a 9 2", "operation type Add 2 1",
              "operation type Variable 2 1"});
  CHECK(Rows(Find, About("no such"), {"name"}).empty());
}

TEST_CASE("ls: the direct children of a scope are listed") {
  CHECK(Rows(ListScope, {}, {"name", "micros", "nodes"}) == Lines{"a/ 9 2", "b 4 1", "w 2 1"});
  CHECK(Rows(ListScope, About("a"), {"name", "type", "micros"}) ==
        Lines{"a/x MatMul 7", "a/y Add 2"});
  Query under;
  under.nodes.under = "a";
  CHECK(Rows(ListScope, under, {"name"}) == Lines{"a/x", "a/y"});
}

TEST_CASE("queries about one entity can be cancelled at every poll") {
  for (Make* make : {Top, Peek, Why, Find, ListScope}) {
    for (int64_t polls = 0;; ++polls) {
      const StorePtr store = Small();
      const Indexes indexes(store);
      Context context;
      context.polls_until_cancel = polls;
      const Result<Report> report = make(store, indexes, About("a"), context);
      if (report) {
        CHECK(polls > 3);
        break;
      }
      REQUIRE(report.error().kind == ErrorKind::cancelled);
    }
  }
}

}  // namespace tfprof::one_thing_test
