// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/duty_cycle.h"

#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "analysis/ops/async_done.h"
#include "tests/support/trace_of.h"

namespace tfprof::duty_cycle_test {
namespace {

TestProcess TpuThatIsBusy(int number, std::string host, int64_t busy_ps) {
  return {.name = "/device:TPU:" + std::to_string(number),
          .lanes = {{.name = "XLA Modules", .events = {{"m", 0, 100}}, .role = LaneRole::modules},
                    {.name = "XLA Ops", .events = {{"dot", 0, busy_ps}}, .role = LaneRole::ops}},
          .host = std::move(host),
          .device = DeviceKind::tpu};
}

}  // namespace

TEST_CASE("the duty cycle covers the selected devices and hosts") {
  const StorePtr store =
      TraceOf({TpuThatIsBusy(0, "a", 90), TpuThatIsBusy(1, "a", 40), TpuThatIsBusy(2, "b", 20)});
  const Indexes indexes(store);
  Context context;
  const auto percent = [&](const std::string& device, const std::string& host) {
    const PlaceFilter place{.host = host, .device = device};
    return DutyCycleOf(*store, indexes, place, context).value().percent;
  };
  CHECK(percent("", "") == Approx(50));
  CHECK(percent("TPU:1", "") == Approx(40));
  CHECK(percent("", "a") == Approx(65));
  CHECK(percent("", "b") == Approx(20));
}

TEST_CASE("an async-done instruction is detected by its category or by its name") {
  CHECK(IsAsyncDone("copy-done", "fusion.3"));
  CHECK(IsAsyncDone("", "copy-done.4"));
  CHECK(IsAsyncDone("async-done", "slice"));
  CHECK_FALSE(IsAsyncDone("copy-start", "copy-start.4"));
  CHECK_FALSE(IsAsyncDone("loop fusion", "fusion.3"));
}

}  // namespace tfprof::duty_cycle_test
