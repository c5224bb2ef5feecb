// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/views/advice/advise_cases.h"
#include "views/advice/checker.h"
#include "views/advice/evidence.h"
#include "views/views.h"

// Findings in steps: overview and input show those of advise.

namespace tfprof::step_findings_test {
namespace {

// A table of an answer; the report keeps its texts.
struct Answered {
  Report report;
  const Table& table;
};

Answered Answer(MakeReport* view, const StorePtr& store, std::string_view name,
                const Query& query = {}) {
  Context context;
  const Indexes indexes(store);
  Report report = view(store, indexes, query, context).value();
  const auto found = std::find_if(report.tables.begin(), report.tables.end(),
                                  [&](const Table& table) { return table.name == name; });
  REQUIRE(found != report.tables.end());
  const Table& table = *found;
  return {std::move(report), table};  // tables stay where they are
}

std::string FixOf(const Answered& answer, std::string_view id) {
  const Table& table = answer.table;
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.Find("finding_id")->texts[row] == id)
      return std::string(table.Find("fix")->texts[row]);
  }
  return {};
}

bool Has(const Answered& answer, std::string_view id) { return !FixOf(answer, id).empty(); }

}  // namespace

TEST_CASE("overview and input report only findings of advise, in its words") {
  size_t shown = 0;
  for (const AdviseCase& test : AdviseCases()) {
    if (!test.fires->IsTrace()) continue;
    for (MakeReport* view : {Overview, InputView}) {
      const Answered answer = Answer(view, test.fires, "advice");
      const Table& table = answer.table;
      for (size_t row = 0; row < table.rows; ++row, ++shown) {
        const std::string_view finding = table.Find("finding")->texts[row];
        INFO(finding);
        Query query;
        query.advise.checkers = {std::string(table.Find("checker")->texts[row])};
        const Answered advised = Answer(Advise, test.fires, "findings", query);
        const auto& findings = advised.table.Find("finding")->texts;
        CHECK(std::find(findings.begin(), findings.end(), finding) != findings.end());
      }
    }
  }
  CHECK(shown > 20);
}

TEST_CASE("advice on idle devices depends on their kind") {
  Query named;  // else another checker reports the same time
  named.advise.checkers = {"OtherTimeChecker"};
  const std::string gpu =
      FixOf(Answer(Advise, GpuTrace({{.compute_us = 50, .gap_us = 40}}), "findings", named),
            "step_time_without_device_work");
  CHECK(gpu.find("jit_compile") != gpu.npos);
  CHECK(gpu.find("TF_GPU_THREAD_MODE") != gpu.npos);
  const std::string tpu =
      FixOf(Answer(Advise, TpuComputing(50), "findings", named), "step_time_without_device_work");
  CHECK(tpu.find("larger batches") != tpu.npos);
  CHECK(tpu.find("jit_compile") == tpu.npos);
  CHECK(tpu.find("TF_GPU_THREAD_MODE") == tpu.npos);
}

TEST_CASE("advice on input names its producer, or how to record it") {
  const std::string none = FixOf(Answer(InputView, HostWaiting(20), "advice"), "input_bound");
  CHECK(none.find("dataset.prefetch") != none.npos);
  const std::string copies = FixOf(
      Answer(InputView, GpuTrace({{.copy_in_us = 20, .compute_us = 80}}), "advice"), "input_bound");
  CHECK(copies.starts_with("Have the next batch on the device"));
}

TEST_CASE("a slow first step is reported where the answer includes it") {
  CHECK(Has(Answer(Overview, GpuStepsOf({100, 10, 10}), "advice"), "slow_first_step"));
  Query one;
  one.place.step = 0;
  CHECK_FALSE(Has(Answer(Overview, GpuStepsOf({100, 10, 10}), "advice", one), "slow_first_step"));
  // The parts leave the first of many steps out; all views have one list of findings.
  const StorePtr many = GpuStepsOf({100, 10, 10, 10, 10, 10, 10, 10});
  CHECK(Has(Answer(Overview, many, "advice"), "slow_first_step"));
  CHECK(Has(Answer(Advise, many, "findings"), "slow_first_step"));
}

TEST_CASE("a device that is idle in the step that warms up is not idle in the steps") {
  const auto trace = [](int64_t first_gap_us) {
    std::vector<TestGpuStep> steps{{.compute_us = 100, .gap_us = first_gap_us}};
    for (int64_t i = 1; i < 4; ++i) steps.push_back({.start_us = 1000 * i, .compute_us = 100});
    return GpuTrace(steps);
  };
  Query named;  // whatever else explains it
  named.advise.checkers = {"DeviceIdleChecker"};
  CHECK(Has(Answer(Advise, trace(190), "findings", named), "device_idle"));
  CHECK_FALSE(Has(Answer(Advise, trace(290), "findings", named), "device_idle"));
}

TEST_CASE("a device that others wait for explains why its host is slow") {
  const StorePtr store = Exchanging(60, 90, true);
  CHECK(Has(Answer(Advise, store, "findings"), "late_device"));
  CHECK_FALSE(Has(Answer(Advise, store, "findings"), "slow_host"));
}

TEST_CASE("a host's time without records is why others wait for it") {
  const StorePtr store = Straggling(std::vector<int64_t>(6, 600), false);
  CHECK(Has(Answer(Advise, store, "findings"), "late_host"));
  CHECK_FALSE(Has(Answer(Advise, store, "findings"), "unrecorded_time"));
}

TEST_CASE("a value exactly at a threshold reaches it") {
  const Shares limits{20, 5};
  CHECK(SeverityOfShare(20, limits) == Severity::high);
  CHECK(SeverityOfShare(19.9, limits) == Severity::medium);
  CHECK(SeverityOfShare(5, limits) == Severity::medium);
  CHECK(SeverityOfShare(4.9, limits) == Severity::low);
  CHECK(Has(Answer(Advise, StepsOf({100, 100, 100, 120}), "findings"), "steps_vary"));
  CHECK_FALSE(Has(Answer(Advise, StepsOf({100, 100, 100, 119}), "findings"), "steps_vary"));
  Query use;
  use.advise.checkers = {"AcceleratorUtilizationChecker"};
  const auto second_computes = [&](int64_t us) {
    return Answer(Advise,
                  TraceOf({GpuWith({{.compute_us = 100}}), GpuWith({{.compute_us = us}}, 1)}),
                  "findings", use);
  };
  CHECK_FALSE(Has(second_computes(85), "accelerator_underused"));
  CHECK(Has(second_computes(84), "accelerator_underused"));
}

TEST_CASE("a device is late if it is last in most exchanges, however long one takes") {
  // Of two GPUs, the first one comes last to the first exchange, and to so many of three in all.
  const auto last_to = [](int64_t exchanges) {
    std::vector<TestGpuStep> first, second;
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t start_us = 1000 * i, late_us = i == 0 ? 90 : i < exchanges ? 5 : -5;
      first.push_back({.start_us = start_us, .compute_us = 100, .exchange_us = 10});
      second.push_back(
          {.start_us = start_us, .compute_us = 100 - late_us, .exchange_us = 10 + late_us});
    }
    return Answer(Advise, TraceOf({GpuWith(first), GpuWith(second, 1)}), "findings");
  };
  CHECK_FALSE(Has(last_to(1), "late_device"));
  CHECK(Has(last_to(2), "late_device"));
}

TEST_CASE("a function that runs single operations on arrays is many programs, not slow Python") {
  const Answered many = Answer(Advise, ProgramsInPython(20), "findings");
  CHECK(Has(many, "many_programs"));
  CHECK_FALSE(Has(many, "python_function"));
  const Answered few = Answer(Advise, ProgramsInPython(9), "findings");
  CHECK_FALSE(Has(few, "many_programs"));
  CHECK(Has(few, "python_function"));
}

TEST_CASE("a library's function is not reported as computing in Python") {
  const StorePtr loads = LoopWith("$npyio.py:3 load", 500);
  CHECK(Answer(Advise, loads, "findings").table.Find("finding")->texts[0] ==
        "steps wait for the Python function np.load for 50.0% of step time");
}

TEST_CASE("steps of a host vary by the work that only some of them do") {
  const auto variation = [](const StorePtr& trace) {
    Query named;  // others may report the same time
    named.advise.checkers = {"StepVariationChecker"};
    const Answered answer = Answer(Advise, trace, "findings", named);
    const Table& table = answer.table;
    for (size_t row = 0; row < table.rows; ++row) {
      if (table.Find("finding_id")->texts[row] != "steps_vary") continue;
      return std::string(table.Find("severity")->texts[row]) + ", " +
             std::to_string(table.Find("cost_ps")->Integer(row) / kPsPerUs) +
             " us: " + std::string(table.Find("finding")->texts[row]);
    }
    return std::string();
  };
  // Without the first and the last step, 2 of 10 evaluate for 2000 us: 400 us a step. The mean step
  // takes 1400 us.
  CHECK(variation(Evaluating(true)) ==
        "medium, 400 us: the slowest step takes 3.0 times as long as the fastest, mostly by "
        "jit_evaluate");
  const std::string same =
      "low, 0 us: the slowest step takes 3.0 times as long as the fastest; all do nearly the same "
      "work";
  CHECK(variation(Evaluating(false)) == same);
  // No step does more because the program that another one started runs in it.
  CHECK(variation(BeginningLate()) == same);
}

TEST_CASE("without a recorded pipeline, a slow function may make the input") {
  const StorePtr slow = LoopWith("$loop.py:3 load_batch", 500);
  const Answered input = Answer(InputView, slow, "advice");
  REQUIRE(input.table.rows > 0);
  CHECK(input.table.Find("finding")->texts[0] ==
        "steps wait for the Python function load_batch for 50.0% of step time, which computes in "
        "Python");
  const Answered fast = Answer(InputView, LoopWith("$loop.py:3 load_batch", 40), "advice");
  CHECK_FALSE(Has(fast, "python_function"));
}

TEST_CASE("overview begins with the wall time of summary") {
  const StorePtr store = LoopWith("$loop.py:3 load_batch", 500);
  const Answered overview = Answer(Overview, store, "wall");
  const Property* parts = overview.report.Find("wall_parts");
  REQUIRE(parts != nullptr);
  CHECK(parts->text == "Python: load_batch 500 us; compute 500 us");
  const Answered summary = Answer(Summary, store, "wall");
  CHECK(overview.table.rows == summary.table.rows);
  const Property* host = overview.report.Find("host_pct");  // all of it is the host's
  REQUIRE(host != nullptr);
  CHECK(host->head.empty());
  Query original;
  original.display.original_ids = true;
  Context context;
  const Report as_xprof = Overview(store, Indexes(store), original, context).value();
  CHECK(as_xprof.Find("wall_parts") == nullptr);
  CHECK_FALSE(as_xprof.Find("host_pct")->head.empty());
}

TEST_CASE("little memory in use needs no advice") {
  const auto advice = [](int64_t available) {
    TestProcess process = Allocating(true);  // 4000 bytes at the peak
    for (TestEvent& event : process.lanes[0].events) {
      if (event.name == "MemoryAllocation") event.details["bytes_available"] = available;
    }
    return Has(Answer(Advise, TraceOf({process}), "findings"), "memory_at_peak");
  };
  CHECK(advice(36'000));        // 10% of 40000 bytes
  CHECK_FALSE(advice(36'100));  // 4000 of 40100 bytes
}

}  // namespace tfprof::step_findings_test
