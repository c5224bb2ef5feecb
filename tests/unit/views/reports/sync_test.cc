// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"

namespace tfprof::sync_test {
namespace {

Report SyncOf(const std::vector<TestProcess>& processes, const Query& query = {}) {
  const StorePtr store = TraceOf(processes);
  Context context;
  return Sync(store, Indexes(store), query, context).value();
}

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string_view>;

}  // namespace

TEST_CASE("nested waits count once: for the innermost call, and per thread") {
  const Report report = SyncOf({{.lanes = {{"main",
                                            {{"work", 0, 200},
                                             {"block_until_ready", 10, 50},
                                             {"cuStreamSynchronize", 20, 30},
                                             {"cuStreamSynchronize", 25, 10},
                                             {"cuStreamSynchronize", 100, 40}}}}}});
  const Table& sync = report.tables[0];
  REQUIRE(sync.Find("call")->texts == Texts{"cuStreamSynchronize", "block_until_ready"});
  REQUIRE(sync.Find("count")->integers == Numbers{3, 1});
  // block_until_ready itself: 10 to 20 and 50 to 60.
  REQUIRE(sync.Find("time_us")->integers == Numbers{70, 20});
  REQUIRE(sync.Find("inclusive_us")->integers == Numbers{70, 50});
  REQUIRE(sync.Find("longest_us")->integers == Numbers{40, 50});
  REQUIRE(sync.Find("share")->reals[0] == Approx(0.35));
  REQUIRE(sync.Find("share")->reals[1] == Approx(0.1));
  const Table& lines = report.tables[1];
  REQUIRE(lines.Find("waiting_us")->integers == Numbers{90});
  REQUIRE(lines.Find("count")->integers == Numbers{4});
}

TEST_CASE("partly overlapping waits count as their union") {
  const Report report = SyncOf({{.lanes = {{"main",
                                            {{"cuStreamSynchronize", 0, 50},
                                             {"cuStreamSynchronize", 30, 40},
                                             {"cuStreamSynchronize", 70, 10},
                                             {"cuStreamSynchronize", 100, 5}}}}}});
  CHECK(report.tables[0].Find("time_us")->integers == Numbers{85});
  CHECK(report.tables[1].Find("waiting_us")->integers == Numbers{85});
}

TEST_CASE("threads are separate, streams are included, derived lanes are not") {
  const Report report =
      SyncOf({{.lanes = {{"a", {{"SyncAllActivity", 0, 5}}}, {"b", {{"SyncAllActivity", 0, 7}}}}},
              {.name = "/device:GPU:0",
               .lanes = {{"s", {{"Stream Wait Event", 0, 9}}},
                         {"Steps", {{"Event Sync", 0, 9}}, LaneRole::steps, true}}}});
  REQUIRE(report.tables[0].Find("line")->texts == Texts{"s", "b", "a"});
  REQUIRE(report.tables[1].rows == 3);
}

TEST_CASE("without waits the view explains how to record them") {
  const Report report =
      SyncOf({{.lanes = {{"a", {{"work", 0, 5}, {"cuStreamSynchronize", kNoTime, 5}}}}}});
  REQUIRE(report.tables[0].rows == 0);
  REQUIRE(report.notes.size() == 1);
}

}  // namespace tfprof::sync_test
