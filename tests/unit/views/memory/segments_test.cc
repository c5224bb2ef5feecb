// SPDX-License-Identifier: Apache-2.0
#include "views/memory/segments.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/builder.h"

namespace tfprof::segments_test {
namespace {

Report Segments(const PlaceFilter& place) {
  StoreBuilder builder;
  const HostId host = builder.AddHost(builder.Name("host"));
  const auto add = [&](std::string_view device, std::string_view pool, int64_t bytes, int64_t held,
                       int64_t largest_free) {
    builder.AddSegment({.host = host,
                        .allocator = builder.Name(device),
                        .pool = builder.Name(pool),
                        .stream = 0,
                        .bytes = bytes,
                        .held_bytes = held,
                        .free_bytes = bytes - held,
                        .largest_free_bytes = largest_free});
  };
  add("GPU:0", "large", 100, 60, 30);
  add("GPU:0", "large", 50, 0, 50);
  add("GPU:0", "small", 2, 1, 1);
  add("GPU:1", "large", 400, 400, 0);
  const StorePtr store = builder.Finish().value();
  Report report;
  report.store = store;
  AddSegments(*store, place, &report);
  return report;
}

}  // namespace

TEST_CASE("free memory is fragmented where the segment is partly held, else empty") {
  const Report report = Segments({});
  REQUIRE(report.tables.size() == 1);
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 3);  // the largest first
  const auto of = [&](std::string_view id) { return table.Find(id)->integers; };
  using Bytes = std::vector<int64_t>;
  CHECK(table.Find("allocator")->texts[0] == "GPU:1");
  CHECK(of("segments") == Bytes{1, 2, 1});
  CHECK(of("segment_bytes") == Bytes{400, 150, 2});
  CHECK(of("held_bytes") == Bytes{400, 60, 1});
  CHECK(of("fragmented_bytes") == Bytes{0, 40, 1});
  CHECK(of("empty_bytes") == Bytes{0, 50, 0});
  CHECK(of("largest_free_bytes") == Bytes{0, 50, 1});
}

TEST_CASE("-device selects segments, and none of another host are shown") {
  PlaceFilter place;
  place.device = "GPU:0";
  REQUIRE(Segments(place).tables[0].rows == 2);
  place.device = "";
  place.host = "other";
  REQUIRE(Segments(place).tables.empty());
}

}  // namespace tfprof::segments_test
