// SPDX-License-Identifier: Apache-2.0
#include "analysis/categories/device_work.h"

#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "tests/support/kineto_of.h"

namespace tfprof::device_work_test {
namespace {

// The name of the operation that the only kernel is credited to.
std::string_view OpOf(const StorePtr& store) {
  Context context;
  const Indexes indexes(store);
  const auto work = indexes.Get<LaunchedWork>(context).value();
  REQUIRE(work->events.size() == 1);
  REQUIRE(work->events[0].op.some());
  return store->Text(store->labels[store->events.label[work->events[0].op.value].value].name);
}

}  // namespace

TEST_CASE("a kernel is credited to the innermost operation, whatever regions are in it") {
  const auto launched_in = [](const std::vector<KinetoEvent>& around) {
    std::vector<KinetoEvent> events = around;
    events.push_back({"cuda_runtime", "cudaLaunchKernel", 30, 5, 1, R"("correlation": 4)"});
    events.push_back({"kernel", "gemm", 50, 10, 7, R"("correlation": 4)"});
    return KinetoOf(events);
  };
  CHECK(OpOf(launched_in({{"cpu_op", "outer", 0, 90},
                          {"cpu_op", "inner", 10, 70},
                          {"user_annotation", "region", 20, 50}})) == "inner");
  CHECK(OpOf(launched_in({{"user_annotation", "outer", 0, 90},
                          {"user_annotation", "inner", 10, 70}})) == "inner");
}

}  // namespace tfprof::device_work_test
