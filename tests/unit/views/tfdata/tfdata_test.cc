// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "analysis/tfdata/pipelines.h"
#include "tests/support/trace_of.h"
#include "views/tfdata/advice.h"

namespace tfprof::tfdata_test {
namespace {

TestEvent Call(const std::string& name, int64_t start_ps, int64_t ps, int64_t id,
               int64_t parent = kNoInt) {
  TestDetails details = {{"iterator", id}};
  if (parent != kNoInt) details["parent_iterator"] = parent;
  return {"Iterator::" + name, start_ps, ps, details};
}

TestEvent Hand(const std::string& name, int64_t start_ps, int64_t ps, int64_t element) {
  return {name, start_ps, ps, {{"element", element}}};
}

Pipelines PipelinesOf(const std::vector<TestLane>& lanes) {
  Context context;
  return Pipelines::Build(*TraceOf({{.lanes = lanes}}), context).value();
}

// "id self blocks calls" of the iterators of a root call.
std::vector<std::string> Work(const Pipelines& found, size_t root) {
  std::vector<std::string> recorded;
  for (uint32_t i = 0; i < found.roots[root].work.count; ++i) {
    const IteratorWork& work = found.work[found.roots[root].work.first + i];
    recorded.push_back(std::to_string(work.iterator.bits) + " self " +
                       std::to_string(work.self_ps) + (work.is_blocking ? " blocks x" : " x") +
                       std::to_string(work.calls));
  }
  return recorded;
}

using Texts = std::vector<std::string>;

int64_t BottleneckOf(const Pipelines& found, size_t root) {
  return found.work.at(found.roots[root].bottleneck).iterator.bits;
}

}  // namespace

TEST_CASE("on one thread, an iterator works for the call around it, with other events between") {
  const Pipelines found = PipelinesOf({{"main",
                                        {Call("Batch", 0, 100, 1),
                                         {"function", 5, 60},
                                         Call("Batch::Map", 10, 20, 2, 1),
                                         Call("Batch::Map", 40, 20, 2, 1)}}});
  REQUIRE(found.pipelines.size() == 1);
  REQUIRE(Work(found, 0) == Texts{"1 self 60 blocks x1", "2 self 40 blocks x2"});
  REQUIRE(BottleneckOf(found, 0) == 1);
}

TEST_CASE("elements made on another thread work for the call that consumes them") {
  const Pipelines found =
      PipelinesOf({{"main",
                    {Call("Root", 0, 100, 1), Call("Root::Prefetch", 10, 80, 2, 1),
                     Hand("PrefetchConsume", 80, 5, 7)}},
                   {"worker",
                    {Hand("PrefetchProduce", 20, 52, 7), Call("Root::Prefetch::Map", 20, 50, 3, 2),
                     Call("Root::Prefetch::Map::Range", 30, 10, 4, 3)}}});
  REQUIRE(Work(found, 0) == Texts{"1 self 20 blocks x1", "2 self 30 blocks x1",
                                  "3 self 40 blocks x1", "4 self 10 blocks x1"});
  REQUIRE(BottleneckOf(found, 0) == 3);
}

TEST_CASE("elements that were ready before the request do not block") {
  const Pipelines found = PipelinesOf(
      {{"main", {Call("Prefetch", 100, 20, 1), Hand("PrefetchConsume", 110, 5, 7)}},
       {"worker", {Hand("PrefetchProduce", 0, 80, 7), Call("Prefetch::Map", 0, 80, 2, 1)}}});
  REQUIRE(Work(found, 0) == Texts{"1 self 20 blocks x1", "2 self 80 x1"});
  REQUIRE(BottleneckOf(found, 0) == 1);
}

TEST_CASE("elements of different iterators may have the same number") {
  const Pipelines found = PipelinesOf(
      {{"a", {Call("Prefetch", 0, 100, 1), Hand("PrefetchConsume", 90, 5, 0)}},
       {"b", {Call("Prefetch", 0, 100, 2), Hand("PrefetchConsume", 90, 5, 0)}},
       {"c", {Hand("PrefetchProduce", 0, 80, 0), Call("Prefetch::Map", 10, 60, 3, 2)}},
       {"d", {Hand("PrefetchProduce", 0, 80, 0), Call("Prefetch::Map", 10, 50, 4, 1)}}});
  REQUIRE(found.pipelines.size() == 2);
  REQUIRE(Work(found, 0) == Texts{"1 self 50 blocks x1", "4 self 50 blocks x1"});
  REQUIRE(Work(found, 1) == Texts{"2 self 40 blocks x1", "3 self 60 blocks x1"});
}

TEST_CASE("a pipeline that feeds a device is recognized by its iterator") {
  const Pipelines found =
      PipelinesOf({{"main",
                    {Call("Prefetch", 0, 100, 1), Call("Prefetch::Generator", 5, 90, 2, 1),
                     Call("Prefetch", 200, 10, 3)}}});
  REQUIRE(found.pipelines[0].is_device);
  REQUIRE(!found.pipelines[1].is_device);
}

TEST_CASE("calls of a root have mean, min, max, slow calls and the slowest one") {
  const int64_t us = kPsPerUs;
  const Pipelines found =
      PipelinesOf({{"main",
                    {Call("Batch", 0, 50 * us, 1), Call("Batch", 100 * us, 51 * us, 1),
                     Call("Batch", 200 * us, 10 * us, 1)}}});
  const Pipeline& pipeline = found.pipelines.at(0);
  REQUIRE(pipeline.roots.count == 3);
  REQUIRE(pipeline.sum_ps == 111 * us);
  REQUIRE(pipeline.min_ps == 10 * us);
  REQUIRE(pipeline.max_ps == 51 * us);
  REQUIRE(pipeline.slow_calls == 1);
  REQUIRE(pipeline.slowest == 1);
}

TEST_CASE("circular, duplicate or missing numbers do no harm") {
  // Its own work, handed to itself; nobody's call; an iterator without a number.
  const Pipelines found = PipelinesOf({{"main",
                                        {Call("Root", 0, 10, 1),
                                         Hand("PrefetchProduce", 100, 50, 7),
                                         Call("Root::Prefetch", 100, 40, 2, 2),
                                         Hand("PrefetchConsume", 110, 5, 7),
                                         {"Iterator::Root", 300, 5},
                                         Call("Root", kNoTime, 5, 1)}}});
  REQUIRE(found.roots.size() == 1);
  REQUIRE(Work(found, 0) == Texts{"1 self 10 blocks x1"});
}

TEST_CASE("a thousand nested events are no deeper than two") {
  TestLane lane{"main", {Call("Root", 0, 10'000, 1)}};
  for (int i = 1; i < 1000; ++i) {
    lane.events.push_back(Hand("PrefetchProduce", i, 10'000 - 2 * i, i));
  }
  lane.events.push_back(Call("Root::Map", 2000, 100, 2, 1));
  REQUIRE(Work(PipelinesOf({lane}), 0) == Texts{"1 self 9900 blocks x1", "2 self 100 blocks x1"});
}

TEST_CASE("the slowest pipeline comes first, with advice; without slow pipelines there is none") {
  const int64_t us = kPsPerUs;
  const StorePtr store =
      TraceOf({{.lanes = {{"main",
                           {Call("Root", 0, 10 * us, 1), Call("Root::Batch", 1 * us, 8 * us, 2, 1),
                            Call("Zip", 100 * us, 90 * us, 3),
                            Call("Zip::Map", 100 * us, 80 * us, 4, 3)}}}}});
  Context context;
  const Report report = TfData(store, Indexes(store), {}, context).value();
  const Table& bottlenecks = report.tables[0];
  REQUIRE(bottlenecks.Find("iterator_name")->texts ==
          std::vector<std::string_view>{"Map", "Batch"});
  const std::vector<std::string_view>& advice = bottlenecks.Find("advice")->texts;
  REQUIRE(advice[0].find("num_parallel_calls") != std::string_view::npos);
  REQUIRE(advice[1].data() == nullptr);
  REQUIRE(report.Find("is_input_bound")->integer == 1);

  const StorePtr none = TraceOf({{.lanes = {{"main", {{"function", 0, 5}}}}}});
  const Report nothing = TfData(none, Indexes(none), {}, context).value();
  REQUIRE(nothing.tables[0].rows == 0);
  REQUIRE(nothing.Find("is_input_bound")->integer == kNoInt);
  REQUIRE(nothing.notes.size() == 1);
}

TEST_CASE("of root calls, 50 us is not slow and anything longer is") {
  for (const int64_t longer_ps : {0, 1}) {
    INFO(longer_ps);
    const StorePtr store = TraceOf({{.lanes = {{"main",
                                                {Call("Root", 0, 50 * kPsPerUs + longer_ps, 1),
                                                 Call("Root::Map", 0, 40 * kPsPerUs, 2, 1)}}}}});
    Context context;
    const Report report = TfData(store, Indexes(store), {}, context).value();
    CHECK(report.Find("is_input_bound")->integer == longer_ps);
    CHECK(report.tables[1].Find("slow_runs")->Integer(0) == longer_ps);
    const bool advises = report.tables[0].Find("advice")->texts.at(0).data() != nullptr;
    CHECK(advises == (longer_ps > 0));
  }
}

TEST_CASE("-step selects calls, and statistics of pipelines cover those") {
  const int64_t us = kPsPerUs;
  TestEvent first = Call("Root", 0, 90 * us, 1), second = Call("Root", 100 * us, 20 * us, 1);
  first.details["group"] = int64_t{3};
  second.details["group"] = int64_t{4};
  const StorePtr store = TraceOf({{.lanes = {{"main", {first, second}}}}});
  const Indexes indexes(store);
  Context context;
  Query query;
  query.place.step = 4;
  const Report report = TfData(store, indexes, query, context).value();
  REQUIRE(report.tables[1].Find("max_latency_us")->integers == std::vector<int64_t>{20 * us});
  REQUIRE(report.tables[2].rows == 1);
  REQUIRE(report.Find("is_input_bound")->integer == 0);
  query.place.step = 9;
  REQUIRE(TfData(store, indexes, query, context).error().kind == ErrorKind::usage);
}

TEST_CASE("-device selects planes; those of devices have no pipelines, and a note explains it") {
  const StorePtr store = TraceOf({{.lanes = {{"main", {Call("Root", 0, 90, 1)}}}}});
  const Indexes indexes(store);
  Context context;
  Query query;
  query.place.device = "host:cpu";
  CHECK(TfData(store, indexes, query, context).value().tables[1].rows == 1);
  query.place.device = "GPU:0";
  const Report none = TfData(store, indexes, query, context).value();
  for (const Table& table : none.tables) CHECK(table.rows == 0);
  REQUIRE(none.notes.size() == 1);
  CHECK(none.notes[0].what.Text().find("-host") != std::string::npos);
}

TEST_CASE("if only pipelines of devices were recorded, calls are not reported as fast") {
  const int64_t us = kPsPerUs;
  const StorePtr store =
      TraceOf({{.lanes = {{"main",
                           {Call("Prefetch", 0, 7000 * us, 1),
                            Call("Prefetch::Generator", 5 * us, 6000 * us, 2, 1)}}}}});
  const Indexes indexes(store);
  Context context;
  const Report report = TfData(store, indexes, {}, context).value();
  REQUIRE(report.properties.size() == 1);
  CHECK(report.properties[0].display_text.starts_with("no verdict"));
  CHECK(report.tables[0].rows == 0);
  CHECK(report.tables[1].rows == 1);
}

TEST_CASE("advice depends on the kind of the iterator") {
  REQUIRE(AdviceFor("TFRecord").find("storage") != std::string_view::npos);
  REQUIRE(AdviceFor("Map") != AdviceFor("ParallelMapV2"));
  REQUIRE(AdviceFor("unheard of").find("iterators") != std::string_view::npos);
}

}  // namespace tfprof::tfdata_test

namespace tfprof::tfdata_test {

TEST_CASE("tfdata: stages are iterators over all calls, with those that they read from") {
  const StorePtr store = TraceOf(
      {{.lanes = {{"main",
                   {Call("Root", 0, 100, 1), Call("Root::Zip", 10, 80, 2, 1),
                    Call("Root::Zip[0]::Range", 20, 10, 3, 2), Call("Root::Zip::Map", 40, 30, 4, 2),
                    Call("Root", 200, 50, 1), Call("Root::Zip", 210, 30, 2, 1)}}}}});
  Context context;
  const Report report = TfData(store, Indexes(store), {}, context).value();
  const Table& stages = report.tables.back();
  REQUIRE(stages.name == "stages");
  using Names = std::vector<std::string_view>;
  CHECK(stages.Find("name")->texts == Names{"Root", "Zip", "Map", "Range"});
  CHECK(stages.Find("runs")->integers == std::vector<int64_t>{2, 2, 1, 1});
  CHECK(stages.Find("time_us")->integers == std::vector<int64_t>{40, 70, 30, 10});
  CHECK(stages.Find("inclusive_us")->integers == std::vector<int64_t>{150, 110, 30, 10});
  const auto& inputs = stages.Find("operands")->lists;
  CHECK(inputs[0] == Names{"Zip", "Range"});  // Zip[0] recorded nothing
  CHECK(inputs[1] == Names{"Map"});
  CHECK(stages.Find("state")->texts[1] == "bottleneck of 2 calls");
}

}  // namespace tfprof::tfdata_test
