// SPDX-License-Identifier: Apache-2.0
#include <tfprof/profiler.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "tests/unit/api/messages.h"

namespace {

using tfprof::ProfileNode;
using tfprof::ProfileOptionBuilder;
using tfprof::ProfileOptions;
using tfprof::Profiler;
using tfprof::testing::Bytes;
using tfprof::testing::Node;
using tfprof::testing::Number;
using tfprof::testing::RunMetadata;

std::string Graph() { return Node("a", "Const") + Node("s/b", "MatMul", {"a"}); }

// One step: a takes 10 us, b `micros` and as many bytes.
std::string StepOf(uint64_t micros) {
  return RunMetadata("/cpu:0", {{"a", 1000, 10}, {"s/b", 1010, micros, micros}});
}

ProfileOptions Quiet() { return ProfileOptionBuilder().WithEmptyOutput().Build(); }

const ProfileNode& Named(const tfprof::ProfileResult& result, const std::string& name) {
  for (const ProfileNode& node : result.nodes) {
    if (node.name == name) return node;
  }
  FAIL("no node " << name);
  return result.nodes[0];
}

}  // namespace

TEST_CASE("steps of a profiler, their mean and each") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(3, StepOf(30)).ok());
  auto scope = profiler.ProfileNameScope(Quiet());
  REQUIRE(scope.ok());
  CHECK(scope->nodes[0].total_exec_micros == 40);

  REQUIRE(profiler.AddStep(7, StepOf(50)).ok());
  scope = profiler.ProfileNameScope(Quiet());
  CHECK(scope->nodes[0].name == "_TFProfRoot");
  CHECK(scope->nodes[0].parent == tfprof::kNoRow);
  CHECK(scope->nodes[0].total_exec_micros == 50);  // 10 + (30 + 50) / 2
  CHECK(Named(*scope, "s/b").exec_micros == 40);
  CHECK(Named(*scope, "s/b").cpu_exec_micros == 40);
  CHECK(scope->text.empty());
  CHECK_FALSE(scope->message.empty());

  const auto step = profiler.ProfileNameScope(ProfileOptionBuilder(Quiet()).WithStep(7).Build());
  CHECK(Named(*step, "s/b").exec_micros == 50);
  CHECK(*profiler.Coverage() == Approx(1));
}

namespace {

// A variable with 6 elements.
std::string VariableOf(std::string_view name) {
  const std::string shape = Bytes(7, Bytes(2, Number(1, 6)));
  return Bytes(
      1, Bytes(1, name) + Bytes(2, "VariableV2") + Bytes(5, Bytes(1, "shape") + Bytes(2, shape)));
}

}  // namespace

TEST_CASE("the graph of a meta graph or of a model, with what training changes") {
  const std::string variables = Bytes(1, Bytes(1, "w:0"));
  const std::string meta = Bytes(2, VariableOf("w") + VariableOf("frozen")) +
                           Bytes(4, Bytes(1, "trainable_variables") + Bytes(2, variables));
  const ProfileOptions options =
      ProfileOptionBuilder(ProfileOptionBuilder::TrainableVariablesParameter())
          .WithEmptyOutput()
          .Build();
  for (const std::string& given : {meta, Number(1, 1) + Bytes(2, meta)}) {
    const auto scope = Profiler(given).ProfileNameScope(options);
    REQUIRE(scope.ok());
    CHECK(scope->nodes[0].total_parameters == 6);
  }
}

TEST_CASE("two runs of one step add up") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(0, StepOf(30)).ok());
  REQUIRE(profiler.AddStep(0, StepOf(50)).ok());
  const auto scope = profiler.ProfileNameScope(Quiet());
  CHECK(scope->nodes[0].total_exec_micros == 100);  // 10 + 30 + 10 + 50
}

namespace {

struct Added {
  int64_t step;
  std::string run_meta;
  std::string op_log = {};
};

Profiler With(const std::vector<Added>& steps) {
  Profiler profiler(Graph());
  for (const Added& one : steps) {
    REQUIRE(profiler.AddStep(one.step, one.run_meta, one.op_log).ok());
  }
  return profiler;
}

// The messages of all views, for the last step alone, then for the mean and for each step.
std::vector<std::string> AllMessages(const Profiler& profiler, const std::vector<Added>& steps) {
  std::vector<std::string> messages;
  std::vector<int64_t> numbers{steps.back().step, -1};
  for (const Added& one : steps) numbers.push_back(one.step);
  for (const int64_t number : numbers) {
    ProfileOptions options = ProfileOptionBuilder(Quiet()).WithStep(number).Build();
    options.select = {"micros",     "bytes",  "output_bytes", "float_ops",
                      "occurrence", "device", "op_types"};
    for (const auto& result :
         {profiler.ProfileNameScope(options), profiler.ProfileGraph(options),
          profiler.ProfileOperations(options), profiler.ProfilePython(options)}) {
      messages.push_back(result ? result->message : result.error().Text());
    }
  }
  CHECK(messages[4].find("s/b") != std::string::npos);
  messages.push_back(*profiler.SerializeToString());
  messages.push_back(std::to_string(*profiler.Coverage()));
  return messages;
}

}  // namespace

TEST_CASE("questions after each step give what they give after all steps at once") {
  const std::string op_log = Bytes(1, Bytes(1, "s/b") + Number(2, 77));
  const std::vector<Added> all = {
      {5, StepOf(30)},
      {2, StepOf(50) + RunMetadata("/gpu:0", {{"s/b", 900, 7}, {"new:Op", 1, 2}})},
      {2, RunMetadata("/cpu:0", {{"a", 5, 1}})},
      {9, ""},
      {11, StepOf(20), op_log},
      {12, StepOf(60), op_log},
  };
  Profiler grown(Graph());
  std::vector<Added> steps;
  for (const Added& one : all) {
    REQUIRE(grown.AddStep(one.step, one.run_meta, one.op_log).ok());
    steps.push_back(one);
    INFO(steps.size() << " steps");
    CHECK(AllMessages(grown, steps) == AllMessages(With(steps), steps));
  }
  grown.UpdateGraph(Graph() + Node("new", "Neg"));
  Profiler updated = With(steps);
  updated.UpdateGraph(Graph() + Node("new", "Neg"));
  CHECK(AllMessages(grown, steps) == AllMessages(updated, steps));
}

TEST_CASE("a question that was stopped changes no other one") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(3, StepOf(30)).ok());
  const std::atomic<bool> stop{true};
  CHECK(profiler.ProfileNameScope(Quiet(), &stop).error().kind == tfprof::ErrorKind::cancelled);
  CHECK(profiler.ProfileNameScope(Quiet())->nodes[0].total_exec_micros == 40);
  REQUIRE(profiler.AddStep(4, StepOf(50)).ok());
  CHECK(profiler.ProfileNameScope(Quiet(), &stop).error().kind == tfprof::ErrorKind::cancelled);
  CHECK(profiler.ProfileNameScope(Quiet())->nodes[0].total_exec_micros == 50);
}

TEST_CASE("each row of op is in the row before it") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(0, StepOf(30)).ok());
  const auto op =
      profiler.ProfileOperations(ProfileOptionBuilder(Quiet()).OrderBy("micros").Build());
  REQUIRE(op.ok());
  REQUIRE(op->nodes.size() == 3);
  CHECK(op->nodes[0].name == "_TFProfRoot");
  CHECK(op->nodes[1].name == "MatMul");
  CHECK(op->nodes[1].parent == 0);
  CHECK(op->nodes[2].name == "Const");
  CHECK(op->nodes[2].parent == 1);
  CHECK(op->nodes[1].exec_micros == 30);
}

TEST_CASE("graph starts at the nodes without consumers") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(0, StepOf(30)).ok());
  const auto graph = profiler.ProfileGraph(Quiet());
  REQUIRE(graph.ok());
  const ProfileNode& a = Named(*graph, "a");
  CHECK(graph->nodes[a.parent].name == "s/b");
  CHECK(a.total_exec_micros == 10);
}

TEST_CASE("an empty list of expressions matches nothing, and expressions may have commas") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(0, StepOf(30)).ok());
  ProfileOptions options = Quiet();
  options.account_type_regexes = {};
  CHECK(profiler.ProfileNameScope(options)->nodes[0].total_exec_micros == 0);
  options.account_type_regexes = {"[A-Z][a-z]{4,4}"};  // Const, not MatMul
  CHECK(profiler.ProfileNameScope(options)->nodes[0].total_exec_micros == 10);
}

TEST_CASE("an invalid expression is an error") {
  ProfileOptions options = Quiet();
  options.hide_name_regexes = {"fine", "(open"};
  const auto scope = Profiler(Graph()).ProfileNameScope(options);
  REQUIRE_FALSE(scope.ok());
  CHECK(scope.error().kind == tfprof::ErrorKind::usage);
  CHECK(scope.error().where == "(open");
}

TEST_CASE("the report that the original prints") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(0, StepOf(30)).ok());
  const auto result = profiler.ProfileNameScope(ProfileOptionBuilder().Build());
  REQUIRE(result.ok());
  CHECK(
      result->text.starts_with("\n=========================Options=============================\n"
                               "-max_depth                  100\n"));
  CHECK(result->text.find("_TFProfRoot (--/40us, --/0us, --/40us)") != std::string::npos);
  CHECK(
      result->text.ends_with("\n======================End of Report==========================\n"));
}

TEST_CASE("presets") {
  const ProfileOptions params = ProfileOptionBuilder::TrainableVariablesParameter();
  CHECK(params.max_depth == 10000);
  CHECK(params.account_type_regexes == std::vector<std::string>{"_trainable_variables"});
  CHECK(params.account_displayed_op_only);
  const ProfileOptions flops = ProfileOptionBuilder::FloatOperation();
  CHECK(flops.min_float_ops == 1);
  CHECK(flops.order_by == "float_ops");
  const ProfileOptions time = ProfileOptionBuilder::TimeAndMemory();
  CHECK(time.min_micros == 1);
  CHECK(time.min_bytes == 1);
  CHECK(time.select == std::vector<std::string>{"micros", "bytes"});
  const ProfileOptions built =
      ProfileOptionBuilder(time).WithMaxDepth(3).WithPprofOutput("x").WithStep(2).Build();
  CHECK(built.max_depth == 3);
  CHECK(built.output == "pprof:outfile=x");
  CHECK(built.step == 2);
}

TEST_CASE("advice by checker") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(0, StepOf(30)).ok());
  const auto all = profiler.Advise();
  REQUIRE(all.ok());
  CHECK(all->checkers.size() == 3);
  CHECK(all->text.find("ExpensiveOperationChecker") != std::string::npos);
  const auto one = profiler.Advise({"OperationChecker", "JobChecker"});
  REQUIRE(one->checkers.size() == 1);
  CHECK(one->checkers.begin()->first == "OperationChecker");
  // The original has that name and no such checker.
  CHECK(profiler.Advise({"JobChecker"})->message.empty());
  CHECK(profiler.Advise({"JobChecker"})->text.empty());
  CHECK(profiler.Advise({})->message.empty());
  CHECK_FALSE(profiler.Advise({"NoSuchChecker"}).ok());
}

TEST_CASE("what is serialized opens with the same numbers") {
  Profiler profiler(Graph());
  REQUIRE(profiler.AddStep(4, StepOf(30)).ok());
  const auto bytes = profiler.SerializeToString();
  REQUIRE(bytes.ok());
  const auto profile = tfprof::OpenBytes({{"profile", *bytes}});
  REQUIRE(profile.ok());
  CHECK(tfprof::Answer(*profile, "op")->FindProperty("total_time_us")->real == 40);
}

TEST_CASE("what is no step is refused, and the profiler goes on") {
  Profiler profiler(Graph());
  CHECK(profiler.AddStep(-1, StepOf(30)).error().kind == tfprof::ErrorKind::usage);
  CHECK(profiler.AddStep(0, "nothing of this kind").error().kind == tfprof::ErrorKind::corrupt);
  REQUIRE(profiler.AddStep(1, StepOf(30)).ok());
  CHECK(profiler.ProfileNameScope(Quiet())->nodes[0].total_exec_micros == 40);
}

TEST_CASE("several profilers at once, and one without steps") {
  Profiler first(Graph()), second(Graph()), graph_only(Graph()), nothing;
  REQUIRE(first.AddStep(0, StepOf(30)).ok());
  REQUIRE(second.AddStep(0, StepOf(50)).ok());
  CHECK(first.ProfileNameScope(Quiet())->nodes[0].total_exec_micros == 40);
  CHECK(second.ProfileNameScope(Quiet())->nodes[0].total_exec_micros == 60);
  CHECK(graph_only.ProfileNameScope(Quiet())->nodes[0].total_definition_count ==
        3);  // the scope, too
  CHECK(nothing.ProfileNameScope(Quiet()).ok());
  Profiler moved = std::move(first);
  CHECK(moved.ProfileNameScope(Quiet())->nodes[0].total_exec_micros == 40);
}
