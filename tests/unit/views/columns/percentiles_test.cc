// SPDX-License-Identifier: Apache-2.0
#include "views/columns/percentiles.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/ops/op_times.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/report/column_names.h"
#include "loaders/open.h"
#include "tests/support/recorded_traces.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/on_nodes.h"
#include "views/view.h"
#include "views/views.h"

namespace tfprof::percentiles_test {
namespace {

Query Asking() {
  Query query;
  query.place.exact = true;
  query.tree = HidesNone();
  query.display.order_by = OrderBy::micros;
  query.display.further = {"median_us", "p95_us", "share_pct"};
  return query;
}

Report Answer(const View& view, const StorePtr& store, const Query& query) {
  Context context;
  return view.make(store, Indexes(store), query, context).value();
}
Report Answer(std::string_view view, const StorePtr& store, const Query& query = Asking()) {
  return Answer(*FindView(view), store, query);
}

int64_t Cell(const Report& report, std::string_view id, std::string_view named,
             std::string_view names = "name") {
  const Table& table = report.tables.front();
  const std::vector<std::string_view>& texts = table.Find(names)->texts;
  const auto row = static_cast<size_t>(std::ranges::find(texts, named) - texts.begin());
  REQUIRE(row < table.rows);
  return table.Find(id)->Integer(row);
}

// 100 launches of 1 to 100 ns, in any order; one of another kernel.
StorePtr Launches() {
  std::vector<int64_t> lengths(100);
  for (size_t i = 0; i < lengths.size(); ++i) lengths[i] = static_cast<int64_t>(i) + 1;
  std::shuffle(lengths.begin(), lengths.end(), std::mt19937(3));
  std::vector<TestEvent> events;
  int64_t start = 0;
  for (const int64_t ns : lengths) {
    events.push_back(TestKernel("gemm", start, ns, "a:A"));
    start += 200;
  }
  events.push_back(TestKernel("add", start, 7, "b:B"));
  return TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = events}}}});
}

}  // namespace

TEST_CASE("durations of rows give the percentiles of a sort") {
  std::mt19937 random(5);
  std::vector<RowDuration> all;
  std::map<uint32_t, std::vector<int64_t>> by_row;
  for (int i = 0; i < 3000; ++i) {
    const RowDuration one{static_cast<uint32_t>(random() % 40) * 2,
                          static_cast<int64_t>(random() % 100'000)};
    all.push_back(one);
    by_row[one.row].push_back(one.ps);
  }
  DurationsByRow durations(all, 60);
  const std::vector<int64_t> p95 = durations.Percentiles(95), median = durations.Percentiles(50);
  REQUIRE(p95.size() == 60);
  for (uint32_t row = 0; row < 60; ++row) {
    std::vector<int64_t>& of_row = by_row[row];
    if (of_row.empty()) {
      CHECK(p95[row] == kNoInt);
      continue;
    }
    std::sort(of_row.begin(), of_row.end());
    const size_t n = of_row.size(), at = (n - 1) * 95;
    const int64_t low = of_row[at / 100], high = of_row[std::min(at / 100 + 1, n - 1)];
    CHECK(p95[row] == low + (high - low) * static_cast<int64_t>(at % 100) / 100);
    CHECK(median[row] == (of_row[(n - 1) / 2] + of_row[n / 2]) / 2);
  }
}

TEST_CASE("percentiles of kernels, by any grouping, only in answers that name them") {
  const StorePtr store = Launches();
  for (const RowsBy by : {RowsBy::each, RowsBy::name, RowsBy::op, RowsBy::launch}) {
    Query query = Asking();
    query.rows_by = by;
    const Report report = Answer("kernels", store, query);
    const Table& table = report.tables.front();
    if (by == RowsBy::launch) {  // one row: no launch is recorded
      CHECK(table.Find("median_us")->integers[0] == 50'000);
      continue;
    }
    CHECK(table.Find("median_us")->integers == std::vector<int64_t>{50'500, 7'000});
    CHECK(table.Find("p95_us")->integers == std::vector<int64_t>{95'050, 7'000});
  }
  const Report plain = Answer("kernels", store, Query());
  CHECK(plain.tables.front().Find("p95_us") == nullptr);
  for (auto name : {"p95_us", "p95"}) {
    Query where;
    where.display.where = ParseCondition(std::string(name) + " > 50ns").value();
    CHECK(Answer("kernels", store, where).tables.front().Find("p95_us") != nullptr);
    CHECK(Answer("kernels", store, where).tables.front().Find("median_us") == nullptr);
    Query order;
    order.display.order_column = name;
    CHECK(Answer("kernels", store, order).tables.front().Find("p95_us") != nullptr);
  }
}

TEST_CASE("an execution of an operation is its self time on a thread, all its work on a device") {
  const auto launched_by = [](TestEvent kernel, int64_t launch) {
    kernel.details["correlation"] = launch;
    return kernel;
  };
  const auto launch = [](int64_t start_ns, int64_t number) {
    return TestEvent{"launch", start_ns * kTestNs, 5 * kTestNs, {{"correlation", number}}};
  };
  const auto op = [](std::string name, int64_t start_ns, int64_t ns) {
    return TestEvent{std::move(name), start_ns * kTestNs, ns * kTestNs};
  };
  const TestProcess host{
      .lanes = {{.name = "main",
                 .events = {op("conv:Conv", 0, 100), launch(10, 1), launch(20, 2),
                            op("conv:Conv", 200, 60), launch(210, 3), launch(220, 4)}}}};
  const TestLane stream{.events = {launched_by(TestKernel("winograd", 300, 20, "conv:Conv"), 1),
                                   launched_by(TestKernel("gemm", 330, 10, "conv:Conv"), 2),
                                   launched_by(TestKernel("winograd", 400, 2, "conv:Conv"), 3),
                                   launched_by(TestKernel("gemm", 410, 1, "conv:Conv"), 4)}};
  const StorePtr on_device = TraceOf({host, {.name = "/device:GPU:0", .lanes = {stream}}});
  CHECK(Cell(Answer("op", on_device), "median_us", "Conv") == (30 + 3) * kTestNs / 2);
  CHECK(Cell(Answer("top", on_device), "median_us", "Conv") == (30 + 3) * kTestNs / 2);

  const StorePtr nested =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {op("a:A", 0, 100), op("b:B", 10, 30), op("a:A", 200, 10),
                                      op("a:A", 300, 20)}}}}});
  CHECK(Cell(Answer("op", nested), "median_us", "A") == 20 * kTestNs);  // 70, 10, 20
  CHECK(Cell(Answer("op", nested), "p95_us", "A") == (20 + 50 * 90 / 100) * kTestNs);
  CHECK(Cell(Answer("op", nested), "p95_us", "B") == 30 * kTestNs);
}

TEST_CASE("percentiles are absent where executions cannot be told apart") {
  // Two kernels per run, and no launch is recorded.
  const StorePtr two = TraceOf(
      {{.name = "/device:GPU:0",
        .lanes = {{.events = {TestKernel("k1", 0, 5, "a:A"), TestKernel("k2", 10, 5, "a:A"),
                              TestKernel("k", 20, 8, "b:B"), TestKernel("k", 30, 6, "b:B")}}}}});
  CHECK(Cell(Answer("op", two), "median_us", "A") == kNoInt);
  CHECK(Cell(Answer("op", two), "median_us", "B") == 7 * kTestNs);
  // An aggregate of 8 runs.
  const StorePtr sums = TraceOf({{.lanes = {{.events = {{"a:A", kNoTime, 40, {}, 8}}}}}});
  CHECK(Cell(Answer("op", sums), "p95_us", "A") == kNoInt);
}

TEST_CASE("executions of a profile are those of its steps; calls lack what they contain") {
  const StorePtr store = StoreOf({{.name = "a", .type = "MatMul"}, {.name = "b", .type = "Add"}},
                                 {{.node = "a", .step = 0, .us = 10},
                                  {.node = "a", .step = 0, .start_us = 20, .us = 30},
                                  {.node = "a", .step = 1, .us = 50},
                                  {.node = "b", .step = 1, .start_us = 100, .us = 7}});
  CHECK(Cell(Answer("op", store), "median_us", "MatMul") == 30 * kPsPerUs);
  CHECK(Cell(Answer("op", store), "p95_us", "MatMul") == 48 * kPsPerUs);
  CHECK(Cell(Answer("graph", store), "median_us", "b") == 7 * kPsPerUs);
  Query of_step = Asking();
  of_step.place.step = 0;
  CHECK(Cell(Answer("op", store, of_step), "median_us", "MatMul") == 20 * kPsPerUs);
}

TEST_CASE("the share is that of the measure that orders the rows") {
  const StorePtr store = StoreOf({{.name = "a", .type = "MatMul"}, {.name = "b", .type = "Add"}},
                                 {{.node = "a", .step = 0, .us = 30},
                                  {.node = "b", .step = 0, .start_us = 40, .us = 5},
                                  {.node = "b", .step = 0, .start_us = 50, .us = 5}});
  const auto share = [&](OrderBy by, size_t row) {
    Query query = Asking();
    query.display.order_by = by;
    return Answer("op", store, query).tables.front().Find("share_pct")->reals[row];
  };
  CHECK(share(OrderBy::micros, 0) == 0.75);
  CHECK(share(OrderBy::micros, 1) == 0.25);
  CHECK(share(OrderBy::runs, 0) == 2.0 / 3);
  const Report tree = Answer("scope", store);
  CHECK(tree.tables.front().Find("share_pct")->reals[0] == 1);
}

// Every execution is in one row: their durations add up to the times of the rows.
TEST_CASE("executions of nodes add up to their times, on all recorded traces") {
  size_t traces = 0;
  for (const std::string& path : RecordedTraces()) {
    Context context;
    const auto store = Load({{path, ""}}, context);
    if (!store || !LacksNodes(**store)) continue;
    const Indexes indexes(*store);
    const TraceNodes::Key key{.place = {}, .executions = true};
    const auto made = TraceNodes::Build(indexes, key, context).value();
    const NodeSums sums = SumNodes(*made.store, MakeAccounts(*made.store, {}, context).value(),
                                   PlaceFilter::Exact(), context)
                              .value();
    std::vector<int64_t> ps(made.store->nodes.size());
    for (const RowDuration& one : made.executions.durations) {
      ps[one.row] = SaturatingAdd(ps[one.row], one.ps);
    }
    INFO(path);
    for (size_t node = 0; node < ps.size(); ++node) {
      if (made.executions.IsUnknown(NodeId(node))) continue;
      CHECK(ps[node] == At(sums.values[node], Measure::micros));
    }
    ++traces;
  }
  CHECK(traces > 0);
}

TEST_CASE("executions of operations add up to their self times, on all recorded traces") {
  size_t known = 0;
  for (const std::string& path : RecordedTraces()) {
    Context context;
    const auto store = Load({{path, ""}}, context);
    if (!store || !LacksNodes(**store)) continue;
    const Indexes indexes(*store);
    const OpTimes times =
        MeasureOps(**store, indexes, OpAccounting::exact, ChosenEvents(), context, true).value();
    INFO(path);
    for (const auto* processes : {&times.processes, &times.cpus}) {
      for (const ProcessOps& process : *processes) {
        for (const OpTime& op : process.ops) {
          REQUIRE(op.executions != nullptr);
          if (op.executions->unknown) continue;
          int64_t sum = 0;
          for (const int64_t ps : op.executions->ps) sum = SaturatingAdd(sum, ps);
          CHECK(sum == op.self_ps);
          const bool is_instruction = op.xla != nullptr && process.is_device;
          if (is_instruction) {
            CHECK(op.executions->ps.size() == static_cast<size_t>(op.occurrences));
          }
          ++known;
        }
      }
    }
  }
  CHECK(known > 100);
}

TEST_CASE("percentiles of op_stats and hlo are those of self times of executions") {
  const auto op = [](std::string name, int64_t start_ns, int64_t ns) {
    return TestEvent{std::move(name), start_ns * kTestNs, ns * kTestNs};
  };
  const StorePtr nested =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {op("a:A", 0, 100), op("b:B", 10, 30), op("a:A", 200, 10),
                                      op("a:A", 300, 20)}}}}});
  CHECK(Cell(Answer("op_stats", nested), "median_us", "a", "op") == 20 * kTestNs);  // 70, 10, 20
  CHECK(Cell(Answer("op_stats", nested), "p95_us", "a", "op") == 65 * kTestNs);
  CHECK(Answer("op_stats", nested, Query()).tables.front().Find("p95_us") == nullptr);

  const auto store = [] {
    Context context;
    return Load({{"testdata/xspace/xla_train.xplane.pb", ""}}, context).value();
  }();
  const Report hlo = Answer("hlo", store);
  const Table& table = hlo.tables.front();
  for (size_t row = 0; row < table.rows; ++row) {
    const int64_t median = table.Find("median_us")->integers[row];
    CHECK(median != kNoInt);
    CHECK(median <= table.Find("time_us")->integers[row]);
  }
}

}  // namespace tfprof::percentiles_test
