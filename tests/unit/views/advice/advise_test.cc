// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/views/advice/advise_cases.h"
#include "views/advice/checker.h"
#include "views/advice/classic.h"

namespace tfprof::advice_advise_test {
namespace {

Report Advice(const StorePtr& store, const std::string& checker = "",
              const std::string& format = "table") {
  Query query;
  query.advise.original = format == "classic";
  if (!checker.empty()) query.advise.checkers = {checker};
  Context context;
  const Indexes indexes(store);
  return Advise(store, indexes, query, context).value();
}

std::string_view TextOf(const Report& report, std::string_view column, size_t row) {
  return report.tables.at(0).Find(column)->texts.at(row);
}

bool IsTrue(const Report& report, std::string_view id) {
  const Property* property = report.Find(id);
  return property != nullptr && property->integer == 1;
}

Query Requested(const std::string& checker) {
  Query query;
  query.advise.checkers = {checker};
  return query;
}

Query FailIf(const std::string& checker) {
  Query query;
  query.fail_if = {checker};
  return query;
}

}  // namespace

// The row of that finding whose sentence has `part`; rows of the table: there is none.
size_t RowOf(const Report& report, std::string_view id, std::string_view part = "") {
  size_t row = 0;
  for (; row < report.tables.at(0).rows; ++row) {
    const bool fits = TextOf(report, "finding", row).find(part) != std::string_view::npos;
    if (TextOf(report, "finding_id", row) == id && fits) break;
  }
  return row;
}

TEST_CASE("advise: every finding is reported for one small profile and not for another") {
  std::set<FindingId> tested;
  for (const AdviseCase& test : AdviseCases()) {
    const FindingText& text = TextOf(test.id);
    INFO(text.name);
    tested.insert(test.id);
    const Report fires = Advice(test.fires, std::string(text.checker));
    const size_t row = RowOf(fires, text.name, test.finding);
    for (size_t i = 0; i < fires.tables.at(0).rows; ++i) UNSCOPED_INFO(TextOf(fires, "finding", i));
    REQUIRE(row < fires.tables.at(0).rows);
    CHECK(TextOf(fires, "checker", row) == text.checker);
    const int64_t cost_ps = fires.tables[0].Find("cost_ps")->Integer(row);
    CHECK(cost_ps == (test.cost_us == kNoInt ? kNoInt : test.cost_us * kPsPerUs));
    CHECK((cost_ps == kNoInt) == TextOf(fires, "cost_formula", row).empty());
    const Report silent = Advice(test.silent, std::string(text.checker));
    CHECK(RowOf(silent, text.name) == silent.tables.at(0).rows);
  }
  for (const FindingText& text : FindingCatalogue()) {
    INFO(text.name);
    CHECK(tested.contains(text.id));
  }
  for (const Checker& checker : Checkers()) {
    INFO(checker.name);
    CHECK(std::any_of(FindingCatalogue().begin(), FindingCatalogue().end(),
                      [&](const FindingText& text) { return text.checker == checker.name; }));
  }
}

TEST_CASE("advise: every wording of a finding has all of its values") {
  for (const AdviseCase& test : AdviseCases()) {
    const Report report = Advice(test.fires);
    for (const char* column :
         {"finding", "evidence", "cost_formula", "threshold", "fix", "command"}) {
      for (const std::string_view text : report.tables.at(0).Find(column)->texts) {
        INFO(text);
        CHECK(text.find_first_of("{}") == text.npos);
        for (size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
          CHECK((text.substr(at + 1, 1) >= "0" &&
                 text.substr(at + 1, 1) <= "9"));  // a type, no optional part
        }
        CHECK((!text.empty() || column == std::string_view("cost_formula")));
      }
    }
  }
}

TEST_CASE("advise: severe findings come first, then costly ones") {
  for (const AdviseCase& test : AdviseCases()) {
    const Report report = Advice(test.fires);
    const std::span<const std::string_view> names = SeverityNames();
    const auto rank = [&](size_t row) {
      return std::find(names.begin(), names.end(), TextOf(report, "severity", row)) - names.begin();
    };
    const ReportColumn* cost = report.tables.at(0).Find("cost_ps");
    for (size_t row = 1; row < report.tables[0].rows; ++row) {
      CHECK(rank(row - 1) <= rank(row));
      if (rank(row - 1) == rank(row)) CHECK(cost->Integer(row - 1) >= cost->Integer(row));
    }
  }
}

TEST_CASE("advise: batch normalization is reported if it is not fused") {
  const std::vector<TestRun> runs{{.node = "net/BatchNorm/mul", .us = 7}};
  const Report report =
      Advice(StoreOf({{.name = "net/BatchNorm/mul", .type = "Mul"}}, runs), "OperationChecker");
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(TextOf(report, "evidence", 0) == "7.00 us for net/BatchNorm/mul (Mul)");
  const Report fused = Advice(StoreOf({{.name = "net/BatchNorm/mul", .type = "Mul"},
                                       {.name = "n", .type = "FusedBatchNormV3"}},
                                      runs),
                              "OperationChecker");
  CHECK(fused.tables.at(0).rows == 0);
}

TEST_CASE("advise: a layer norm is no batch norm, whatever its scope is called") {
  const auto findings = [](const std::vector<std::string>& names, const std::string& type) {
    std::vector<TestNode> nodes;
    for (const std::string& name : names) nodes.push_back({.name = name, .type = type});
    const StorePtr store = StoreOf(nodes, {{.node = names[0], .us = 7}});
    return Advice(store, "OperationChecker").tables.at(0).rows;
  };
  // Keras makes both of the same function; only batch norms have moving averages.
  CHECK(findings({"norm1/batchnorm/mul", "norm1/moments/mean"}, "Mul") == 0);
  CHECK(findings({"norm1/batchnorm/mul", "norm1/moments/mean", "norm1/AssignMovingAvg"}, "Mul") ==
        1);
  CHECK(findings({"batch_norm/batchnorm/mul", "batch_norm/moments/mean"}, "Mul") == 1);
  CHECK(findings({"layer_norm/batchnorm/mul", "layer_norm/AssignMovingAvg"}, "Mul") == 0);
  CHECK(findings({"a/batchnorm/mul"}, "Mul") == 1);
  CHECK(findings({"a_layer_norm_batchnorm_mul_resource"}, "_Arg") == 0);
  CHECK(findings({"a_batch_norm_batchnorm_mul_resource"}, "_Arg") == 1);
}

TEST_CASE("advise: without a graph the name of a whole batch norm ends in its type") {
  StoreBuilder builder;
  builder.SetEpoch(0);
  const NameId name = builder.Name("net/BatchNorm/FusedBatchNormV3_1");
  builder.AddNode(name, name, false);
  AddTestRun({.node = "net/BatchNorm/FusedBatchNormV3_1", .us = 7}, builder);
  CHECK(Advice(builder.Finish().value(), "OperationChecker").tables.at(0).rows == 0);
}

TEST_CASE("advise: steps whose kernels were not recorded are not compared, nor idle") {
  const auto advice = [](bool lacks, const char* checker) {
    StoreBuilder builder;
    builder.SetEpoch(0);
    AddTestNode({.name = "a"}, builder);
    for (const int64_t step : {0, 1, 2}) {
      AddTestRun({.node = "a",
                  .step = step,
                  .device = "/device:gpu:0",
                  .start_us = 1000 * (step + 1),
                  .us = step == 2 ? 10 : 100},
                 builder);
      AddTestRun({.node = "a",
                  .step = step,
                  .device = "/device:gpu:0",
                  .start_us = 1000 * (step + 1) + 190,
                  .us = step == 2 ? 10 : 100},
                 builder);
      builder.step(builder.AddStep(step)).lacks_accelerator_stream = lacks;
    }
    return Advice(builder.Finish().value(), checker).tables.at(0).rows;
  };
  CHECK(advice(false, "StepVariationChecker") == 1);  // 290, 290 and 200 us
  CHECK(advice(true, "StepVariationChecker") == 0);
  CHECK(advice(false, "DeviceIdleChecker") == 1);  // 90 of 290 us, and more
  CHECK(advice(true, "DeviceIdleChecker") == 0);
}

TEST_CASE("advise: the largest peak is no finding if every device has ten times as much") {
  const auto findings = [](int64_t bytes) {
    return Advice(StoreOf({{.name = "a"}}, {{.node = "a", .bytes = bytes, .peak_bytes = bytes}}),
                  "PeakMemoryChecker")
        .tables.at(0)
        .rows;
  };
  CHECK(findings(50 << 10) == 0);
  CHECK(findings(200 << 20) == 1);
}

TEST_CASE("advise: a short call beside waiting for input does not make it") {
  const auto text = [](int64_t getitem_us) {
    const Report report = Advice(TorchLoading(800, getitem_us), "InputBoundChecker");
    const size_t row = RowOf(report, "input_bound");
    REQUIRE(row < report.tables.at(0).rows);
    return std::string(TextOf(report, "finding", row));
  };
  CHECK(text(800).find("which calls __getitem__") != std::string::npos);
  CHECK(text(10).find("which calls") == std::string::npos);
}

TEST_CASE("advise: a function that only starts operations or waits is no finding of its own") {
  const Report starting = Advice(TorchStarting());
  CHECK(RowOf(starting, "small_operations", "most in recurrence") < starting.tables.at(0).rows);
  CHECK(RowOf(starting, "python_function") == starting.tables.at(0).rows);
  const Report waiting = Advice(TorchWaiting(8));
  CHECK(RowOf(waiting, "python_function") == waiting.tables.at(0).rows);
  const Report both = Advice(TorchOnGpu([](const TorchGpuStep& step) {
    step.Host("python_function", "train.py(9): norm", 0, 9'000);
    for (int64_t i = 0; i < 4; ++i) {  // 400 us each, of 5,600 us
      step.Launch("aten::norm", 1'000 * i, "reduce", 1'000 * i + 30, 600);
      step.Host("cuda_runtime", "cudaDeviceSynchronize", 1'000 * i + 200, 450);
    }
    step.Launch("aten::mm", 3'900, "gemm", 4'030, 1'000);
    step.Launch("aten::mm", 8'900, "gemm", 9'000, 1'000);
  }));
  CHECK(RowOf(both, "waits_for_devices") < both.tables.at(0).rows);
  CHECK(RowOf(both, "python_function", "norm") < both.tables.at(0).rows);
  const Report computing = Advice(TorchWaiting(3));
  CHECK(RowOf(computing, "python_function", "norm") < computing.tables.at(0).rows);
}

TEST_CASE(
    "advise: memory that grows is no finding if a million steps need little of the device's") {
  const auto findings = [](int64_t available_bytes) {
    const Report report = Advice(KeepingMemory(4096, available_bytes), "GrowthChecker");
    return RowOf(report, "memory_grows") < report.tables.at(0).rows;
  };
  CHECK(findings(int64_t{40'000'000'000}));  // 4 GB of growth are a tenth of it
  CHECK_FALSE(findings(int64_t{400'000'000'000}));
}

TEST_CASE("advise: arrays are kept only if each step makes more than are freed") {
  const auto kept = [](const StorePtr& store) {
    const Report report = Advice(store, "GrowthChecker");
    const size_t row = RowOf(report, "arrays_kept");
    return row < report.tables.at(0).rows ? std::string(TextOf(report, "finding", row)) : "";
  };
  const auto begins = [&](const StorePtr& store, std::string_view text) {
    const std::string found = kept(store);
    INFO(found);
    return found.starts_with(text);
  };
  CHECK(begins(KeepingArrays({3, 1, 1, 1}), "each step keeps 2 arrays, at most 2.00 MiB"));
  CHECK(kept(KeepingArrays({1, 1, 1})).empty());
  // Three of nine arrays are kept for three steps, then freed.
  CHECK(kept(KeepingArrays({1, 1, 5, 1, 1, 5})).empty());
  CHECK(kept(KeepingArrays({5, 1, 1, 1})).empty());
  CHECK(begins(KeepingArrays({1, 0, 1, 0, 1}), "each step keeps at least 2 arrays, at most 2.00"));
  // Arrays of 16 bytes: a million steps keep 32 MB.
  CHECK(kept(KeepingArrays({1, 1, 1, 1}, ProgramsOfStep(2))).empty());
  CHECK(begins(KeepingArrays({1, 1, 1, 1}, ProgramsOfStep(),
                             [](LoopStep* step) { step->Main("DevicePutWithSharding", 100, 5); }),
               "each step keeps 3 arrays (results of step, copies to devices): "));
  // What a call of DevicePut leaves to another thread is no further array.
  CHECK(begins(KeepingArrays({1, 1, 1, 1}, ProgramsOfStep(),
                             [](LoopStep* step) { step->Other("H2D Dispatch", 10, 5); }),
               "each step keeps 2 arrays, at most 2.00 MiB"));
  const auto uses_allocator = [](LoopStep* step) {
    step->Main("MemoryAllocation", 20, 0, {{"allocator", std::string("cpu")}});
  };
  CHECK(kept(KeepingArrays({1, 1, 1, 1}, ProgramsOfStep(), uses_allocator)).empty());
}

TEST_CASE("advise: of programs of one name that return different numbers of arrays, some ran") {
  const auto finds = [](std::vector<TestProgram> programs, int64_t ran) {
    const auto run = [=](LoopStep* step) {
      if (ran != 0) step->pool.back().details["program"] = ran;
    };
    const Report report = Advice(KeepingArrays({1, 1, 1, 1}, programs, run), "GrowthChecker");
    return RowOf(report, "arrays_kept") < report.tables.at(0).rows;
  };
  std::vector<TestProgram> programs = ProgramsOfStep();
  programs.push_back({.name = "jit_step(3)", .id = 3, .program = Returning(64, 2, 1)});
  CHECK(finds(programs, 0));
  programs.push_back({.name = "jit_step(4)", .id = 4, .program = Returning(64, 8, 1)});
  CHECK_FALSE(finds(programs, 0));
  CHECK(finds(programs, 3));
  // Of two arrays, one that has a single element in some of the programs may be a loss.
  programs.pop_back();
  programs.push_back({.name = "jit_step(5)", .id = 5, .program = Returning(64, 1, 2)});
  CHECK_FALSE(finds(programs, 0));
  CHECK_FALSE(finds({ProgramsOfStep()[1]}, 0));
}

TEST_CASE("advise: a program that few steps start is shown with how often it starts") {
  const StorePtr store = LoopOf([](LoopStep* step) {
    step->Compute(0, step->number == 2 ? 200 : 1000);
    if (step->number == 2) step->Main("PjitFunction(evaluate)", 200, 800);
  });
  const Report report = Advice(store, "ProgramCallChecker");
  const size_t row = RowOf(report, "other_programs");
  REQUIRE(row < report.tables.at(0).rows);
  const std::string text(TextOf(report, "finding", row));
  CHECK(text.find("steps start evaluate (1 time in ") != std::string::npos);
}

TEST_CASE("advise: runs without a graph cover nothing") {
  StoreBuilder builder;
  builder.SetEpoch(0);
  builder.AddSource({.path = "run_meta", .covered_nodes = 0, .known_nodes = 0});
  AddTestRun({.node = "", .us = 7}, builder);
  const Report report = Advice(builder.Finish().value(), "JobChecker");
  for (size_t row = 0; row < report.tables.at(0).rows; ++row) {
    CHECK(TextOf(report, "finding", row).find("cover") == std::string::npos);
  }
}

TEST_CASE("advise: cost and evidence of a finding are the same mean over all steps") {
  // 100 us and 50 us in two of four steps, one of which has nothing placed.
  const Report report = Advice(StoreOf({{.name = "a", .type = "Mul"}, {.name = "b", .type = "Add"}},
                                       {{.node = "a", .us = 100},
                                        {.node = "a", .step = 1, .us = 50},
                                        {.node = "b", .step = 2, .us = 1},
                                        {.node = "b", .step = 3, .start_us = 0, .us = 0}}),
                               "ExpensiveOperationChecker");
  const size_t row = RowOf(report, "dominant_type");
  REQUIRE(row < report.tables.at(0).rows);
  CHECK(report.tables[0].Find("cost_ps")->Integer(row) == 150 * kPsPerUs / 4);
  CHECK(TextOf(report, "evidence", row) == "37.5 us in 1 operation");
}

TEST_CASE("advise: unusual facts of a costly type are reported") {
  const Report few = Advice(StoreOf({{.name = "a", .type = "Mul"}, {.name = "b", .type = "Mul"}},
                                    {{.node = "a", .us = 90}, {.node = "b", .us = 10}}),
                            "ExpensiveOperationChecker");
  CHECK(TextOf(few, "evidence", 0) == "100 us in 2 operations; 90.0% in a alone");
  const Report many =
      Advice(StoreOf({{.name = "a", .type = "Mul"}}, {{.node = "a", .us = 100, .occurrences = 50}}),
             "ExpensiveOperationChecker");
  CHECK(TextOf(many, "evidence", 0) == "100 us in 1 operation; 50 runs, 2.00 us each");
  const Report waits = Advice(OneOnGpu(20), "ExpensiveOperationChecker");
  CHECK(TextOf(waits, "evidence", 0) ==
        "20.0 us in 1 operation; more on the CPU (100 us) than on the accelerator (20.0 us)");
}

TEST_CASE("advise: the deepest scope with half of the time is reported") {
  const Report report =
      Advice(StoreOf({{.name = "net/x/a"}, {.name = "net/x/b"}, {.name = "net/y"}, {.name = "z"}},
                     {{.node = "net/x/a", .us = 30},
                      {.node = "net/x/b", .us = 30},
                      {.node = "net/y", .us = 20},
                      {.node = "z", .us = 20}}),
             "ExpensiveOperationChecker");
  const size_t last = report.tables.at(0).rows - 1;
  CHECK(TextOf(report, "finding", last) == "scope net/x takes 60.0% of operation time");
}

TEST_CASE("advise: the operations that make steps vary are named") {
  const Report report = Advice(StoreOf({{.name = "a"}, {.name = "b"}},
                                       {{.node = "a", .step = 0, .start_us = 1000, .us = 10},
                                        {.node = "a", .step = 1, .start_us = 2000, .us = 10},
                                        {.node = "b", .step = 1, .start_us = 2010, .us = 5},
                                        {.node = "a", .step = 2, .start_us = 3000, .us = 12},
                                        {.node = "b", .step = 2, .start_us = 3012, .us = 25}}),
                               "StepVariationChecker");
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(TextOf(report, "evidence", 0) ==
        "37.0 us in step 2, 15.0 us in step 1; b +20.0 us, a +2.00 us");
}

TEST_CASE("advise: missing streams and low coverage are reported") {
  const StorePtr store = Convolution("NCHW");
  Store& changed = const_cast<Store&>(*store);
  changed.steps[0].lacks_accelerator_stream = true;
  Source source;
  source.path = "run";
  source.covered_nodes = 1;
  source.known_nodes = 4;
  changed.sources.push_back(source);
  const Report report = Advice(store, "JobChecker");
  CHECK(TextOf(report, "severity", 0) == "high");
  CHECK(TextOf(report, "finding", 0).find("its streams were not traced") != std::string::npos);
  CHECK(TextOf(report, "finding", 1).starts_with("the runs cover 25.0% of the graph"));
  CHECK(TextOf(report, "evidence", 1) == "1 of 4 nodes after run");
}

std::vector<std::string> CheckersOf(const Report& report) {
  std::vector<std::string> names;
  for (size_t row = 0; row < report.tables.at(0).rows; ++row) {
    names.emplace_back(TextOf(report, "checker", row));
  }
  return names;
}

TEST_CASE("advise: time that two checkers see is reported once, or by the selected checker") {
  const auto count = [](const StorePtr& store, const std::string& checker, Query query = {}) {
    Context context;
    const Indexes indexes(store);
    const auto names = CheckersOf(Advise(store, indexes, query, context).value());
    return std::count(names.begin(), names.end(), checker);
  };
  const StorePtr copies = GpuTrace({{.copy_in_us = 20, .compute_us = 80}});
  CHECK(count(copies, "InputBoundChecker") == 1);
  CHECK(count(copies, "CopyChecker") == 0);
  CHECK(count(copies, "CopyChecker", Requested("CopyChecker")) == 1);
  CHECK(count(copies, "CopyChecker", FailIf("CopyChecker")) == 1);
  const StorePtr few = GpuTrace({{.copy_in_us = 4, .compute_us = 96}});
  CHECK(count(few, "InputBoundChecker") == 0);
  CHECK(count(few, "CopyChecker") == 1);
  const StorePtr gaps = GpuTrace({{.compute_us = 10, .gap_us = 9}});
  CHECK(count(gaps, "DeviceIdleChecker") == 1);
  CHECK(count(gaps, "AcceleratorUtilizationChecker") == 0);
  CHECK(count(gaps, "AcceleratorUtilizationChecker", Requested("AcceleratorUtilizationChecker")) ==
        1);
}

// A host with these steps, 1000 us from one to the next, of which it waits so long for input.
TestProcess HostOf(const std::string& name, int64_t steps, int64_t step_us, int64_t wait_us) {
  TestLane lane{.name = "main"};
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t at_ps = 1000 * i * kPsPerUs;
    const auto add = [&](const char* event, int64_t from_us, int64_t us) {
      TestDetails details{{"group", i}};
      if (from_us == 0) details["step_text"] = "train " + std::to_string(i);
      lane.events.push_back({event, at_ps + from_us * kPsPerUs, us * kPsPerUs, std::move(details)});
    };
    add("train", 0, step_us);
    add("IteratorGetNext", 1, wait_us);
    add("MatMul", 1 + wait_us, step_us - wait_us - 1);
  }
  return {.lanes = {lane}, .host = name};
}

TEST_CASE("advise: share and cost of input are those of the host with the most input time") {
  const Report report = Advice(TraceOf({HostOf("slow", 2, 900, 800), HostOf("fast", 2, 100, 10)}),
                               "InputBoundChecker");
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(TextOf(report, "finding", 0)
            .starts_with("input takes 88.9% of step time on slow: waiting for it"));
  CHECK(report.tables[0].Find("cost_ps")->Integer(0) == 800 * kPsPerUs);
  CHECK(TextOf(report, "command", 0) == "input -host slow");
}

TEST_CASE("advise: operations that steps wait for are reported with the input") {
  const auto count = [](int64_t made_us, Query query = {}) {
    TestProcess host = HostOf("host", 2, 100, 80);
    TestLane maker{.name = "pool"};
    for (int64_t i = 0; i < 2; ++i) {
      maker.events.push_back(
          {"Iterator::Root::Map", 1000 * i * kPsPerUs, made_us * kPsPerUs, {{"group", i}}});
    }
    host.lanes.push_back(maker);
    const StorePtr store = TraceOf({host});
    Context context;
    const Indexes indexes(store);
    const Report report = Advise(store, indexes, query, context).value();
    int64_t found = 0;
    for (size_t row = 0; row < report.tables.at(0).rows; ++row) {
      found += TextOf(report, "finding", row).starts_with("Dataset takes");
      if (TextOf(report, "checker", row) == "InputBoundChecker") {
        CHECK(TextOf(report, "evidence", row).find("Iterator::Root::Map takes the most time") !=
              std::string_view::npos);
      }
    }
    return found;
  };
  CHECK(count(80) == 0);
  CHECK(count(80, Requested("ExpensiveOperationChecker")) == 1);
}

TEST_CASE("overview: steps have the numbers of pod, and hosts outside the selection do not count") {
  const StorePtr store = TraceOf({HostOf("a", 7, 100, 10), HostOf("b", 7, 100, 10)});
  const Indexes indexes(store);
  Context context;
  const Report all = Overview(store, indexes, {}, context).value();
  CHECK(all.Find("host_count")->integer == 2);
  CHECK(all.tables.at(1).Find("step_num")->integers == std::vector<int64_t>{1, 2, 3, 4, 5});
  Query one;
  one.place.host = "b";
  CHECK(Overview(store, indexes, one, context).value().Find("host_count")->integer == 1);
}

TEST_CASE("advise: without steps, executions are counted as in info") {
  const Report report = Advice(
      TraceOf({{.lanes =
                    {{.name = "main",
                      .events = {{"m:MatMul", 0, 5}, {"m:MatMul", 10, 5}, {"m:MatMul", 20, 5}}}}}}),
      "JobChecker");
  CHECK(TextOf(report, "evidence", 0).starts_with("3 executions of operations"));
}

TEST_CASE("advise: a device that runs its step at another time is judged by that time") {
  const StorePtr store =
      TraceOf({GpuWith({{.start_us = 0, .compute_us = 100}}),
               GpuWith({{.start_us = 5000, .compute_us = 39, .gap_us = 20}}, 1)});
  const Report report = Advice(store, "AcceleratorUtilizationChecker");
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(TextOf(report, "finding", 0) == "/device:GPU:1 is busy for 66.7% of its step time");
  CHECK(TextOf(report, "evidence", 0) == "40.0 us busy of 60.0 us in step 0");
}

TEST_CASE("advise: collectives report their overlap with compute") {
  TestProcess gpu = GpuWith({{.compute_us = 80, .exchange_us = 20}});
  const Report alone = Advice(TraceOf({gpu}), "CollectiveChecker");
  CHECK(TextOf(alone, "evidence", 0) ==
        "20.0 us in step 0; collectives run for 20.0% of step time, 0.0% of that overlapped");
  CHECK(TextOf(alone, "told_from", 0) == "3% of step time");
  gpu.lanes.push_back({.name = "Stream #2",
                       .events = {{"ncclAllGather",
                                   50 * kPsPerUs,
                                   30 * kPsPerUs,
                                   {{"group", int64_t{0}}, {"correlation", int64_t{9}}}}}});
  const Report beside = Advice(TraceOf({gpu}), "CollectiveChecker");
  CHECK(TextOf(beside, "evidence", 0) ==
        "20.0 us in step 0; collectives run for 50.0% of step time, 60.0% of that overlapped");
}

TEST_CASE("advise: an empty profile has only the finding that nothing was recorded") {
  const Report report = Advice(StoreOf({}));
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(TextOf(report, "checker", 0) == "JobChecker");
  const Report classic = Advice(StoreOf({}), "", "classic");
  CHECK(IsTrue(classic, "OperationChecker"));
  CHECK_FALSE(IsTrue(classic, "nhwc_on_accelerator"));
}

TEST_CASE("advise: it can be cancelled") {
  const StorePtr store = OneOnGpu(20);
  for (const char* format : {"table", "classic"}) {
    Query query;
    query.advise.original = format == std::string("classic");
    int64_t polls = 0;
    for (bool cancelled = true; cancelled; ++polls) {
      REQUIRE(polls < 1000);
      Context context;
      context.polls_until_cancel = polls;
      const Indexes indexes(store);
      const Result<Report> report = Advise(store, indexes, query, context);
      cancelled = !report;
      if (cancelled) CHECK(report.error().kind == ErrorKind::cancelled);
    }
    CHECK(polls > 3);
  }
}

TEST_CASE("classic advice: a device is as busy as its nodes in the last step of each") {
  const StorePtr store = StoreOf(
      {{.name = "a"}, {.name = "b"}, {.name = "c"}},
      {{.node = "a", .step = 0, .device = "/device:gpu:0", .start_us = 1000, .us = 10},
       {.node = "a", .step = 0, .device = "/device:gpu:0/stream:all", .start_us = 1000, .us = 99},
       {.node = "a", .step = 1, .device = "/device:gpu:0", .start_us = 2000, .us = 10},
       {.node = "a", .step = 1, .device = "/device:gpu:0/stream:all", .start_us = 2010, .us = 40},
       {.node = "b", .step = 1, .device = "/device:gpu:0", .start_us = 2090, .us = 10},
       {.node = "c", .step = 1, .device = "/device:cpu:0", .start_us = 9000, .us = 10}});
  const Report report = Advice(store, "AcceleratorUtilizationChecker", "classic");
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(TextOf(report, "device", 0) == "/device:gpu:0");
  CHECK(report.tables[0].Find("utilization")->reals[0] == Approx(0.4));
  CHECK_FALSE(IsTrue(report, "OperationChecker"));
}

TEST_CASE("classic advice: NHWC counts only on accelerators, BatchNorm only if nothing is fused") {
  CHECK(IsTrue(Advice(Convolution("NHWC"), "", "classic"), "nhwc_on_accelerator"));
  CHECK_FALSE(IsTrue(Advice(Convolution("NCHW"), "", "classic"), "nhwc_on_accelerator"));
  const Report plain = Advice(StoreOf({{.name = "BatchNorm"}}), "", "classic");
  CHECK(IsTrue(plain, "batch_norm_is_not_fused"));
  const Report fused =
      Advice(StoreOf({{.name = "BatchNorm", .type = "FusedBatchNorm"}}), "", "classic");
  CHECK_FALSE(IsTrue(fused, "batch_norm_is_not_fused"));
}

TEST_CASE("classic advice: a graph without nodes has no expensive operation type") {
  const Report report = Advice(StoreOf({}, {{.node = "", .us = 5}}), "", "classic");
  for (const Table& table : report.tables) CHECK(table.rows == 0);
}

TEST_CASE("advise: of many devices the worst is reported, and a step without its work counts") {
  const auto on = [](const char* device, int64_t step, int64_t us) {
    return TestRun{.node = "a", .step = step, .device = device, .start_us = 1000 * step, .us = us};
  };
  const char *busy = "/device:gpu:0/stream:all", *idle = "/device:gpu:1/stream:all";
  const StorePtr store = StoreOf({{.name = "a"}}, {on(busy, 1, 80), on("/device:gpu:0", 1, 100),
                                                   on(idle, 1, 30), on(busy, 2, 100)});
  const Report report = Advice(store, "AcceleratorUtilizationChecker");
  REQUIRE(report.tables.at(0).rows == 1);  // the other one is busy for 90 % of 200 us
  CHECK(TextOf(report, "finding", 0) ==
        "/device:gpu:1/stream:all is busy for 15.0% of its step time");
  CHECK(TextOf(report, "evidence", 0) == "30.0 us busy of 100 us in step 1");
  CHECK(report.tables[0].Find("cost_ps")->Integer(0) == 85 * kPsPerUs);
  const Report gaps = Advice(store, "DeviceIdleChecker");
  REQUIRE(gaps.tables.at(0).rows == 1);
  CHECK(TextOf(gaps, "finding", 0) ==
        "/device:gpu:1/stream:all is idle for 70.0% of its step time; 2 of 2 devices are above "
        "the threshold");
}

TEST_CASE(
    "advise: of many devices of a trace the worst is reported, with the number of those beyond the "
    "threshold") {
  const StorePtr trace = TraceOf({GpuWith({{.compute_us = 100}}), GpuWith({{.compute_us = 50}}, 1),
                                  GpuWith({{.compute_us = 20}}, 2)});
  const auto advice_says = [](const StorePtr& of) {
    const Report report = Advice(of, "AcceleratorUtilizationChecker");
    REQUIRE(report.tables.at(0).rows == 1);
    return std::string(TextOf(report, "finding", 0));
  };
  const std::string worst = "/device:GPU:2 is busy for 20.0% of its step time";
  CHECK(advice_says(trace) == worst + "; 2 of 3 devices are below the threshold");
  const TestProcess busy = GpuWith({{.compute_us = 100}}), half = GpuWith({{.compute_us = 50}}, 1),
                    idle = GpuWith({{.compute_us = 20}}, 2);
  CHECK(advice_says(TraceOf({busy, idle})) == worst);
  CHECK(advice_says(TraceOf({busy, half, half, idle})) ==
        worst + "; 3 of 4 devices are below the threshold");
}

TEST_CASE("advise: the kernel that ends a gap has its short name") {
  TestProcess gpu = GpuWith({{.gap_us = 9}});
  gpu.lanes[0].events[1].name = "void ns::relu<float, 4>(float*, int)";
  const Report report = Advice(TraceOf({gpu}), "DeviceIdleChecker");
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(std::string(TextOf(report, "evidence", 0)).find("before relu<4>)") != std::string::npos);
}

TEST_CASE("advise: a device that others wait for is reported with the late ones of its host") {
  const auto advice_says = [](const std::vector<TestProcess>& processes) {
    const Report report = Advice(TraceOf(processes), "StragglerChecker");
    return report.tables.at(0).rows == 0 ? "" : std::string(TextOf(report, "finding", 0));
  };
  const auto gpu = [](const char* host, int number, int64_t compute_us, int64_t exchange_us) {
    TestProcess process = GpuWith({{.compute_us = compute_us, .exchange_us = exchange_us}}, number);
    process.host = host;
    return process;
  };
  const auto all = [&](int64_t late_us) {
    return std::vector<TestProcess>{gpu("a", 0, 60, 40), gpu("a", 1, 60, 40), gpu("a", 2, 60, 40),
                                    gpu("b", 0, 90, 10), gpu("b", 1, late_us, 100 - late_us)};
  };
  CHECK(advice_says(all(89)).ends_with("; 1 of 1 other devices of its host are late too"));
  CHECK(advice_says(all(60)).starts_with("b /device:GPU:0 comes last"));
  CHECK(advice_says(all(60)).ends_with("of step time"));
  // What takes no part in collectives is waited for by none.
  CHECK(advice_says({gpu("a", 0, 50, 40), gpu("a", 1, 50, 40), gpu("a", 2, 50, 0)}).empty());
}

TEST_CASE("advise: copies from devices name the function that launches them") {
  const Report report = Advice(TorchReadingBack(2'000), "CopyChecker");
  CHECK(TextOf(report, "finding", 0) ==
        "copies from devices, called by accuracy, take 20.0% of step time while nothing computes");
}

TEST_CASE("advise: causes that cost an idle device's time together leave it out") {
  const auto findings = [](int64_t us) {
    const Report report = Advice(TorchInFunctions(us), "");
    return std::pair{RowOf(report, "device_idle", "") < report.tables.at(0).rows,
                     RowOf(report, "python_function", "") < report.tables.at(0).rows};
  };
  CHECK(findings(1'800) == std::pair{false, true});
  CHECK(findings(450) == std::pair{true, false});  // no finding each
}

TEST_CASE("advise: the step that warms up says nothing of devices") {
  CHECK(Advice(RecordedCopying(900, 15'000), "DeviceIdleChecker").tables.at(0).rows == 1);
  CHECK(Advice(RecordedCopying(900, 50'000), "DeviceIdleChecker").tables.at(0).rows == 0);
}

TEST_CASE("advise: a host is slow whose steps begin later after each other, not whose are longer") {
  const auto findings = [](int64_t between_starts_us) {
    std::vector<TestGpuStep> slow, fast;
    for (int64_t i = 0; i < 5; ++i) {
      slow.push_back({.start_us = 100 * i, .compute_us = 100});
      fast.push_back({.start_us = between_starts_us * i, .compute_us = 75});
    }
    TestProcess a = GpuWith(slow), b = GpuWith(fast);
    a.host = "a";
    b.host = "b";
    return Advice(TraceOf({a, b}), "StragglerChecker");
  };
  CHECK(findings(100).tables.at(0).rows == 0);
  CHECK(TextOf(findings(75), "finding", 0) ==
        "steps take 1.3 times as long on a as on the other hosts; hosts do not run in step");
}

TEST_CASE("advise: of several hosts, a cause names its own") {
  const auto idle = [](int64_t us) {
    return [us](LoopStep* step) { step->Compute(us, 1000 - us); };
  };
  const StorePtr store = TraceOf({LoopOn("a", idle(100)), LoopOn("b", idle(500))});
  const Report report = Advice(store, "HostTimeChecker");
  CHECK(TextOf(report, "finding", 0).starts_with("the device is idle for 50.0% of step time on b"));
}

TEST_CASE("advise: products in float32 are judged on GPUs that have tensor cores") {
  const auto findings = [](const std::string& vendor, int64_t capability = kNoInt) {
    TestProcess gpu = GpuWith({{.compute_us = 100}});
    gpu.lanes[0].events[0].name = "volta_sgemm_128x64_nn";
    gpu.lanes[0].events[0].details["work"] = int64_t{0};
    gpu.vendor = vendor;
    const StorePtr store = TraceOf({gpu});
    const_cast<Store&>(*store).devices[0].capability_major = capability;
    return Advice(store, "PrecisionChecker");
  };
  CHECK(findings("Nvidia").tables.at(0).rows == 1);
  CHECK(findings("AMD").tables.at(0).rows == 0);
  CHECK(findings("Nvidia", 6).tables.at(0).rows == 0);
  const auto advises_tf32 = [&](int64_t capability) {
    const Report report = findings("Nvidia", capability);
    return TextOf(report, "fix", 0).find("TF32") != std::string_view::npos;
  };
  CHECK(advises_tf32(8));
  CHECK_FALSE(advises_tf32(7));  // Volta and Turing have float16 alone
}

TEST_CASE("advise: input of two fifths of the steps is severe") {
  CHECK(TextOf(Advice(HostWaiting(40), "InputBoundChecker"), "severity", 0) == "high");
  CHECK(TextOf(Advice(HostWaiting(20), "InputBoundChecker"), "severity", 0) == "medium");
  CHECK(TextOf(Advice(HostWaiting(6), "InputBoundChecker"), "severity", 0) == "low");
}

TEST_CASE("advise: naming a checker that does not apply to the recording is an error") {
  const auto ask = [](const StorePtr& store, const std::string& checker) {
    Query query;
    query.advise.checkers = {checker};
    Context context;
    return Advise(store, Indexes(store), query, context);
  };
  CHECK(ask(HostWaiting(0), "PlacementChecker").error().what ==
        "PlacementChecker does not support traces");
  CHECK(ask(StepsOf({10, 10}), "InputBoundChecker").error().what ==
        "InputBoundChecker supports traces only");
}

}  // namespace tfprof::advice_advise_test
