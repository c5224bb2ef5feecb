// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/store/note_catalogue.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof::jobs_test {
namespace {

TestEvent Kernel(int64_t start_ps, int64_t ps, int64_t group) {
  return {"k", start_ps, ps, {{"group", group}, {"correlation", start_ps}}};
}

// A GPU with two steps, 0 to 100 and 1000 to 1200, and another one that does less in the first.
StorePtr TwoGpus(const std::optional<Capture>& capture = {}) {
  return TraceOf(
      {{.name = "/device:GPU:0",
        .lanes = {{.name = "Stream #1",
                   .events = {Kernel(0, 30, 0), Kernel(60, 40, 0), Kernel(1000, 50, 1)}},
                  {.name = "Stream #2", .events = {Kernel(20, 20, 0), Kernel(1150, 50, 1)}}}},
       {.name = "/device:GPU:1", .lanes = {{.events = {Kernel(10, 10, 0)}}}}},
      [&](StoreBuilder& builder, SourceId) {
        builder.AddNote(note::malformed_events, "a");
        if (capture) builder.SetCapture(*capture);
      });
}

Report JobsOf(const StorePtr& store, const std::vector<Job>& jobs = {}) {
  Context context;
  Query query;
  query.jobs = jobs;
  return Jobs(store, Indexes(store), query, context).value();
}

int64_t Integer(const Report& report, std::string_view id, size_t row) {
  return report.tables.at(0).Find(id)->Integer(row);
}

std::string_view Text(const Report& report, std::string_view id, size_t row) {
  return report.tables.at(0).Find(id)->texts.at(row);
}

}  // namespace

TEST_CASE("a job has the median of its steps, and the means of its devices") {
  const Report report = JobsOf(TwoGpus());
  REQUIRE(report.tables.at(0).rows == 1);
  CHECK(Text(report, "host", 0) == "host");
  CHECK(Integer(report, "steps", 0) == 2);
  CHECK(Integer(report, "step_median_us", 0) == (1000 + 200) / 2);  // from start to start
  CHECK(Integer(report, "devices", 0) == 2);
  // Of 300 ps, the first device is idle for 20 + 100, the second for 290.
  CHECK(Integer(report, "idle_us", 0) == (120 + 290) / 2);
  CHECK(Integer(report, "busy_us", 0) == (180 + 10) / 2);
  CHECK(report.tables[0].Find("idle_pct")->reals.at(0) == Approx((40 + 96.6666667) / 2));
  CHECK(Integer(report, "notes", 0) == 1);
  CHECK(report.notes.size() == 1);
  CHECK(Integer(report, "processes", 0) == kNoInt);
  CHECK(!report.tables[0].Find("processes")->spec.human_readable);
}

TEST_CASE("hosts run the same steps: a job has as many as the host with most") {
  const Report report = JobsOf(
      TraceOf({{.name = "/device:GPU:0",
                .lanes = {{.events = {Kernel(0, 30, 0), Kernel(100, 50, 1)}}},
                .host = "a"},
               {.name = "/device:GPU:0", .lanes = {{.events = {Kernel(5, 80, 0)}}}, .host = "b"}}));
  CHECK(Text(report, "host", 0) == "a, b");
  CHECK(Integer(report, "steps", 0) == 2);
  CHECK(Integer(report, "step_median_us", 0) == 80);  // the other host has 100 and 50
}

TEST_CASE("jobs are beside each other, and nothing of them is added up") {
  const StorePtr first = TwoGpus();
  const StorePtr records = StoreOf({{.name = "a"}}, {{.node = "a", .start_us = 10, .us = 3},
                                                     {.node = "a", .start_us = 15, .us = 5}});
  const Report report = JobsOf(first, {{"one", first, ""},
                                       {"absent", nullptr, "no such file"},
                                       {"two", records, ""},
                                       {"three", TwoGpus(), ""}});
  REQUIRE(report.tables.at(0).rows == 4);
  CHECK(Text(report, "job", 0) == "one");
  CHECK(Integer(report, "steps", 0) == 2);
  CHECK(Integer(report, "steps", 1) == kNoInt);
  CHECK(Integer(report, "notes", 1) == kNoInt);
  // One step from 10 to 20 us, of which the cpu runs for 8.
  CHECK(Integer(report, "steps", 2) == 1);
  CHECK(Integer(report, "step_median_us", 2) == 10 * kPsPerUs);
  CHECK(Integer(report, "devices", 2) == 1);
  CHECK(Integer(report, "busy_us", 2) == 8 * kPsPerUs);
  CHECK(Integer(report, "idle_us", 2) == 2 * kPsPerUs);
  CHECK(report.tables[0].Find("idle_pct")->reals.at(2) == Approx(20));
  CHECK(Integer(report, "step_median_us", 3) == 600);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].what.row == &note::job_not_opened);
  CHECK(report.notes[0].first_place == "absent");
}

TEST_CASE("jobs that share a device at the same time") {
  constexpr int64_t kWallNs = 1'700'000'000'000'000'000;  // 2023-11-14 22:13:20 UTC
  const auto gpu = [&](std::vector<TestEvent> events) {
    return TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = std::move(events)}}}},
                   [&](StoreBuilder& builder, SourceId) { builder.SetEpoch(kWallNs); });
  };
  // In its step, the first job is idle from 30 to 60; the second is busy from 20 to 50.
  const StorePtr first = gpu({Kernel(0, 30, 0), Kernel(60, 40, 0)});
  const StorePtr second = gpu({Kernel(20, 30, 0)});
  const Report report = JobsOf(first, {{"one", first, ""}, {"two", second, ""}});
  CHECK(Integer(report, "contended_us", 0) == 50 - 30);
  CHECK(Integer(report, "contended_us", 1) == 0);
  CHECK(Text(report, "contended_by", 0) == "two");
  CHECK(Text(report, "began", 0) == "2023-11-14 22:13:20");
  CHECK(report.tables.at(0).Find("contended_us")->spec.human_readable);
  const Report alone = JobsOf(TwoGpus(), {{"one", TwoGpus(), ""}, {"two", TwoGpus(), ""}});
  CHECK(Integer(alone, "contended_us", 0) == kNoInt);  // when they ran is not known
  CHECK(Text(alone, "began", 0).data() == nullptr);
}

TEST_CASE("GPUs of this machine have the processes that use them, and their jobs") {
  Capture capture{"run", {{.host = "a", .pid = 7, .is_running = true}, {.host = "a", .pid = 8}}};
  Context context;
  Query query;
  const StorePtr store = TwoGpus(capture);
  query.jobs = {{"mine", store, ""}};
  query.gpus = {
      {0, "X", 50, 10, 100, {{7, "python", "me", "now", 6}, {8, "python", "you", "", kNoInt}}},
      {1, "X"}};
  const Report report = Jobs(store, Indexes(store), query, context).value();
  REQUIRE(report.tables.size() == 2);
  const Table& table = report.tables[1];
  REQUIRE(table.rows == 3);
  CHECK(table.Find("gpu")->Integer(1) == 0);
  CHECK(table.Find("gpu")->Integer(2) == 1);
  CHECK(table.Find("gpu_process")->Integer(1) == 8);
  CHECK(table.Find("gpu_process")->Integer(2) == kNoInt);
  CHECK(table.Find("process_bytes")->Integer(0) == 6);
  CHECK(table.Find("process_bytes")->Integer(1) == kNoInt);
  CHECK(table.Find("job_of_process")->texts.at(0) == "mine");
  CHECK(table.Find("job_of_process")->texts.at(1).data() ==
        nullptr);  // it has ended: another one has its ID
}

TEST_CASE("the state of a job is that of its processes") {
  const auto state = [](std::vector<CapturedProcess> processes) {
    const Report report = JobsOf(TwoGpus(Capture{"run", std::move(processes)}));
    CHECK(Text(report, "job", 0) == "run");
    return std::string(Text(report, "job_state", 0));
  };
  const CapturedProcess complete{.host = "node1", .trace = "a", .is_complete = true};
  const CapturedProcess killed{.host = "node2", .trace = "b"};
  const CapturedProcess running{.trace = "c", .is_running = true};
  CHECK(state({complete, complete}) == "complete");
  CHECK(state({complete, killed}) == "truncated");
  CHECK(state({complete, killed, running}) == "running");
  const Report report = JobsOf(TwoGpus(Capture{"run", {complete, killed, {}}}));
  CHECK(Integer(report, "processes", 0) == 2);  // the third one has no trace
  CHECK(Text(report, "host", 0) == "node1, node2");
}

}  // namespace tfprof::jobs_test
