// SPDX-License-Identifier: Apache-2.0
#include "analysis/links/event_links.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "analysis/indexes.h"
#include "tests/support/trace_of.h"

namespace tfprof::event_links_test {
namespace {

std::string NameOf(const Store& store, EventId event) {
  return std::string(store.Text(store.labels[store.events.label[event.value].value].name));
}

// "from > to" of all links of a kind.
std::multiset<std::string> LinksOf(const StorePtr& store, LinkKind kind) {
  Context context;
  const Indexes indexes(store);
  const auto links = indexes.Get<EventLinks>(context).value();
  std::multiset<std::string> found;
  for (size_t i = 0; i < links->size(); ++i) {
    if (i > 0) CHECK(links->to[i - 1] <= links->to[i]);
    if (links->kind[i] != kind) continue;
    found.insert(NameOf(*store, links->from[i]) + " > " + NameOf(*store, links->to[i]));
  }
  return found;
}

using Expected = std::multiset<std::string>;

TestDetails Correlation(int64_t number) { return {{"correlation", number}}; }

TestDetails Producer(int64_t type, TestValue number) {
  return {{"producer_type", type}, {"producer", std::move(number)}};
}
TestDetails Consumer(int64_t type, TestValue number) {
  return {{"consumer_type", type}, {"consumer", std::move(number)}};
}

}  // namespace

TEST_CASE("links: a launch links to the events with its number, whether 0, signed or unsigned") {
  const StorePtr store = TraceOf(
      {{.lanes = {{.name = "a",
                   .events = {{"call 0", 0, 5, Correlation(0)}, {"call 7", 5, 5, Correlation(7)}}},
                  {.name = "b", .events = {{"call 3", 2, 5, Correlation(3)}, {"idle", 9, 1}}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "1",
                   .events = {{"k3", 50, 5, {{"correlation", uint64_t{3}}}},
                              {"k7", 20, 5, Correlation(7)},
                              {"k7 too", 90, 5, Correlation(7)},
                              {"unlaunched", 60, 5, Correlation(9)}}},
                  {.name = "2", .events = {{"k0", 10, 5, Correlation(0)}}},
                  {.name = "steps", .events = {{"7", 0, 99, Correlation(7)}}, .derived = true}}}});
  CHECK(LinksOf(store, LinkKind::launch) ==
        Expected{"call 0 > k0", "call 3 > k3", "call 7 > k7", "call 7 > k7 too"});
}

TEST_CASE(
    "links: of launches with one number, the last one before the event counts, else the first") {
  const StorePtr store = TraceOf({{.lanes = {{.name = "a",
                                              .events = {{"late", 100, 5, Correlation(1)},
                                                         {"early", 10, 5, Correlation(1)},
                                                         {"unplaced", kNoTime, 5, Correlation(2)},
                                                         {"only", 500, 5, Correlation(2)}}}}},
                                  {.name = "/device:GPU:0",
                                   .lanes = {{.name = "1",
                                              .events = {{"before both", 5, 1, Correlation(1)},
                                                         {"between", 50, 1, Correlation(1)},
                                                         {"at", 100, 1, Correlation(1)},
                                                         {"k2", 3, 1, Correlation(2)}}}}}});
  CHECK(LinksOf(store, LinkKind::launch) ==
        Expected{"early > before both", "early > between", "late > at", "unplaced > k2"});
}

// Calls of so many threads that count from `apart` to `apart`, and kernels that they launched, the
// last thread's first; a number of each thread was used twice.
StorePtr ThreadsThatCount(int threads, int64_t apart) {
  TestProcess host, gpu{.name = "/device:GPU:0"};
  TestLane stream{.name = "1"};
  for (int i = 0; i < threads; ++i) {
    const std::string name = std::to_string(i);
    const int64_t first = i * apart;
    host.lanes.push_back({.name = name,
                          .events = {{"a" + name, 0, 1, Correlation(first)},
                                     {"b" + name, 10, 1, Correlation(first + 1)},
                                     {"B" + name, 20, 1, Correlation(first + 1)}}});
  }
  for (int i = threads; i-- > 0;) {
    const int64_t start = 1000 + 10 * (threads - i);
    stream.events.push_back({"k" + std::to_string(i), start, 1, Correlation(i * apart)});
    stream.events.push_back({"K" + std::to_string(i), start + 5, 1, Correlation(i * apart + 1)});
    stream.events.push_back({"x", start + 7, 1, Correlation(i * apart + 2)});
  }
  gpu.lanes.push_back(stream);
  return TraceOf({host, gpu});
}

TEST_CASE("links: launches are found however far apart their numbers are") {
  const int64_t apart = GENERATE(int64_t{3}, int64_t{1} << 12, int64_t{1} << 20, int64_t{1} << 40);
  const int threads = GENERATE(1, 3, 100);
  CAPTURE(apart, threads);
  Expected expected;
  for (int i = 0; i < threads; ++i) {
    const std::string name = std::to_string(i);
    expected.insert("a" + name + " > k" + name);
    expected.insert("B" + name + " > K" + name);
  }
  CHECK(LinksOf(ThreadsThatCount(threads, apart), LinkKind::launch) == expected);
}

TEST_CASE("links: numbers of different hosts are unrelated") {
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "a", .events = {{"call", 0, 5, Correlation(1)}}}}, .host = "x"},
               {.name = "/device:GPU:0",
                .lanes = {{.name = "1", .events = {{"k", 5, 1, Correlation(1)}}}},
                .host = "y"}});
  CHECK(LinksOf(store, LinkKind::launch).empty());
}

TEST_CASE("links: producers link to consumers of their type, whatever the sign of the number") {
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "a",
                           .events = {{"p", 0, 5, Producer(2, int64_t{-1})},
                                      {"q", 10, 5, Producer(3, int64_t{-1})},
                                      {"type only", 20, 5, {{"producer_type", int64_t{2}}}}}},
                          {.name = "b",
                           .events = {{"c", 5, 5, Consumer(2, ~uint64_t{0})},
                                      {"d", 6, 5, Consumer(2, int64_t{-1})},
                                      {"other number", 7, 5, Consumer(2, int64_t{1})}}}}},
               {.name = "/device:TPU:0",
                .lanes = {{.name = "XLA Modules",
                           .events = {{"module", 50, 5, Consumer(3, int64_t{-1})}},
                           .role = LaneRole::modules}}}});
  CHECK(LinksOf(store, LinkKind::hand_over) == Expected{"p > c", "p > d", "q > module"});
}

TEST_CASE("links: a number that too many events share links nothing") {
  std::vector<TestEvent> events;
  for (int i = 0; i < 64; ++i) {
    events.push_back({"p", i, 1, Producer(1, int64_t{5})});
    events.push_back({"c", i, 1, Consumer(1, int64_t{5})});
  }
  events.push_back({"p one", 0, 1, Producer(1, int64_t{6})});
  for (int i = 0; i < 100; ++i) events.push_back({"c", i, 1, Consumer(1, int64_t{6})});
  const StorePtr store = TraceOf({{.lanes = {{.name = "a", .events = events}}}});
  CHECK(LinksOf(store, LinkKind::hand_over).size() == 100);
  Context context;
  const auto links = Indexes(store).Get<EventLinks>(context).value();
  REQUIRE(links->notes.size() == 1);
  CHECK(links->notes[0].count == 1);
}

TEST_CASE("links: an executor links to the fetch of its step and iteration") {
  const auto step = [](int64_t id, int64_t iteration) {
    return TestDetails{{"executor", id}, {"iteration", iteration}};
  };
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "a",
                           .events = {{"ExecutorState::Process", 0, 50, step(4, 0)},
                                      {"ExecutorState::Process", 60, 50, step(4, 1)},
                                      {"something else", 120, 50, step(4, 2)}}},
                          {.name = "b",
                           .events = {{"IteratorGetNextOp::DoCompute", 10, 5, step(4, 0)},
                                      {"IteratorGetNextAsOptionalOp::DoCompute", 70, 5, step(4, 1)},
                                      {"IteratorGetNextOp::DoCompute", 130, 5, step(4, 2)},
                                      {"IteratorGetNextOp::DoCompute", 140, 5, step(5, 0)}}}}}});
  CHECK(LinksOf(store, LinkKind::iteration) ==
        Expected{"ExecutorState::Process > IteratorGetNextAsOptionalOp::DoCompute",
                 "ExecutorState::Process > IteratorGetNextOp::DoCompute"});
}

TEST_CASE("links: building them can be cancelled and leaves nothing behind") {
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "a", .events = {{"call", 0, 5, Correlation(1)}}}}},
               {.name = "/device:GPU:0",
                .lanes = {{.name = "1", .events = {{"k", 5, 1, Correlation(1)}}}}}});
  const Indexes indexes(store);
  Context cancelled;
  cancelled.polls_until_cancel = 0;
  CHECK(indexes.Get<EventLinks>(cancelled).error().kind == ErrorKind::cancelled);
  Context context;
  CHECK(indexes.Get<EventLinks>(context).value()->size() == 1);
}

}  // namespace tfprof::event_links_test
