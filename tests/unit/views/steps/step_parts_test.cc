// SPDX-License-Identifier: Apache-2.0
#include "views/steps/parts.h"

#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof::step_parts_test {
namespace {

TestDetails Kernel(int64_t correlation) {
  return {{"group", int64_t{1}}, {"correlation", correlation}, {"shape", "block_x:1"}};
}

}  // namespace

TEST_CASE("parts of a step that are 0 are droppable, others are not") {
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0",
                .lanes = {{.events = {{"k", 0, 60, Kernel(1)}, {"k", 80, 20, Kernel(2)}},
                           .role = LaneRole::stream}}}});
  Context context;
  const Indexes indexes(store);
  for (const auto& [report, other, copies] :
       {std::tuple{Pod(store, indexes, {}, context).value(), "other_us", "device_to_device_us"},
        {Overview(store, indexes, {}, context).value(), "otherTimeMs", "deviceToDeviceTimeMs"}}) {
    const Table& table = report.tables.size() == 1 ? report.tables[0] : report.tables[1];
    REQUIRE(table.rows == 1);
    CHECK(table.Find(other)->Integer(0) == 20);
    CHECK_FALSE(table.Find(other)->spec.droppable);
    CHECK(table.Find(copies)->spec.droppable);
  }
}

}  // namespace tfprof::step_parts_test
