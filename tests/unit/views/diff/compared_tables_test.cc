// SPDX-License-Identifier: Apache-2.0
#include "views/diff/compared_tables.h"

#include <catch2/catch.hpp>

#include "core/report/report.h"
#include "core/store/note_catalogue.h"
#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof {
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

TEST_CASE("diff of kernels pairs them by name and hides equal rows") {
  const Report report = DiffOf(TwoSteps(20, "x"), TwoSteps(50, "y"), Viewing("kernels"));
  const Table& table = report.tables.at(0);
  CHECK(table.name == "kernels");
  REQUIRE(table.rows == 3);
  CHECK(table.Find("name")->texts[0] == "slow a/slow");
  CHECK(table.Find("status")->texts[0] == "changed");
  CHECK(table.Find("base_time_us")->reals[0] == Approx(0.040));  // 2 x 20 ns
  CHECK(table.Find("time_us")->reals[0] == Approx(0.100));
  CHECK(table.Find("change_time_us")->reals[0] == Approx(0.060));
  CHECK(table.Find("change_time_us_pct")->reals[0] == Approx(150));
  CHECK(table.Find("launches")->reals[0] == 2);
  CHECK(report.Find("base_total_time_us")->real == Approx(0.044));  // with 4 ns of x
  CHECK(report.Find("total_time_us")->real == Approx(0.104));
}

TEST_CASE("a profile does not differ from itself in any table") {
  const StorePtr store = TwoSteps(20, "x");
  for (const std::string_view view : ComparedTableViews()) {
    INFO(view);
    const Report report = DiffOf(store, store, Viewing(std::string(view)));
    for (const Table& table : report.tables) {
      if (table.name != "step") CHECK(table.rows == 0);
    }
  }
}

TEST_CASE("diff compares two steps of one profile") {
  const StorePtr store = TwoSteps(20, "x");
  Query query = Viewing("kernels");
  query.place.step = 0;
  query.diff.with_step = 1;
  const Report report = DiffOf(nullptr, store, query);
  const Table& table = report.tables.at(0);
  REQUIRE(table.rows == 1);
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
    CHECK(report.tables.at(0).rows == 0);
    CHECK(report.Find("unchanged_rows")->integer == 1);
    const auto by_runs = [](const Note& note) {
      return note.what.Text().find("2 of the base, 6 of this profile") != std::string::npos;
    };
    CHECK(std::ranges::count_if(report.notes, by_runs) == 1);
  }
}

}  // namespace tfprof
