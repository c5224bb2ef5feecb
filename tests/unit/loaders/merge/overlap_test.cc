// SPDX-License-Identifier: Apache-2.0
// Steps of a device that overlap in time, as those whose copies in begin while the one before
// computes.
#include <catch2/catch.hpp>
#include <random>

#include "analysis/steps/gaps.h"
#include "analysis/steps/idle_in_windows.h"
#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof::overlap_test {
namespace {

struct Event {
  int64_t start_ps;
  int64_t end_ps;
};

// Moment by moment.
IdleTime IdleByHand(const std::vector<Event>& events, const StepWindow& window) {
  IdleTime idle;
  int64_t gap_ps = 0;
  for (int64_t at = window.start_ps; at < window.end_ps; ++at) {
    const bool runs = std::any_of(events.begin(), events.end(), [&](const Event& event) {
      return event.start_ps <= at && at < event.end_ps;
    });
    gap_ps = runs ? 0 : gap_ps + 1;
    if (gap_ps == 1) ++idle.gaps;
    idle.idle_ps += !runs;
    idle.longest_gap_ps = std::max(idle.longest_gap_ps, gap_ps);
  }
  return idle;
}

TestEvent Kernel(const char* name, int64_t start_ps, int64_t ps, int64_t group) {
  TestDetails details{{"correlation", start_ps}};
  if (group >= 0) details["group"] = group;
  return {name, start_ps, ps, std::move(details)};
}

// Four steps of 100 us, each of which begins 50 us after the one before and has the device for the
// first and the last fifth of its time.
StorePtr Overlapping(int64_t every_us = 50) {
  TestLane lane{.name = "Stream #1"};
  for (int64_t group = 0; group < 4; ++group) {
    const int64_t start_ps = every_us * group * kPsPerUs;
    lane.events.push_back(Kernel("first", start_ps, 20 * kPsPerUs, group));
    lane.events.push_back(Kernel("last", start_ps + 80 * kPsPerUs, 20 * kPsPerUs, group));
  }
  std::sort(lane.events.begin(), lane.events.end(),
            [](const TestEvent& a, const TestEvent& b) { return a.start_ps < b.start_ps; });
  return TraceOf({{.name = "/device:GPU:0", .lanes = {lane}}});
}

bool HasNote(const Report& report, std::string_view begin) {
  return std::any_of(report.notes.begin(), report.notes.end(),
                     [&](const Note& note) { return note.what.Text().starts_with(begin); });
}

template <class View>
Report Answer(View view, const StorePtr& store, const Query& query = {}) {
  Context context;
  const Indexes indexes(store);
  return view(store, indexes, query, context).value();
}

std::vector<std::string_view> CheckersOf(const Report& advice) {
  return advice.tables.at(0).Find("checker")->texts;
}

}  // namespace

TEST_CASE("idle time in overlapping windows matches a computation per moment") {
  std::mt19937 random(7);
  const auto below = [&](int64_t end) { return static_cast<int64_t>(random()) % end; };
  for (int round = 0; round < 300; ++round) {
    std::vector<Event> events;
    for (int64_t at = below(30); at < 150; at += below(12)) events.push_back({at, at + below(15)});
    // One of no time splits a gap where there is one: no pieces are compared then.
    std::erase_if(events, [](const Event& event) { return event.start_ps == event.end_ps; });
    std::vector<StepWindow> windows;
    for (int i = 0; i < 8; ++i) {
      const int64_t start_ps = below(180);
      windows.push_back({start_ps, start_ps + below(60)});
    }
    IdleInWindows idle(windows);
    for (const Event& event : events) idle.Add(LabelId(1), event.start_ps, event.end_ps);
    const std::vector<IdleTime> found = idle.Finish();
    REQUIRE(found.size() == windows.size());
    for (size_t i = 0; i < windows.size(); ++i) {
      INFO(round << ": " << windows[i].start_ps << " to " << windows[i].end_ps);
      const IdleTime expected = IdleByHand(events, windows[i]);
      CHECK(found[i].idle_ps == expected.idle_ps);
      CHECK(found[i].gaps == expected.gaps);
      CHECK(found[i].longest_gap_ps == expected.longest_gap_ps);
    }
  }
}

TEST_CASE(
    "idle time in windows: the event that ends the longest gap is found, the first of equal ones") {
  IdleInWindows idle({{0, 100}, {40, 60}, {85, 100}, {0, kMaxPs}});
  idle.Add(LabelId(1), 10, 30);
  idle.Add(LabelId(2), 50, 80);
  const std::vector<IdleTime> found = idle.Finish();
  CHECK(found[0].idle_ps == 50);
  CHECK(found[0].gaps == 3);
  CHECK(found[0].longest_gap_ps == 20);
  CHECK(found[0].after_longest_gap == LabelId(2));
  CHECK(found[1].longest_gap_ps == 10);
  CHECK(found[1].after_longest_gap == LabelId(2));
  CHECK(found[2].idle_ps == 15);
  CHECK_FALSE(found[2].after_longest_gap.some());  // but the end of the window
  CHECK(found[3].gaps == 3);
}

TEST_CASE("a device is not idle in a step while it works for another step") {
  const Report steps = Answer(Steps, Overlapping());
  const Table& devices = steps.tables.at(1);
  REQUIRE(devices.rows == 4);
  const auto us = [&](const char* column, size_t row) {
    return devices.Find(column)->Integer(row) / kPsPerUs;
  };
  // The second one from 50 to 150: 50 to 70 and 130 to 150 of its own, the first's 80 to 100, and
  // the third's 100 to 120.
  CHECK(us("step_ps", 1) == 100);
  CHECK(us("busy_ps", 1) == 40);
  CHECK(us("others_ps", 1) == 40);
  CHECK(us("idle_ps", 1) == 20);
  CHECK(devices.Find("gaps")->Integer(1) == 2);
  CHECK(us("longest_gap_ps", 1) == 10);
  CHECK(devices.Find("others_ps")->spec.human_readable);
  CHECK(HasNote(steps, "steps overlap: 37.5% of their time also lies in an earlier step"));
}

TEST_CASE("work outside of any step is not idle time of the step in which it runs") {
  const Report steps =
      Answer(Steps, TraceOf({{.name = "/device:GPU:0",
                              .lanes = {{.events = {Kernel("k", 0, 10, 3), Kernel("k", 90, 10, 3)}},
                                        {.events = {Kernel("memset", 20, 30, -1)}}}}}));
  const Table& devices = steps.tables.at(1);
  REQUIRE(devices.rows == 1);
  CHECK(devices.Find("busy_ps")->Integer(0) == 20);
  CHECK(devices.Find("others_ps")->Integer(0) == 30);
  CHECK(devices.Find("idle_ps")->Integer(0) == 50);
  CHECK(devices.Find("gaps")->Integer(0) == 2);
  CHECK(devices.Find("longest_gap_ps")->Integer(0) == 40);
  CHECK_FALSE(HasNote(steps, "steps overlap"));
}

TEST_CASE("stalls of overlapping steps are not judged") {
  const StorePtr apart = Overlapping(200), overlapping = Overlapping(40);
  const std::vector<std::string_view> of_apart = CheckersOf(Answer(Advise, apart));
  const auto is_conclusive = [](const std::vector<std::string_view>& checkers,
                                std::string_view name) {
    return std::find(checkers.begin(), checkers.end(), name) != checkers.end();
  };
  CHECK(is_conclusive(of_apart, "DeviceIdleChecker"));
  const Report advice = Answer(Advise, overlapping);
  CHECK(HasNote(advice, "steps overlap: "));
  CHECK_FALSE(HasNote(Answer(Advise, apart), "steps overlap"));
  Query other;
  other.advise.checkers = {"OtherTimeChecker"};
  CHECK(Answer(Advise, apart, other).tables.at(0).rows == 1);
  CHECK(Answer(Advise, overlapping, other).tables.at(0).rows == 0);
  const Report overview = Answer(Overview, overlapping);
  CHECK(HasNote(overview, "steps overlap: "));
  const Table& items = *std::find_if(overview.tables.begin(), overview.tables.end(),
                                     [](const Table& table) { return table.name == "advice"; });
  for (const std::string_view command : items.Find("command")->texts) {
    CHECK_FALSE(command.starts_with("pod"));  // where the parts of steps are
  }
}

}  // namespace tfprof::overlap_test
