// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/observation.h"

#include <catch2/catch.hpp>

#include "analysis/steps/step_table.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::observation_test {
namespace {

TestEvent Kernel(int64_t start_ps, int64_t ps, int64_t group) {
  return {"k", start_ps, ps, {{"group", group}, {"correlation", start_ps}}};
}

// A GPU with steps 0 to 100, 1000 to 1200, 2000 to 2400: busy for 30 + 40, 50, 400.
StorePtr ThreeSteps() {
  return TraceOf({{.name = "/device:GPU:0",
                   .lanes = {{.events = {Kernel(0, 30, 0), Kernel(60, 40, 0), Kernel(1000, 50, 1),
                                         Kernel(1200, 0, 1), Kernel(2000, 400, 2)}}}}});
}

StepRow Step(uint32_t host, int64_t start_ps, int64_t end_ps) {
  StepRow step;
  step.host = HostId(host);
  step.start_ps = start_ps;
  step.end_ps = end_ps;
  return step;
}

std::vector<int64_t> Starts(const std::vector<StepRow>& steps) {
  std::vector<int64_t> starts;
  for (const StepRow& step : steps) starts.push_back(step.start_ps);
  return starts;
}

}  // namespace

TEST_CASE(
    "an observation has the wall times of the steps in their order, their median, and the busy "
    "share") {
  const StorePtr store = ThreeSteps();
  Context context;
  const Observation observed = Observe(store, Indexes(store), nullptr, context).value();
  CHECK(observed.steps == 3);
  CHECK(observed.spans_ps == std::vector<int64_t>{1000, 1000, 400});
  CHECK(observed.step_ps == 1000);
  CHECK(observed.busy_pct == Approx(100.0 * (70 + 50 + 400) / 700));
  CHECK(observed.memory_bytes == kNoInt);
  CHECK(observed.first_step == 0);
  CHECK(observed.last_step == 2);
  CHECK(observed.sees_all);
}

TEST_CASE("a profile without steps has none, not steps of 0") {
  const StorePtr store = TraceOf({{.name = "/host:CPU"}});
  Context context;
  const Observation observed = Observe(store, Indexes(store), nullptr, context).value();
  CHECK(observed.steps == 0);
  CHECK(observed.step_ps == kNoInt);
  CHECK(std::isnan(observed.busy_pct));
}

TEST_CASE("steps are told apart by their wall time: a profile of the end begins anew") {
  const StorePtr store = ThreeSteps();
  Store later = *store;
  later.epoch_ns += 3;
  SeenSteps seen;
  std::vector<StepRow> steps = {Step(0, 0, 2000), Step(0, 2000, 4000)};
  CHECK_FALSE(seen.KeepNew(*store, &steps));
  steps = {Step(0, 0, 1000), Step(0, 1000, 2000), Step(0, 2000, 3000)};
  CHECK(seen.KeepNew(later, &steps));
  CHECK(Starts(steps) == std::vector<int64_t>{1000, 2000});
}

TEST_CASE("of a recording that grows, steps count once, on each host by itself") {
  const StorePtr store = ThreeSteps();
  SeenSteps seen;
  std::vector<StepRow> steps = {Step(0, 0, 10), Step(0, 10, 20), Step(1, 0, 15)};
  CHECK_FALSE(seen.KeepNew(*store, &steps));
  CHECK(steps.size() == 3);
  steps = {Step(0, 0, 10), Step(0, 10, 20), Step(0, 20, 30), Step(1, 0, 15), Step(1, 15, 40)};
  CHECK(seen.KeepNew(*store, &steps));
  CHECK(Starts(steps) == std::vector<int64_t>{20, 15});
  steps = {Step(0, 0, 10), Step(0, 10, 20), Step(0, 20, 30), Step(1, 0, 15), Step(1, 15, 40)};
  CHECK(seen.KeepNew(*store, &steps));
  CHECK(steps.empty());
  // It was written anew, with other times.
  steps = {Step(0, 0, 10)};
  CHECK_FALSE(seen.KeepNew(*store, &steps));
  CHECK(steps.size() == 1);
  steps = {Step(0, 0, 10), Step(0, 10, 12)};
  CHECK(seen.KeepNew(*store, &steps));
  CHECK(Starts(steps) == std::vector<int64_t>{10});
}

}  // namespace tfprof::observation_test
