// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/grouping/event_groups.h"

#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "tests/support/trace_of.h"

namespace tfprof::event_groups_test {
namespace {

struct Grouped {
  StorePtr store;
  IndexPtr<EventGroups> groups;

  // The id of the group of the n-th event of that name; -1: none.
  int64_t IdOf(std::string_view name, int nth = 0) const {
    const uint32_t group = groups->of_event[RowNamed(*store, name, nth)];
    return group == EventGroups::kNone ? -1 : groups->groups[group].id;
  }
};

Grouped Grouping(const std::vector<TestProcess>& processes) {
  Context context;
  const StorePtr store = TraceOf(processes);
  return {store, Indexes(store).Get<EventGroups>(context).value()};
}

TestDetails Root(int64_t level, int64_t step = -1) {
  TestDetails details{{"root_level", level}};
  if (step >= 0) details["step_number"] = step;
  return details;
}
TestDetails Detail1(std::string key, int64_t value) { return {{std::move(key), value}}; }

TEST_CASE("a store without processes has no groups") {
  Context context;
  const StorePtr store = StoreBuilder().Finish().value();
  const auto groups = Indexes(store).Get<EventGroups>(context).value();
  CHECK(groups->of_event.empty());
  CHECK(groups->groups.empty());
}

TEST_CASE("recorded groups are used if every plane with events records them") {
  const Grouped found = Grouping(
      {{.lanes = {{.name = "main",
                   .events = {{"a", 0, 10, Detail1("group", 7)},
                              {"b", 10, 10, Detail1("group", 3)},
                              {"c", 20, 10, {}},
                              {"d", 30, 10, Detail1("group", -1)}}}}},
       {.name = "/device:GPU:0", .lanes = {{.events = {{"k", 5, 1, Detail1("group", 7)}}}}},
       {.name = "/device:GPU:1"}});
  CHECK(found.IdOf("a") == 7);
  CHECK(found.IdOf("b") == 3);
  CHECK(found.IdOf("c") == -1);
  CHECK(found.IdOf("d") == -1);
  CHECK(found.IdOf("k") == 7);
  REQUIRE(found.groups->groups.size() == 2);
  CHECK(found.groups->groups[0].id == 3);  // by id
}

TEST_CASE("one plane without recorded groups makes all groups derived") {
  const Grouped found =
      Grouping({{.lanes = {{.events = {{"a", 0, 10, Detail1("group", 7)}}}}},
                {.name = "/device:GPU:0", .lanes = {{.events = {{"k", 5, 1, {}}}}}}});
  CHECK(found.IdOf("a") == -1);
  CHECK(found.groups->groups.empty());
}

TEST_CASE("roots pass their group on to enclosed events, in order of start") {
  const Grouped found = Grouping({{.lanes = {{.events = {{"train", 100, 50, Root(1, 11)},
                                                         {"in", 110, 5},
                                                         {"train", 0, 50, Root(1, 10)},
                                                         {"in", 10, 5},
                                                         {"out", 60, 5}}}}}});
  CHECK(found.IdOf("in", 0) == 0);
  CHECK(found.IdOf("in", 1) == 1);
  CHECK(found.IdOf("out") == -1);
  REQUIRE(found.groups->groups.size() == 2);
  CHECK(found.groups->groups[1].number == 11);
  CHECK(found.groups->groups[1].is_marked);
  CHECK(GroupName(*found.store, found.groups->groups[1]) == "train 11");
}

TEST_CASE("roots of higher levels come first, even within lower ones") {
  const Grouped found = Grouping({{.lanes = {{.events = {{"outer", 0, 100, Root(1)},
                                                         {"inner", 10, 50, Root(2)},
                                                         {"deep", 20, 5},
                                                         {"late", 80, 5}}}}}});
  CHECK(found.IdOf("inner") == 0);
  CHECK(found.IdOf("deep") == 0);
  CHECK(found.IdOf("outer") == 1);
  CHECK(found.IdOf("late") == 1);
}

TEST_CASE("a root within a root of the same level starts no group") {
  const Grouped found = Grouping(
      {{.lanes = {{.events = {{"train", 0, 100, Root(1)}, {"FunctionRun", 10, 50, Root(1)}}}}}});
  CHECK(found.IdOf("FunctionRun") == 0);
  CHECK(found.groups->groups.size() == 1);
}

TEST_CASE("executors start a group only where no root reaches them") {
  const Grouped found = Grouping({{.lanes = {{.name = "a",
                                              .events = {{"ExecutorState::Process", 0, 10},
                                                         {"lone", 2, 1},
                                                         {"train", 20, 50, Root(1)},
                                                         {"ExecutorState::Process", 30, 10},
                                                         {"in", 32, 1}}}}}});
  CHECK(found.IdOf("train") == 0);
  CHECK(found.IdOf("in") == 0);
  CHECK(found.IdOf("lone") == 1);
  CHECK_FALSE(found.groups->groups[1].is_marked);
}

TEST_CASE("groups follow links to other threads and to devices") {
  TestDetails producer{{"producer_type", int64_t{3}}, {"producer", int64_t{9}}};
  TestDetails consumer{{"consumer_type", int64_t{3}}, {"consumer", int64_t{9}}};
  const Grouped found =
      Grouping({{.lanes = {{.name = "main",
                            .events = {{"train", 0, 50, Root(1, 4)}, {"give", 10, 1, producer}}},
                           {.name = "worker",
                            .events = {{"take", 60, 20, consumer},
                                       {"launch", 65, 1, Detail1("correlation", 5)},
                                       {"alone", 90, 1}}}}},
                {.name = "/device:GPU:0",
                 .lanes = {{.events = {{"kernel", 100, 10, Detail1("correlation", 5)},
                                       {"stray", 120, 10, Detail1("correlation", 6)}}}}}});
  CHECK(found.IdOf("take") == 0);
  CHECK(found.IdOf("launch") == 0);
  CHECK(found.IdOf("kernel") == 0);
  CHECK(found.IdOf("alone") == -1);
  CHECK(found.IdOf("stray") == -1);
  CHECK(found.groups->groups[0].number == 0);  // a device ran: steps are numbered from 0
}

TEST_CASE("asynchronous events enclose nothing") {
  TestDetails async{{"is_async", int64_t{1}}, {"root_level", int64_t{2}}};
  const Grouped found = Grouping(
      {{.lanes = {
            {.events = {{"train", 0, 100, Root(1)}, {"async", 10, 50, async}, {"in", 20, 5}}}}}});
  CHECK(found.IdOf("async") == 0);
  CHECK(found.IdOf("in") == 1);
  CHECK(found.IdOf("train") == 1);
}

TEST_CASE("a thread pool's region encloses the events of its thread") {
  TestDetails producer{{"producer_type", int64_t{15}}, {"producer", int64_t{1}}};
  TestDetails consumer{{"consumer_type", int64_t{15}}, {"consumer", int64_t{1}}};
  const Grouped found =
      Grouping({{.lanes = {{.name = "main",
                            .events = {{"train", 0, 50, Root(1)}, {"record", 10, 0, producer}}},
                           {.name = "pool",
                            .events = {{"ThreadpoolListener::StartRegion", 20, 0, consumer},
                                       {"work", 21, 5},
                                       {"ThreadpoolListener::StopRegion", 30, 0},
                                       {"other", 31, 5}}}}}});
  CHECK(found.IdOf("work") == 0);
  CHECK(found.IdOf("ThreadpoolListener::StopRegion") == 0);
  CHECK(found.IdOf("other") == -1);
}

TEST_CASE("events of a TPU belong to its step") {
  const TestProcess tpu{.name = "/device:TPU:0",
                        .lanes = {{.name = "Steps",
                                   .events = {{"12", 0, 100}, {"13", 100, 100}},
                                   .role = LaneRole::steps},
                                  {.name = "XLA Ops",
                                   .events = {{"a", 10, 5}, {"b", 150, 5}, {"c", 205, 5}},
                                   .role = LaneRole::ops}},
                        .device = DeviceKind::tpu};
  const Grouped found = Grouping({tpu});
  CHECK(found.IdOf("a") == 0);
  CHECK(found.IdOf("b") == 1);
  CHECK(found.IdOf("c") == -1);
  CHECK(found.groups->groups[1].number == 13);
}

TEST_CASE("-step prefers marked groups over others with the same number") {
  const Grouped found = Grouping({{.lanes = {{.events = {{"train", 0, 10, Root(1, 1)},
                                                         {"FunctionRun", 20, 10},
                                                         {"FunctionRun", 40, 10}}}}}});
  REQUIRE(found.groups->groups.size() == 3);
  Query query;
  CHECK(GroupsOfStep(*found.groups, query.place).value().empty());
  query.place.step = 1;
  CHECK(GroupsOfStep(*found.groups, query.place).value() == std::vector<bool>{true, false, false});
  query.place.step = 2;
  CHECK(GroupsOfStep(*found.groups, query.place).value() == std::vector<bool>{false, false, true});
  query.place.step = 9;
  const auto none = GroupsOfStep(*found.groups, query.place);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::usage);
}

TEST_CASE("grouping can be cancelled at every poll and leaves nothing behind") {
  const StorePtr store = TraceOf({{.lanes = {{.events = {{"train", 0, 10, Root(1, 1)}}}}}});
  const Indexes indexes(store);
  for (int64_t polls = 0;; ++polls) {
    Context context;
    context.polls_until_cancel = polls;
    const auto groups = indexes.Get<EventGroups>(context);
    if (groups) break;
    REQUIRE(groups.error().kind == ErrorKind::cancelled);
    REQUIRE(polls < 100);
  }
}

}  // namespace
}  // namespace tfprof::event_groups_test
