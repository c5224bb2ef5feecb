// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/grouping/group_by_times.h"

#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "analysis/steps/times.h"
#include "tests/support/kineto_of.h"

namespace tfprof::group_by_times_test {
namespace {

// Two steps; the second kernel of step 5 is launched by another thread and runs in step 6.
StorePtr Training() {
  return KinetoOf({
      {"user_annotation", "ProfilerStep#5", 0, 100},
      {"cuda_runtime", "cudaLaunchKernel", 10, 5, 1, R"("correlation": 1)"},
      {"cuda_runtime", "cudaLaunchKernel", 90, 5, 2, R"("correlation": 2)"},
      {"user_annotation", "ProfilerStep#6", 100, 100},
      {"cuda_runtime", "cudaLaunchKernel", 110, 5, 1, R"("correlation": 3)"},
      {"kernel", "a", 20, 30, 7, R"("correlation": 1, "device": 0, "stream": 7)"},
      {"kernel", "b", 105, 40, 7, R"("correlation": 2, "device": 0, "stream": 7)"},
      {"kernel", "c", 150, 20, 7, R"("correlation": 3, "device": 0, "stream": 7)"},
      {"kernel", "d", 180, 5, 7, R"("device": 0, "stream": 7)"},
      {"gpu_user_annotation", "ProfilerStep#5", 20, 30, 7, R"("device": 0, "stream": 7)"},
  });
}

int64_t StepOf(const Store& store, const EventGroups& groups, std::string_view name) {
  for (uint32_t row = 0; row < store.EventCount(); ++row) {
    if (store.Text(store.labels[store.events.label[row].value].name) != name) continue;
    const uint32_t group = groups.of_event[row];
    return group == EventGroups::kNone ? kNoInt : groups.groups[group].number;
  }
  return kNoInt;
}

}  // namespace

TEST_CASE("marked times: device work belongs to the step in which it was launched") {
  const StorePtr store = Training();
  const Indexes indexes(store);
  Context context;
  const auto groups = indexes.Get<EventGroups>(context).value();
  REQUIRE(groups->groups.size() == 2);
  CHECK(groups->groups[0].number == 5);
  CHECK(groups->groups[1].number == 6);
  CHECK(StepOf(*store, *groups, "a") == 5);
  CHECK(StepOf(*store, *groups, "b") == 5);
  CHECK(StepOf(*store, *groups, "c") == 6);
  CHECK(StepOf(*store, *groups, "d") == 6);  // without a launch, by its own start
}

TEST_CASE("marked times: a step of a GPU is as long as the marker, or as the device is behind") {
  const StorePtr store = Training();
  const Indexes indexes(store);
  Context context;
  const auto hosts = indexes.Get<AllSteps>(StepBasis::recorded, context).value();
  REQUIRE(hosts->size() == 1);
  const HostSteps& steps = (*hosts)[0];
  CHECK(steps.has_device());
  REQUIRE(steps.steps.size() == 2);
  CHECK(steps.steps[0].number == 5);
  CHECK(steps.steps[0].start_ps == 0);
  CHECK(steps.steps[0].duration_ps == 145'000'000);  // until the end of kernel b
  CHECK(At(steps.steps[0].class_ps, StepClass::compute_32) == 70'000'000);
  CHECK(steps.steps[1].start_ps == 145'000'000);
  CHECK(steps.steps[1].duration_ps == 55'000'000);  // until the end of the marker
  // Kernel d has no launch, so no class counts it.
  CHECK(At(steps.steps[1].class_ps, StepClass::compute_32) == 20'000'000);
}

}  // namespace tfprof::group_by_times_test
