// SPDX-License-Identifier: Apache-2.0
#include "views/diff/compared_tables.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/arith.h"
#include "core/report/changes.h"
#include "core/report/report.h"
#include "core/store/note_catalogue.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/diff/compared.h"
#include "views/view.h"
#include "views/views.h"

namespace tfprof::compared_tables_test {
namespace {

// Two steps; the kernel `slow` takes `ns` in each and `other` only runs in the second.
StorePtr TwoSteps(int64_t ns, const std::string& other) {
  const auto kernel = [](const std::string& name, int64_t start_ns, int64_t of_ns, int64_t step) {
    TestEvent event = TestKernel(name, start_ns, of_ns, "a/" + name + ":A");
    event.details["group"] = step;
    return event;
  };
  const auto marker = [](int64_t start_ns, int64_t step) {
    return TestEvent{"train",
                     start_ns * kTestNs,
                     100 * kTestNs,
                     {{"group", step}, {"step_number", step}, {"root_level", int64_t{1}}}};
  };
  return TraceOf({{.lanes = {{.events = {marker(0, 0), marker(200, 1)}}}},
                  {.name = "/device:GPU:0",
                   .lanes = {{.events = {kernel("slow", 10, ns, 0), kernel("slow", 210, ns, 1),
                                         kernel(other, 290, 4, 1)}}}}});
}

Report DiffOf(const StorePtr& base, const StorePtr& store, Query query) {
  Context context;
  query.diff.base = base;
  return Diff(store, Indexes(store), query, context).value();
}

Query Viewing(const std::string& view) {
  Query query;
  query.view = view;
  return query;
}

}  // namespace

TEST_CASE("diff of kernels pairs them by name") {
  const Report report = DiffOf(TwoSteps(20, "x"), TwoSteps(50, "y"), Viewing("kernels"));
  const Table& table = report.tables.at(0);
  CHECK(table.name == "kernels");
  REQUIRE(table.rows == 3);
  CHECK(table.Find("name")->texts[0] == "slow a/slow");
  CHECK(table.Find("status")->texts[0] == "changed");
  CHECK(table.Find("base_time_us")->reals[0] == Approx(0.040));  // 2 x 20 ns
  CHECK(table.Find("time_us")->reals[0] == Approx(0.100));
  CHECK(table.Find("change_time_us")->reals[0] == Approx(0.060));
  CHECK(table.Find("change_time_us_pct")->reals[0] == Approx(1.5));  // written as 150
  CHECK(table.Find("launches")->reals[0] == 2);
  CHECK(report.Find("base_total_time_us")->real == Approx(0.044));  // with 4 ns of x
  CHECK(report.Find("total_time_us")->real == Approx(0.104));
  CHECK(report.Find("change_total_time_us")->real == Approx(0.060));
  CHECK(table.Find("time_us")->total == Approx(0.104));  // the rows add up
  CHECK(table.Find("change_time_us_pct")->total == Approx(60.0 / 44));
  CHECK(std::isnan(table.Find("mean_us")->total));  // means do not
}

TEST_CASE("a profile does not differ from itself in any table") {
  const StorePtr store = TwoSteps(20, "x");
  for (const std::string_view view : ComparedTableViews()) {
    INFO(view);
    const Report report = DiffOf(store, store, Viewing(std::string(view)));
    int64_t rows = 0;
    for (const Table& table : report.tables) {
      if (table.name == "step") continue;
      rows += static_cast<int64_t>(table.rows);
      CHECK(std::ranges::count(table.Find("status")->texts, kSame) ==
            static_cast<int64_t>(table.rows));
    }
    CHECK(report.Find("unchanged_rows")->integer == rows);
  }
}

TEST_CASE("diff compares every view that needs no name, in columns that it has") {
  std::set<std::string_view> views = {"scope", "graph", "op", "code"};
  for (const ComparedTable& of : ComparedTables()) {
    INFO(of.view << ' ' << of.table);
    views.insert(of.view);
    const View* view = FindView(of.view);
    REQUIRE(view != nullptr);
    const TableDefs defs = view->tables();
    const auto def = std::ranges::find(defs, of.table, &TableDef::name);
    REQUIRE(def != defs.end());
    for (const std::string_view id : of.names) CHECK((*def)->Find(id) != nullptr);
    for (const ComparedTable::Measure& measure : of.Measures()) {
      INFO(measure.id);
      CHECK((*def)->Find(measure.id) != nullptr);
    }
  }
  for (const View& view : Views()) {
    const bool needs_name = view.name == "peek" || view.name == "why" || view.name == "find";
    if (needs_name || view.name == "diff") continue;
    INFO(view.name);
    CHECK(views.contains(view.name));
  }
}

TEST_CASE("diff adds up events of one name, and counts them") {
  const Report report = DiffOf(TwoSteps(20, "x"), TwoSteps(50, "x"), Viewing("events"));
  const Table& table = report.tables.at(0);
  const auto& names = table.Find("name")->texts;
  const auto row = std::ranges::find(names, "/device:GPU:0 slow") - names.begin();
  REQUIRE(row < std::ssize(names));
  const auto at = [&](const char* id) { return table.Find(id)->reals[static_cast<size_t>(row)]; };
  CHECK(at("base_self_us") == Approx(0.040));
  CHECK(at("self_us") == Approx(0.100));
  CHECK(at("events") == 2);
}

TEST_CASE("readers see changes only, and the rest adds up to the total") {
  Report report = DiffOf(TwoSteps(20, "x"), TwoSteps(50, "x"), Viewing("kernels"));
  HideUnchanged(&report);
  const Table& table = report.tables.at(0);
  REQUIRE(table.rows == 1);
  CHECK(table.unchanged_rows == 1);
  const ReportColumn& base = *table.Find("base_time_us");
  CHECK(base.reals[0] == Approx(0.040));
  CHECK(base.unchanged_sum == Approx(0.004));  // x runs once
  CHECK(base.total == Approx(0.044));
}

// As many steps as there are durations of MatMul; in each, Add takes 5 us.
StorePtr Steps(const std::vector<int64_t>& us) {
  std::vector<TestRun> runs;
  for (int64_t step = 0; step < std::ssize(us); ++step) {
    runs.push_back({.node = "a", .step = step, .us = us[static_cast<size_t>(step)]});
    runs.push_back({.node = "b", .step = step, .us = 5});
  }
  return StoreOf({{.name = "a", .type = "MatMul"}, {.name = "b", .type = "Add"}}, runs);
}

TEST_CASE("diff tells changes from the spread of the steps") {
  const StorePtr base = Steps({10, 11, 12, 13});
  struct Row {
    std::string view, name;
  };
  for (const Row& of : {Row{"op", "MatMul"}, Row{"scope", "a"}, Row{"top", "MatMul"}}) {
    INFO(of.view);
    const auto p_of = [&](const StorePtr& now) {
      Query query = Viewing(of.view);
      query.place.exact = true;
      const Report report = DiffOf(base, now, query);
      const Table& table = report.tables.at(0);
      CHECK(table.Find("name")->texts[0] == of.name);  // Add did not change
      const ReportColumn* p = table.Find("p_value");
      if (p == nullptr) return std::pair(kNoReal, std::string());
      return std::pair(p->reals[0], std::string(table.Find("significance")->texts[0]));
    };
    // mannwhitneyu([10, 11, 12, 13], [14, 15, 16, 17]).pvalue of SciPy, and so on.
    CHECK(p_of(Steps({14, 15, 16, 17})).first == Approx(2.0 / 70));
    CHECK(p_of(Steps({14, 15, 16, 17})).second == "significant");
    CHECK(p_of(Steps({9, 14, 15, 16})).first == Approx(0.34285714285714286));
    CHECK(p_of(Steps({9, 14, 15, 16})).second == "noise");
    CHECK(std::isnan(p_of(Steps({14, 15, 16})).first));  // too few steps
  }
}

TEST_CASE("diff compares two steps of one profile") {
  const StorePtr store = TwoSteps(20, "x");
  Query query = Viewing("kernels");
  query.place.step = 0;
  query.diff.with_step = 1;
  const Report report = DiffOf(nullptr, store, query);
  const Table& table = report.tables.at(0);
  REQUIRE(table.rows == 2);  // the last one did not change
  CHECK(table.Find("status")->texts[1] == "same");
  CHECK(table.Find("name")->texts[0] == "x a/x");
  CHECK(table.Find("status")->texts[0] == "new");
  CHECK(report.Find("unchanged_rows")->integer == 1);
}

TEST_CASE("without steps diff is per execution of the main program") {
  const auto runs = [](int count) {
    std::vector<TestEvent> programs, ops;
    for (int64_t i = 0; i < count; ++i) {
      programs.push_back({"jit_f(1)", 1000 * i, 100});
      ops.push_back({"add.1", 1000 * i, 80});
    }
    return TraceOf(
        {{.name = "/device:TPU:0",
          .lanes = {{.name = "XLA Modules", .events = programs, .role = LaneRole::modules},
                    {.name = "XLA Ops", .events = ops, .role = LaneRole::ops}},
          .device = DeviceKind::tpu,
          .of_label = {{"add.1", {{"program", int64_t{1}}}}}}});
  };
  for (const std::string view : {"hlo", "op_stats"}) {
    INFO(view);
    const Report report = DiffOf(runs(2), runs(6), Viewing(view));
    CHECK(report.tables.at(0).Find("status")->texts == std::vector<std::string_view>{kSame});
    const int64_t rows = view == "hlo" ? 2 : 1;  // the instruction, and its program
    CHECK(report.Find("unchanged_rows")->integer == rows);
    const auto by_runs = [](const Note& note) {
      return note.what.Text().find("2 of the base, 6 of this profile") != std::string::npos;
    };
    CHECK(std::ranges::count_if(report.notes, by_runs) == 1);
  }
}

}  // namespace tfprof::compared_tables_test
