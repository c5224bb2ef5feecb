// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/contention.h"

#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"

namespace tfprof::contention_test {
namespace {

constexpr int64_t kWallNs = 1'700'000'000'000'000'000;

UsedDevice Use(const std::string& host, int64_t start_ps, int64_t end_ps,
               std::vector<Interval> busy) {
  return {host, "/device:GPU:0", {start_ps, end_ps}, std::move(busy)};
}

StorePtr Gpu(int64_t epoch_ns) {
  const auto kernel = [](int64_t start_ps, int64_t group) {
    return TestEvent{"k", start_ps, 30'000, {{"group", group}, {"correlation", start_ps}}};
  };
  return TraceOf(
      {{.name = "/device:GPU:0", .lanes = {{.events = {kernel(0, 0), kernel(70'000, 0)}}}}},
      [&](StoreBuilder& builder, SourceId) { builder.SetEpoch(epoch_ns); });
}

}  // namespace

TEST_CASE("a job waits where its device is idle and another job's is busy") {
  // The first is idle from 10 to 50 and from 60 to 100, the second busy from 30 to 70.
  const std::vector<std::vector<UsedDevice>> jobs = {{Use("a", 0, 100, {{0, 10}, {50, 60}})},
                                                     {Use("a", 30, 90, {{30, 70}})}};
  const std::vector<Contention> found = ContentionOf(jobs);
  CHECK(found[0].waits_ps == (50 - 30) + (70 - 60));
  CHECK(found[0].other == std::vector<size_t>{1});
  CHECK(found[0].devices == 1);
  // The second is idle from 70 to 90, when the first one is not busy.
  CHECK(found[1].waits_ps == 0);
  CHECK(found[1].other == std::vector<size_t>{0});
}

TEST_CASE("time in which several others are busy counts once") {
  const std::vector<std::vector<UsedDevice>> jobs = {{Use("a", 0, 100, {{0, 10}})},
                                                     {Use("a", 0, 100, {{20, 50}})},
                                                     {Use("a", 0, 100, {{40, 60}})}};
  const std::vector<Contention> found = ContentionOf(jobs);
  CHECK(found[0].waits_ps == 60 - 20);
  CHECK(found[0].other == std::vector<size_t>{1, 2});
}

TEST_CASE("devices of other hosts, and work outside of the window, do not matter") {
  const std::vector<std::vector<UsedDevice>> jobs = {{Use("a", 100, 200, {{100, 110}})},
                                                     {Use("b", 0, 300, {{0, 300}})},
                                                     {Use("a", 0, 100, {{0, 100}})}};
  const std::vector<Contention> found = ContentionOf(jobs);
  CHECK(found[0].waits_ps == 0);
  CHECK(found[0].other.empty());
  CHECK(found[0].devices == 0);
}

TEST_CASE("times of jobs are on one clock") {
  const StorePtr store = Gpu(kWallNs);
  Context context;
  const auto use = UseOf(*store, Indexes(store), kWallNs - 5, context).value();
  REQUIRE(use.size() == 1);
  CHECK(use[0].host == "host");
  CHECK(use[0].device == "/device:GPU:0");
  CHECK(use[0].busy == std::vector<Interval>{{5'000, 35'000}, {75'000, 105'000}});
}

TEST_CASE("the machine of a process is that of its own trace") {
  const auto kernel = [](int64_t start_ps) {
    return TestEvent{"k", start_ps, 30'000, {{"group", int64_t{0}}, {"correlation", start_ps}}};
  };
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0",
                .lanes = {{.events = {kernel(0), kernel(70'000)}}},
                .host = "rank 1"}},
              [&](StoreBuilder& builder, SourceId source) {
                builder.SetEpoch(kWallNs);
                builder.source(source).path = "run/rank 1.json";
                Capture capture;
                capture.processes = {{.host = "other", .trace = "run/rank 10.json"},
                                     {.host = "own", .trace = "run/rank 1.json"}};
                builder.SetCapture(capture);
              });
  Context context;
  const auto use = UseOf(*store, Indexes(store), kWallNs, context).value();
  REQUIRE(use.size() == 1);
  CHECK(use[0].host == "own");
}

TEST_CASE("times that count from the start of a recording are on the clock of its machine") {
  const auto kernel = [](int64_t start_ps) {
    return TestEvent{"k", start_ps, 30'000, {{"group", int64_t{0}}, {"correlation", start_ps}}};
  };
  const StorePtr store = TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {kernel(0)}}}}},
                                 [&](StoreBuilder& builder, SourceId source) {
                                   builder.SetEpoch(3);
                                   builder.source(source).machine = "node7";
                                   builder.source(source).began_ns = kWallNs;
                                 });
  Context context;
  CHECK(WallTimeOf(*store, SourceId(0)) == kWallNs + 3);
  const auto use = UseOf(*store, Indexes(store), kWallNs, context).value();
  REQUIRE(use.size() == 1);
  CHECK(use[0].host == "node7");
  CHECK(use[0].busy == std::vector<Interval>{{3'000, 33'000}});
}

TEST_CASE("without wall time nothing is known") {
  const StorePtr store = Gpu(0);
  Context context;
  CHECK(WallTimeOf(*store, SourceId(0)) == kNoInt);
  CHECK(UseOf(*store, Indexes(store), kWallNs, context).value().empty());
}

}  // namespace tfprof::contention_test
