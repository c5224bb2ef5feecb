// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/steps/gaps.h"
#include "analysis/steps/step_table.h"
#include "loaders/open.h"
#include "tests/unit/views/advice/advise_cases.h"
#include "views/views.h"

// A cost is a bound of what a step would be shorter: no step is shorter by more than itself, nor
// the time to the next one.

namespace tfprof::advise_cost_test {
namespace {

Report AdviceOf(const StorePtr& store, const std::string& checker = "") {
  Query query;
  if (!checker.empty()) query.advise.checkers = {checker};
  Context context;
  const Indexes indexes(store);
  return Advise(store, indexes, query, context).value();
}

int64_t FirstCost(const StorePtr& store, const std::string& checker) {
  return AdviceOf(store, checker).tables.at(0).Find("cost_ps")->Integer(0);
}

int64_t LongestStepPs(const StorePtr& store, bool wall_time = false) {
  Context context;
  int64_t longest_ps = 0;
  auto steps = StepsOf(*store, Indexes(store), {}, context).value();
  if (wall_time) LastUntilNext(&steps);
  for (const StepRow& step : steps) longest_ps = std::max(longest_ps, step.SpanPs());
  return longest_ps;
}

int64_t LongestGapPs(const StorePtr& store) {
  Context context;
  return GapsOf(MeasureSteps(*store, Indexes(store), {}, context).value()).max_ps;
}

int64_t CapturePs(const Store& store) {
  int64_t first_ps = kMaxPs, last_ps = kMinPs;
  for (uint32_t row = 0; row < store.events.start_ps.size(); ++row) {
    const int64_t start_ps = store.events.start_ps[row];
    if (start_ps == kNoInt) continue;
    first_ps = std::min(first_ps, start_ps);
    last_ps = std::max(last_ps, start_ps + store.events.duration_ps[row]);
  }
  return first_ps > last_ps ? 0 : last_ps - first_ps;  // nothing has a start
}

// Without steps, or where markers do not cover the work, a cost is a part of the capture.
void CheckCosts(const StorePtr& store) {
  const int64_t step_ps = LongestStepPs(store);
  const int64_t capture_ps = CapturePs(*store);
  const Report report = AdviceOf(store);
  const Table& table = report.tables.at(0);
  for (size_t row = 0; row < table.rows; ++row) {
    INFO(table.Find("finding")->texts[row]);
    const std::string_view finding = table.Find("finding")->texts[row];
    const bool of_steps = step_ps > 0 && finding.find("of the capture") == finding.npos;
    const bool is_gap = table.Find("checker")->texts[row] == "StepGapChecker";
    const bool of_wall_time = table.Find("finding_id")->texts[row] == "slow_host";
    const int64_t longest_ps = of_wall_time ? LongestStepPs(store, true)
                               : of_steps   ? step_ps
                                            : capture_ps;
    CHECK(table.Find("cost_ps")->Integer(row) <= (is_gap ? LongestGapPs(store) : longest_ps));
  }
}

}  // namespace

TEST_CASE("advise: no cost exceeds the longest step or the longest time between steps") {
  for (const AdviseCase& test : AdviseCases()) {
    INFO(TextOf(test.id).name);
    CheckCosts(test.fires);
    CheckCosts(test.silent);
  }
  for (const std::string name : {"convnet", "mnist_softmax", "rnn_while", "two_devices"}) {
    INFO(name);
    Context context;
    CheckCosts(tfprof::Load({{"testdata/tensorflow/" + name + "/profile.pb", {}, false}}, context)
                   .value());
  }
}

TEST_CASE("advise: parallel work costs once, on one device or two") {
  const StorePtr store = StoreOf(
      {{.name = "net/a", .type = "Conv2D", .data_format = "NHWC"},
       {.name = "net/b", .type = "Conv2D", .data_format = "NHWC"}},
      {{.node = "net/a", .device = "/device:gpu:0", .start_us = 1000, .us = 50},
       {.node = "net/a", .device = "/device:gpu:0/stream:all", .start_us = 1010, .us = 60},
       {.node = "net/b", .device = "/device:gpu:0", .start_us = 1020, .us = 20},
       {.node = "net/b", .device = "/device:gpu:0/stream:all", .start_us = 1080, .us = 20}});
  CHECK(FirstCost(store, "ExpensiveOperationChecker") == 90 * kPsPerUs);
  CHECK(FirstCost(store, "OperationChecker") == 90 * kPsPerUs);
  CHECK(AdviceOf(store, "OperationChecker").tables[0].Find("severity")->texts[0] == "high");
}

TEST_CASE("advise: work in one of several steps costs its share") {
  const StorePtr store = StoreOf({{.name = "a", .type = "A"}, {.name = "b", .type = "B"}},
                                 {{.node = "a", .step = 0, .start_us = 1000, .us = 10},
                                  {.node = "a", .step = 1, .start_us = 2000, .us = 10},
                                  {.node = "b", .step = 1, .start_us = 2010, .us = 90}});
  CHECK(FirstCost(store, "ExpensiveOperationChecker") == 45 * kPsPerUs);
}

TEST_CASE("advise: the cost of work at unknown times is unknown") {
  const StorePtr store = StoreOf({{.name = "a"}}, {{.node = "a", .start_us = 0, .us = 10}});
  const Report report = AdviceOf(store);
  const Table& table = report.tables.at(0);
  for (size_t row = 0; row < table.rows; ++row) {
    CHECK(table.Find("cost_ps")->Integer(row) == kNoInt);
    CHECK(table.Find("cost_formula")->texts[row].empty());
  }
}

}  // namespace tfprof::advise_cost_test
