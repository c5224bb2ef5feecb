// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "loaders/open.h"
#include "tests/support/xspace_facts.h"

// What testdata/xspace/gpu_train.py wrote beside names and times.

namespace tfprof {
namespace {

StorePtr Training() {
  Context context;
  return Load({{"testdata/xspace/gpu_train.xplane.pb", ""}}, context).value();
}

}  // namespace

TEST_CASE("our names of keys, and what they take out of texts") {
  const StorePtr store = Training();
  const ProcessId gpu(1);
  const auto count = [&](const char* key, const std::string& value) {
    const std::vector<std::string> values = ValuesOf(*store, gpu, key);
    return std::count(values.begin(), values.end(), value);
  };
  REQUIRE(count("registers", "122u") == 4);
  REQUIRE(count("shmem_bytes", "20480u") == 4);
  REQUIRE(count("grid", "'16,4,1'") == 4);
  REQUIRE(count("block", "'1024,1,1'") == 4);
  REQUIRE(count("occupancy_pct", "31.25r") == 4);
  REQUIRE(count("copy_bytes", "1048576u") == 4);
  REQUIRE(count("copy_from", "'pageable'") == 4);
  REQUIRE(count("copy_to", "'device'") == 4);
  REQUIRE(count("work", "0") == 20);
  REQUIRE(count("work", "1") == 8);
  REQUIRE(count("op", "'model/dense/MatMul:MatMul'") == 4);
  REQUIRE(ValuesOf(*store, gpu, "no such key").empty());
  REQUIRE(ValuesOf(*store, ProcessId(0), "allocator") ==
          std::vector<std::string>(4, "'GPU_0_bfc'"));
  // Launches of a host thread have garbage there: what is malformed is absent.
  REQUIRE(ValuesOf(*store, ProcessId(0), "grid").empty());
}

TEST_CASE("what a device says of itself") {
  const StorePtr store = Training();
  REQUIRE(store->devices.size() == 3);
  const Device& gpu = store->devices[1];
  REQUIRE(gpu.kind == DeviceKind::gpu);
  REQUIRE(gpu.ordinal == 1);
  REQUIRE(store->Text(gpu.model) == "Made-up V100");
  REQUIRE(gpu.cores == 80);
  REQUIRE(gpu.clock_khz == 1'530'000);
  REQUIRE(gpu.capability_major == 7);
  REQUIRE(store->devices[2].cores == kNoInt);
  const Lane& steps = store->lanes[store->processes[1].lanes.first + 2];
  REQUIRE(steps.derived);
  REQUIRE(steps.role == LaneRole::steps);
  REQUIRE(steps.measures == Measures::nothing);
}

TEST_CASE("details of one event, a label and a plane") {
  const StorePtr store = Training();
  const Lane& stream = store->lanes[store->processes[1].lanes.first];
  const auto details = DetailsOf(*store, EventId(stream.rows.first)).value();
  REQUIRE(details.size() == 6);
  REQUIRE(details[0].key == "correlation_id");
  REQUIRE(details[3].text == "model/dense/MatMul:MatMul");
  REQUIRE(DetailsOf(*store, ProcessId(1)).value().size() == 8);
  REQUIRE(DetailsOf(*store, LabelId(0)).value().empty());
}

}  // namespace tfprof
