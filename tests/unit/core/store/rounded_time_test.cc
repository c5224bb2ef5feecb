// SPDX-License-Identifier: Apache-2.0
#include "core/store/rounded_time.h"

#include <catch2/catch.hpp>

#include "core/store/builder.h"
#include "loaders/tensorflow/device_lane.h"

namespace tfprof::rounded_time_test {
namespace {

// One execution; times in ns.
StorePtr OneExecution(int64_t start_ns, int64_t ns, bool has_nanoseconds) {
  StoreBuilder builder;
  if (has_nanoseconds) builder.SetNanoseconds();
  const LabelId label = builder.AddLabel(builder.Name("op"), NodeId());
  builder.BeginRows(AddDeviceLane("/cpu:0", builder), builder.AddStep(0));
  builder.AddEvent(start_ns * kPsPerNs, ns * kPsPerNs, label, 0);
  return builder.Finish().value();
}

}  // namespace

TEST_CASE("the original's length is from one rounded end to the other") {
  const auto length_us = [](int64_t start_ns, int64_t ns) {
    return RoundedLength(*OneExecution(start_ns, ns, true), 0) / kPsPerUs;
  };
  CHECK(length_us(1900, 1200) == 2);  // from 1.9 to 3.1
  CHECK(length_us(1000, 1200) == 1);  // from 1.0 to 2.2
  CHECK(length_us(1100, 800) == 0);   // from 1.1 to 1.9
  CHECK(length_us(-200, 400) == 1);   // from -0.2 to 0.2, before the first whole one
  CHECK(RoundedLength(*OneExecution(1900, 1200, false), 0) == 1200 * kPsPerNs);
}

TEST_CASE("no execution of the original is shorter than the resolution of its lane") {
  const StorePtr store = OneExecution(1100, 800, true);
  Lane lane;
  lane.tick_ps = kPsPerUs;
  CHECK(RoundedStart(*store, 0) == kPsPerUs);
  CHECK(RoundedDuration(*store, lane, 0) == kPsPerUs);
}

}  // namespace tfprof::rounded_time_test
