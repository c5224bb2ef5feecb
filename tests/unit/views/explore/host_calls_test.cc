// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/views/advice/advise_wall_cases.h"
#include "views/views.h"

namespace tfprof::host_calls_test {
namespace {

// Six steps of 1000 us: load_batch takes 500 of them, 400 in time.sleep; then a region of 100 us.
StorePtr Loading() {
  return LoopOf([](LoopStep* step) {
    step->Main("$loop.py:3 load_batch", 0, 500);
    step->Main("$time sleep", 50, 400);
    step->Main("validation", 500, 100);
    step->Compute(600, 400);
  });
}

Query About(std::string name) {
  Query query;
  query.subject = std::move(name);
  return query;
}

}  // namespace

TEST_CASE("find lists functions of Python and regions of a trace") {
  Context context;
  const StorePtr store = Loading();
  const Indexes indexes(store);
  const Report report = Find(store, indexes, About("LOAD"), context).value();
  const Table& table = report.tables[0];
  REQUIRE(table.rows == 1);
  CHECK(table.Find("name")->texts[0] == "load_batch");
  CHECK(table.Find("kind")->texts[0] == "Python function");
  CHECK(table.Find("nodes")->Integer(0) == kNoInt);
  const Report region = Find(store, indexes, About("valid"), context).value();
  REQUIRE(region.tables[0].rows == 1);
  CHECK(region.tables[0].Find("kind")->texts[0] == "host region");
}

TEST_CASE("why explains a function of Python by its calls and by the time devices are idle in it") {
  Context context;
  const StorePtr store = Loading();
  const Indexes indexes(store);
  const Report report = Why(store, indexes, About("load_batch"), context).value();
  const auto& texts = report.tables[0].Find("text")->texts;
  REQUIRE(report.tables[0].rows == 4);
  CHECK(texts[0] == "6 calls: 3.00 ms in all, 500 us each");
  CHECK(texts[1] == "the device is idle in it for 50.0% of step time: 500 us a step");
  CHECK(texts[2] == "80.0% of that in time.sleep");
  CHECK(texts[3] == "20.0% of that in its own code");
  CHECK_FALSE(Why(store, indexes, About("load_nothing"), context).has_value());
}

}  // namespace tfprof::host_calls_test
