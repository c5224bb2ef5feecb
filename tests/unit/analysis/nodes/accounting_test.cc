// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/accounting.h"

#include <catch2/catch.hpp>

#include "analysis/nodes/step_memory.h"
#include "analysis/place.h"
#include "tests/support/store_of.h"

namespace tfprof::accounting_test {
namespace {

// Own values of one node.
struct Answer {
  MeasureValues values;
  uint8_t present;
  int64_t operator[](Measure measure) const { return At(values, measure); }
};

Answer SumsOf(const StorePtr& store, std::string_view name, int64_t step, const Query& place = {}) {
  Context context;
  const NodeAccounts accounts = MakeAccounts(*store, place.place, context).value();
  Query query = place;
  if (step >= 0) query.place.step = step;
  const NodeSums sums = SumNodes(*store, accounts, query.place, context).value();
  const NodeId node = store->NodeNamed(store->names.Find(name));
  return {sums.values[node.value], sums.present[node.value]};
}

Query StepSeven() {
  Query query;
  query.place.step = 7;
  return query;
}

// How often each node counts.
std::vector<int> Counts(const StorePtr& store, const Query& query) {
  Context context;
  const NodeAccounts accounts = MakeAccounts(*store, query.place, context).value();
  const Column<uint32_t> times = CountTimes(*store, accounts, query.nodes, context).value();
  const Column<uint8_t> any = CountAny(*store, accounts, query.nodes, context).value();
  for (size_t i = 0; i < any.size(); ++i) CHECK((any[i] != 0) == (times[i] != 0));
  return {times.begin(), times.end()};
}

constexpr std::string_view kStream = "/device:gpu:0/stream:all";

TestRun On(std::string_view device, int64_t us, int64_t step = 0) {
  return {.node = "x", .step = step, .device = std::string(device), .us = us};
}

}  // namespace

TEST_CASE(
    "time on the first cpu or gpu is cpu time and a run, time on stream:all accelerator time") {
  const StorePtr store =
      StoreOf({{.name = "x"}}, {On("/device:GPU:0", 3), On(kStream, 5), On(kStream, 7),
                                On("/device:gpu:0/stream:12", 100), On("/job:x/tpu:0", 100)});
  const Answer x = SumsOf(store, "x", 0);
  CHECK(x[Measure::cpu_micros] == 3);
  CHECK(x[Measure::accelerator_micros] == 12);
  CHECK(x[Measure::micros] == 15);
  CHECK(x[Measure::run_count] == 1);
}

TEST_CASE("records on a second counting device are dropped, and a note reports it") {
  const StorePtr store =
      StoreOf({{.name = "x"}}, {On("/cpu:0", 3, 0), On("/gpu:0", 5, 1), On("/cpu:0", 4, 2)});
  CHECK(SumsOf(store, "x", 1)[Measure::micros] == 0);
  CHECK(SumsOf(store, "x", -1)[Measure::micros] == 3);  // 7 over two steps, not over three
  Context context;
  const NodeAccounts accounts = MakeAccounts(*store, {}, context).value();
  REQUIRE(accounts.notes.size() == 1);
  CHECK(accounts.notes[0].count == 1);
  CHECK(accounts.notes[0].cost_ps == 5 * kPsPerUs);
}

TEST_CASE("a duration of 0 counts as one tick of the lane") {
  CHECK(SumsOf(StoreOf({{.name = "x"}}, {On("/cpu:0", 0)}), "x", 0)[Measure::micros] == 1);
}

TEST_CASE("times near the limits saturate instead of wrapping") {
  const int64_t huge_us = kMaxPs / kPsPerUs;
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/cpu:0", huge_us), On("/cpu:0", huge_us)});
  CHECK(SumsOf(store, "x", 0)[Measure::cpu_micros] == huge_us);
}

TEST_CASE("a record without start adds nothing, but its step counts for the average") {
  TestRun unplaced = On("/cpu:0", 50, 1);
  unplaced.start_us = 0;
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/cpu:0", 9), unplaced});
  const Answer x = SumsOf(store, "x", -1);
  CHECK(x[Measure::micros] == 4);
  CHECK(x[Measure::run_count] == 0);  // 1 / 2
  CHECK(SumsOf(store, "x", 1)[Measure::micros] == 0);
}

TEST_CASE("an aggregate row counts as often as it records") {
  TestRun more = On("/cpu:0", 0);
  more.start_us = 0;
  more.occurrences = 4;
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/cpu:0", 9), more});
  CHECK(SumsOf(store, "x", 0)[Measure::run_count] == 5);
  CHECK(SumsOf(store, "x", 0)[Measure::micros] == 9);
}

TEST_CASE("each value is averaged separately, rounding down") {
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/gpu:0", 1, 0), On(kStream, 2, 0),
                                                   On("/gpu:0", 2, 1), On(kStream, 1, 1)});
  const Answer x = SumsOf(store, "x", -1);
  CHECK(x[Measure::cpu_micros] == 1);
  CHECK(x[Measure::accelerator_micros] == 1);
  CHECK(x[Measure::micros] == 3);
}

TEST_CASE("memory counts on the counting device, or if neither device has a name") {
  TestRun cpu = On("/cpu:0", 1);
  cpu.bytes = 10;
  cpu.peak_bytes = 7;
  TestRun stream = On("/gpu:0/stream:all", 1);
  stream.bytes = 100;
  TestRun nameless = On("", 1);
  nameless.node = "y";
  nameless.bytes = 3;
  const StorePtr store = StoreOf({{.name = "x"}, {.name = "y"}}, {cpu, stream, nameless});
  CHECK(SumsOf(store, "x", -1)[Measure::bytes] == 10);
  CHECK(SumsOf(store, "x", -1)[Measure::peak_bytes] == 7);
  CHECK(SumsOf(store, "y", -1)[Measure::bytes] == 3);
  CHECK(SumsOf(store, "y", -1)[Measure::micros] == 0);
}

TEST_CASE("FLOPs are per run, except for nodes that never ran") {
  const StorePtr store =
      StoreOf({{.name = "x", .float_ops = 10}, {.name = "still", .float_ops = 10}},
              {On("/cpu:0", 1), On("/cpu:0", 1), On("/cpu:0", 1, 3)});
  CHECK(SumsOf(store, "x", 0)[Measure::float_ops] == 20);
  CHECK(SumsOf(store, "x", -1)[Measure::float_ops] == 10);
  CHECK(SumsOf(store, "still", 0)[Measure::float_ops] == 10);
}

TEST_CASE("parameters are the product of known dimensions") {
  const StorePtr store = StoreOf({{.name = "w", .parameter = {{3, 4}}},
                                  {.name = "scalar", .parameter = std::vector<int64_t>{}},
                                  {.name = "open", .parameter = {{-1, 4}}},
                                  {.name = "none"}});
  CHECK(SumsOf(store, "w", -1)[Measure::params] == 12);
  CHECK(SumsOf(store, "scalar", -1)[Measure::params] == 1);
  CHECK(SumsOf(store, "open", -1)[Measure::params] == 0);
  CHECK((SumsOf(store, "open", -1).present & kHasParams) == 0);
  CHECK((SumsOf(store, "none", -1).present & kHasParams) == 0);
}

TEST_CASE("measures that were not recorded are absent, not 0") {
  const StorePtr store = StoreOf({{.name = "x"}, {.name = "y"}}, {On("/cpu:0", 4)});
  const Answer y = SumsOf(store, "y", 0);
  const MeasureValues marked = MarkAbsent(y.values, y.present);
  CHECK(At(marked, Measure::micros) == kNoInt);
  CHECK(At(marked, Measure::bytes) == kNoInt);
  CHECK(At(marked, Measure::run_count) == 0);
  CHECK(At(marked, Measure::definition_count) == 1);
  const Answer x = SumsOf(store, "x", 0);
  CHECK(At(MarkAbsent(x.values, x.present), Measure::accelerator_micros) == kNoInt);
}

TEST_CASE("a step that does not exist is an error that lists the existing ones") {
  Context context;
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/cpu:0", 1, 0), On("/cpu:0", 1, 2)});
  const NodeAccounts accounts = MakeAccounts(*store, {}, context).value();
  const Result<NodeSums> sums = SumNodes(*store, accounts, StepSeven().place, context);
  REQUIRE_FALSE(sums);
  CHECK(sums.error().kind == ErrorKind::usage);
  CHECK(sums.error().what == "no step 7");
  CHECK(sums.error().hint == "only steps 0, 2 were recorded");
}

TEST_CASE("expressions are matched against op type, added types and counting device") {
  const StorePtr store = StoreOf(
      {{.name = "x", .type = "MatMul", .types = {"dense"}}, {.name = "y"}}, {On("/cpu:0", 1)});
  Query query;
  query.nodes.account_type_regexes = PatternList({"dense", ".*cpu.*", "Mat.*", "Conv"});
  CHECK(Counts(store, query) == std::vector{3, 0});
  CHECK(Counts(store, {}) == std::vector{1, 1});
  Query cpu;
  cpu.place.device = "CPU:0";
  CHECK(Counts(store, cpu) == std::vector{1, 0});
}

TEST_CASE("names and types select nodes case-insensitively; a scope is not a name prefix") {
  const StorePtr store = StoreOf({{.name = "a/mlp/x", .type = "MatMul"},
                                  {.name = "a/mlp2", .type = "Add"},
                                  {.name = "a/mlp", .type = "NoOp"}},
                                 {});
  Query query;
  query.nodes.focus = {"matmul", "MLP2"};
  CHECK(Counts(store, query) == std::vector{1, 1, 0});
  query.nodes.ignore = {"add"};
  CHECK(Counts(store, query) == std::vector{1, 0, 0});
  Query scope;
  scope.nodes.under = "a/mlp";
  CHECK(Counts(store, scope) == std::vector{1, 0, 1});
}

TEST_CASE("a range of steps is averaged like all steps") {
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/cpu:0", 2, 1), On("/cpu:0", 4, 2),
                                                   On("/cpu:0", 9, 3), On("/cpu:0", 100, 4)});
  Query range;
  range.place.step = 1;
  range.place.last_step = 3;
  CHECK(SumsOf(store, "x", -1, range)[Measure::micros] == 5);
  range.place.last_step = 9;
  CHECK(SumsOf(store, "x", -1, range)[Measure::micros] == 28);
  range.place.step = 5;
  Context context;
  const NodeAccounts accounts = MakeAccounts(*store, {}, context).value();
  CHECK(SumNodes(*store, accounts, range.place, context).error().what == "no step 5:9");
}

TEST_CASE("a node of several hosts counts on each selected host, and by default on the first") {
  TestRun second = On("/job:worker/task:1/gpu:0", 5);
  second.bytes = 50;
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/job:worker/task:0/gpu:0", 3), second});
  Query host;
  host.place.host = "task:1";
  CHECK(SumsOf(store, "x", 0)[Measure::micros] == 3);
  CHECK(SumsOf(store, "x", 0, host)[Measure::micros] == 5);
  CHECK(SumsOf(store, "x", 0, host)[Measure::bytes] == 50);
  Context context;
  CHECK(MakeAccounts(*store, host.place, context).value().notes.empty());
}

TEST_CASE("streams belong to the selected device, even if they do not name its host") {
  const StorePtr store = StoreOf(
      {{.name = "x"}}, {On("/job:a/task:0/device:gpu:0", 3), On("/job:a/task:0/device:gpu:1", 4),
                        On(kStream, 10), On("/device:gpu:1/stream:all", 20)});
  Query place;
  place.place.host = "task:0";
  place.place.device = "gpu:1";
  CHECK(SumsOf(store, "x", 0, place)[Measure::cpu_micros] == 4);
  CHECK(SumsOf(store, "x", 0, place)[Measure::accelerator_micros] == 20);
  place.place.device = "/job:a/task:0/device:gpu:0";
  CHECK(SumsOf(store, "x", 0, place)[Measure::accelerator_micros] == 10);
}

TEST_CASE("a number at the end of -device is a whole number") {
  CHECK(ContainsDevice("/job:x/device:GPU:1", "gpu:1"));
  CHECK(ContainsDevice("/device:gpu:1/stream:all", "gpu:1"));
  CHECK_FALSE(ContainsDevice("/device:gpu:10", "gpu:1"));
  CHECK(ContainsDevice("/task:10/gpu:1", ":1"));  // not only the first place counts
  CHECK(ContainsDevice("/device:gpu:10", "gpu"));
  CHECK(ContainsDevice("/device:gpu:10", ""));
  const StorePtr store = StoreOf({{.name = "x"}}, {On("/gpu:1", 5), On("/gpu:10", 7)});
  CHECK(LanesMatchingPlace(*store, {.device = "gpu:1"}) == std::vector<bool>{true, false});
}

TEST_CASE("memory of a step: a question about one reads its records only") {
  const StorePtr store = StoreOf({{.name = "x"}}, {{.node = "x", .step = 3, .bytes = 5},
                                                   {.node = "x", .step = 7, .bytes = 6},
                                                   {.node = "x", .step = 7, .bytes = 7},
                                                   {.node = "x", .step = 9}});
  Context context;
  const StepMemory memory = StepMemory::Build(*store, context).value();
  std::vector<std::vector<int64_t>> requested;
  for (const StepMemory::OfStep& step : memory.steps) {
    requested.emplace_back();
    for (const uint32_t row : step.executions) {
      requested.back().push_back(store->exec_memory[row].requested);
    }
  }
  CHECK(requested == std::vector<std::vector<int64_t>>{{5}, {6, 7}, {}});
  CHECK(SumsOf(store, "x", 7)[Measure::bytes] == 13);
}

}  // namespace tfprof::accounting_test
