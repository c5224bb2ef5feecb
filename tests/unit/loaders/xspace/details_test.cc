// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "loaders/open.h"
#include "loaders/xspace/values.h"
#include "tests/support/facts/xspace_facts.h"

// What testdata/xspace/gpu_train.py wrote beside names and times.

namespace tfprof::xspace_details_test {
namespace {

StorePtr Training() {
  Context context;
  return Load({{"testdata/xspace/gpu_train.xplane.pb", ""}}, context).value();
}

std::string Varint(uint64_t value) { return std::string(1, static_cast<char>(value)); }

}  // namespace

TEST_CASE("key names are mapped, and keys extract values from texts") {
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

TEST_CASE("a stat whose bytes changed since it was found is read no further than its line") {
  const xspace::StatNames names({});
  xspace::OwnTexts own;
  xspace::Texts texts(names, &own);
  const std::string stat = Varint(4) + "\x08\x01\x18\x07";
  for (const std::string& bytes : {std::string(20, '\xFF'), "\xFF\xFF\xFF\xFF\x0F" + stat,
                                   "\x7F" + stat, std::string("\x05\x08\x01\x2A\x7Fx", 6)}) {
    const std::string padded = bytes + std::string(SourceFile::kPadding, '\x5A');
    const char* const end = padded.data() + bytes.size();
    REQUIRE(xspace::ValueOf(padded.data(), end, &texts).kind == ValueKind::absent);
  }
  const std::string padded = stat + std::string(SourceFile::kPadding, '\0');
  REQUIRE(xspace::ValueOf(padded.data(), padded.data() + stat.size(), &texts).bits == 7);
}

TEST_CASE("device properties are read") {
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

TEST_CASE("details of one event, a label and a plane are read") {
  const StorePtr store = Training();
  const Lane& stream = store->lanes[store->processes[1].lanes.first];
  const auto details = DetailsOf(*store, EventId(stream.rows.first)).value();
  REQUIRE(details.size() == 6);
  REQUIRE(details[0].key == "correlation_id");
  REQUIRE(details[3].text == "model/dense/MatMul:MatMul");
  REQUIRE(DetailsOf(*store, ProcessId(1)).value().size() == 8);
  REQUIRE(DetailsOf(*store, LabelId(0)).value().empty());
}

}  // namespace tfprof::xspace_details_test
