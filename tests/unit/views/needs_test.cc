// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "loaders/open.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/answer.h"
#include "views/view.h"

namespace tfprof::needs_test {
namespace {

std::string LacksFor(std::string_view view, const StorePtr& store) {
  return std::string(Lacks(*FindView(view), *store));
}

}  // namespace

TEST_CASE("a view lacks what a profile does not have") {
  const StorePtr profile = StoreOf({{.name = "a"}}, {{.node = "a"}});
  CHECK(LacksFor("kernels", profile) == "needs a trace");
  CHECK(LacksFor("overview", profile) == "needs a trace");
  CHECK(LacksFor("op", profile).empty());
  CHECK(LacksFor("memory", profile).empty());
  CHECK(LacksFor("transfers", profile) == "needs a trace");

  StoreBuilder builder;
  builder.SetEpoch(0);
  AddTestRun({.node = "x", .device = "/gpu:0/memcpy"}, builder);
  builder.AddCopy({.event = EventId(0)});
  CHECK(LacksFor("transfers", builder.Finish().value()).empty());

  const StorePtr host = TraceOf({{.name = "/host:CPU", .lanes = {{.events = {{"f", 0, 5}}}}}});
  CHECK(LacksFor("overview", host).empty());
  CHECK(LacksFor("kernels", host) == "no GPU was recorded");
  CHECK(LacksFor("transfers", host) == "no device was recorded");
  CHECK(LacksFor("hlo", host).empty());

  const StorePtr gpu =
      TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {TestKernel("k", 0, 5, "a:A")}}}}});
  CHECK(LacksFor("kernels", gpu).empty());
  CHECK(LacksFor("utilization", gpu).empty());
}

TEST_CASE("a view that lacks something has no rows, and says so") {
  for (const char* path :
       {"testdata/tensorflow/convnet/profile.pb", "testdata/xspace/gpu_train.xplane.pb",
        "testdata/xspace/xla_train.xplane.pb", "testdata/xspace/allocations.xplane.pb",
        "testdata/xspace/tpu_offload.xplane.pb", "testdata/xspace/jax_loop.xplane.pb",
        "testdata/xspace/python_calls.xplane.pb"}) {
    Context context;
    Result<StorePtr> store = Load({{path, ""}}, context);
    REQUIRE(store);
    const Profile profile(std::move(*store));
    for (const View& view : Views()) {
      if (Lacks(view, *profile.store).empty()) continue;
      INFO(path << " " << view.name);
      const Result<Report> report = Answer(profile, view, {}, context);
      REQUIRE(report);
      CHECK(report->tables[0].rows == 0);
      CHECK_FALSE(report->notes.empty());
    }
  }
}

}  // namespace tfprof::needs_test
