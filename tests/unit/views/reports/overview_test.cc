// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"

namespace tfprof::overview_test {
namespace {

constexpr int64_t kUs = 1'000'000;

Report OverviewOf(const StorePtr& store, const Query& query = {}) {
  Context context;
  return Overview(store, Indexes(store), query, context).value();
}

}  // namespace

TEST_CASE("the eager share is of the self time of all hosts") {
  const Report report = OverviewOf(
      TraceOf({{.lanes = {{.name = "main",
                           .events = {{"a/MatMul:MatMul", 0, 90 * kUs},
                                      {"b/Add:Add", 100 * kUs, 30 * kUs, {{"eager", 1}}}}}}}}));
  CHECK(report.Find("host_op_time_eager_pct")->real == Approx(25));
}

TEST_CASE("shares of top operations are of all devices' self time, and add up to the total") {
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0",
                .lanes = {{.events = {TestKernel("k1", 0, 600, "a/MatMul:MatMul"),
                                      TestKernel("k2", 700, 300, "b/Add:Add"),
                                      TestKernel("k3", 1100, 100, "c/Sum:Sum")}}}}});
  const Report report = OverviewOf(store);
  const Table& top = report.tables.at(0);
  REQUIRE(top.rows == 3);
  const auto near = [&](std::string_view id, std::vector<double> wanted) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      CHECK(top.Find(id)->reals[i] == Approx(wanted[i]));
    }
  };
  near("share_pct", {0.6, 0.3, 0.1});
  near("cumulative_pct", {0.6, 0.9, 1.0});
}

}  // namespace tfprof::overview_test
