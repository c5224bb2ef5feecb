// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/store/note_catalogue.h"
#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof::compile_test {
namespace {

constexpr int64_t kUs = 1'000'000;

TestEvent At(const std::string& name, int64_t start_us, int64_t us, TestDetails details = {}) {
  return {name, start_us * kUs, us * kUs, std::move(details)};
}

// f is compiled in two of three calls, traced visibly in one; fit is traced in one of two.
Report Compiling(const Query& query = {}) {
  const StorePtr store = TraceOf(
      {{.lanes = {{"main",
                   {At("PjitFunction(f)", 0, 100), At("lower_sharding_computation", 10, 10),
                    At("backend_compile_and_load", 20, 60), At("backend_compile", 30, 40),
                    At("PjitFunction(f)", 200, 10), At("PjitFunction(f)", 300, 100),
                    At("backend_compile_and_load", 310, 80), At("backend_compile", 500, 20),
                    At("fit", 600, 100,
                       {{"function_tracing", "traced-nonXla"}, {"function_traces", int64_t{2}}}),
                    At("tf.function-graph_building", 610, 80),
                    At("fit", 800, 5, {{"function_tracing", "notTraced-nonXla"}})}}}}});
  Context context;
  return Compile(store, Indexes(store), query, context).value();
}

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string_view>;

}  // namespace

TEST_CASE("compile: functions with their calls, longest first") {
  const Report report = Compiling();
  const Table& table = report.tables.at(0);
  CHECK(table.Find("function")->texts == Texts{"f", "fit", {}});
  CHECK(table.Find("function")->texts[2].data() == nullptr);
  CHECK(table.Find("runs")->integers == Numbers{3, 2, kNoInt});
  CHECK(table.Find("traces")->integers == Numbers{1, 1, 0});
  CHECK(table.Find("compiles")->integers == Numbers{2, 0, 1});
  CHECK(table.Find("tracing_us")->integers == Numbers{10 * kUs, 80 * kUs, kNoInt});
  CHECK(table.Find("lowering_us")->integers == Numbers{10 * kUs, kNoInt, kNoInt});
  CHECK(table.Find("compiling_us")->integers == Numbers{140 * kUs, kNoInt, 20 * kUs});
  CHECK(table.Find("time_us")->integers == Numbers{160 * kUs, 80 * kUs, 20 * kUs});
  CHECK(table.Find("share_pct")->reals[0] == Approx(160.0 / 260));
}

TEST_CASE("compile: the calls that traced or compiled, by start") {
  const Report report = Compiling();
  const Table& table = report.tables.at(1);
  CHECK(table.Find("function")->texts == Texts{"f", "f", {}, "fit"});
  CHECK(table.Find("start_us")->integers == Numbers{0, 300 * kUs, 500 * kUs, 600 * kUs});
  CHECK(table.Find("compiling_us")->integers == Numbers{60 * kUs, 80 * kUs, 20 * kUs, kNoInt});
  CHECK(table.Find("traces")->integers == Numbers{kNoInt, kNoInt, kNoInt, 2});
}

TEST_CASE("compile: a trace in which nothing was compiled says so") {
  const StorePtr store = TraceOf({{.lanes = {{"main", {At("PjitFunction(f)", 0, 100)}}}}});
  Context context;
  const Report report = Compile(store, Indexes(store), {}, context).value();
  CHECK(report.tables.at(0).rows == 0);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].what.row == &note::no_compilations);
}

}  // namespace tfprof::compile_test
