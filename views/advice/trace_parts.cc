// SPDX-License-Identifier: Apache-2.0
// CollectiveChecker, CopyChecker and InputBoundChecker of a trace: what its steps are spent on,
// with the shares that overview and input tell (views/steps/answer.h).
#include <fmt/format.h>

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/place.h"
#include "views/advice/evidence.h"
#include "views/advice/input_cause.h"
#include "views/advice/thresholds.h"
#include "views/steps/advice.h"

namespace tfprof {
namespace {

// A class of the steps that all hosts have, added up, and the step that has most of the part.
struct ClassInSteps {
  int64_t sum_ps = 0;
  int64_t steps_ps = 0;
  int64_t steps = 0;
  int64_t most_ps = -1;  // of the part, in one step
  const HostSteps* host = nullptr;
  const StepTime* step = nullptr;

  int64_t MeanPs() const { return steps == 0 ? 0 : sum_ps / steps; }
  double OfStepsPercent() const { return Percent(sum_ps, steps_ps); }
};

template <class Take>  // take(host, step)
void EachCommonStep(const StepAnswer& steps, Take take) {
  for (const CommonStep& common : steps.common) {
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      take(steps.hosts[i], steps.hosts[i].steps[common.step[i]]);
    }
  }
}

template <class TimeOf>  // time_of(step): of the class
ClassInSteps SumOf(const StepAnswer& steps, StepPart part, TimeOf time_of) {
  ClassInSteps found;
  EachCommonStep(steps, [&](const HostSteps& host, const StepTime& step) {
    found.sum_ps = SaturatingAdd(found.sum_ps, time_of(step));
    found.steps_ps = SaturatingAdd(found.steps_ps, step.duration_ps);
    ++found.steps;
    const int64_t part_ps = At(PartsOf(host, step), part);
    if (part_ps == kNoInt || part_ps <= found.most_ps) return;
    found.most_ps = part_ps;
    found.host = &host;
    found.step = &step;
  });
  return found;
}

// `column` of pod has the part.
Finding DescribeClass(const Checking& checking, const ClassInSteps& found, Shares limits,
                      std::string what, std::string_view column) {
  return {.severity = SeverityOfShare(found.OfStepsPercent(), limits),
          .what = std::move(what),
          .evidence =
              fmt::format("{} of it in {}", Time(found.most_ps),
                          StepName(checking.trace->trace, found.host->host, found.step->number)),
          .cost_ps = found.MeanPs(),
          .command = fmt::format("pod -order_by {}", column)};
}

// `part`: of a step, in which those copies are; `column` of pod has it.
void AddCopies(const Checking& checking, StepClass direction, StepPart part, std::string_view what,
               std::string_view column, std::vector<Finding>* findings) {
  const ClassInSteps copies = SumOf(checking.trace->whole, part, [&](const StepTime& step) {
    return At(step.class_ps, direction);
  });
  if (copies.step == nullptr || !copies.host->has_device()) return;
  if (copies.OfStepsPercent() < kCopiesEnough) return;
  Finding finding =
      DescribeClass(checking, copies, kCopyShares,
                    fmt::format("copies {} take {:.1f} % of the steps while nothing computes", what,
                                copies.OfStepsPercent()),
                    column);
  finding.formula = "mean over the steps of the time of such copies in which nothing computes";
  if (part == StepPart::input) finding.told_by = "InputBoundChecker";
  findings->push_back(std::move(finding));
}

// "; 29.1 % of the time one runs, 48.8 % of that while a device computes or copies"
std::string BesideWork(const StepAnswer& steps, const ClassInSteps& exposed) {
  int64_t running_ps = 0;
  EachCommonStep(steps, [&](const HostSteps&, const StepTime& step) {
    running_ps = SaturatingAdd(running_ps, step.collectives_ps);
  });
  const int64_t beside_ps = std::max<int64_t>(running_ps - exposed.sum_ps, 0);
  const std::string running = PercentText(running_ps, exposed.steps_ps);
  if (beside_ps == 0) return "; none runs while anything computes";
  return fmt::format("; {} of the time one runs, {} of that while a device computes or copies",
                     running, PercentText(beside_ps, running_ps));
}

// Of several hosts the steps of the one that input takes most time of: shares and costs over hosts
// whose steps differ are those of none. None: there is one host, or its name cannot be typed.
HostId HostOfMostInput(const StepAnswer& steps, const Store& trace) {
  if (trace.hosts.size() < 2) return {};
  std::vector<int64_t> input_ps(trace.hosts.size(), 0);
  EachCommonStep(steps, [&](const HostSteps& host, const StepTime& step) {
    int64_t& sum_ps = input_ps[host.host.value];
    sum_ps = SaturatingAdd(sum_ps, At(PartsOf(host, step), StepPart::input));
  });
  const auto most = std::max_element(input_ps.begin(), input_ps.end());
  const HostId host(static_cast<size_t>(most - input_ps.begin()));
  return WordFor(HostName(trace, host)).empty() ? HostId() : host;
}

// What input takes of these steps, which are those of `host` alone if there is one.
Finding DescribeInput(const Checking& checking, const StepAnswer& steps, HostId host) {
  const Store& trace = checking.trace->trace;
  const auto of = [](StepClass kind) {
    return [kind](const StepTime& step) { return At(step.class_ps, kind); };
  };
  const ClassInSteps copies = SumOf(steps, StepPart::input, of(StepClass::host_to_device));
  ClassInSteps input = SumOf(steps, StepPart::input, of(StepClass::input_wait));
  const bool waits = input.sum_ps > 0;
  input.sum_ps = SaturatingAdd(input.sum_ps, copies.sum_ps);
  const double percent = SharesOf(steps).of(StepPart::input);
  const bool copied = copies.sum_ps > 0;
  const std::string_view how = waits && copied ? "waiting for it and copying it to devices"
                               : waits         ? "waiting for it"
                                               : "copying it to devices while nothing computes";
  return {.severity = SeverityOfShare(percent, kInputShares),
          .what = fmt::format("input takes {:.1f} % of the time of the steps{}: {}", percent,
                              host.some() ? fmt::format(" of {}", HostName(trace, host)) : "", how),
          .evidence = fmt::format("{:.1f}% of the time of {}; {} of it in {}", percent,
                                  Counted(static_cast<int64_t>(steps.common.size()), "step"),
                                  Time(input.most_ps),
                                  StepName(trace, input.host->host, input.step->number)),
          .cost_ps = input.MeanPs(),
          .formula = host.some()
                         ? "mean over the steps of that host of the time that goes into input"
                         : "mean over the steps of the time that goes into input",
          .command = host.some() ? OfHost("input", trace, host) : "input"};
}

// What makes the input that is waited for: findings about that would be about the same time.
Result<void> AddCause(const Checking& checking, const StepAnswer& steps, const PlaceFilter& place,
                      Finding* finding) {
  if (!WaitForInput(steps)) return {};
  TFPROF_ASSIGN(const InputOps ops, OpsOfWaiting(checking, place));
  const InputOp* costliest = ops.Costliest();
  if (costliest == nullptr) return {};
  finding->evidence +=
      fmt::format("; of what makes it {} takes the most time itself, {} in {}", costliest->name,
                  Time(costliest->OwnPs()), Counted(costliest->count, "call"));
  const std::string said = SaidOf(ops.of_costliest);
  if (!said.empty()) finding->evidence += ". " + said;
  return {};
}

}  // namespace

Result<void> CheckCollectives(const Checking& checking, std::vector<Finding>* findings) {
  const StepAnswer& steps = checking.trace->whole;
  if (steps.overlap) return {};
  const ClassInSteps found = SumOf(steps, StepPart::collectives, [](const StepTime& step) {
    return At(step.class_ps, StepClass::collectives);
  });
  if (found.step == nullptr || found.OfStepsPercent() < kSomeCollectives) return {};
  Finding finding = DescribeClass(
      checking, found, kCollectiveShares,
      fmt::format("devices exchange data for {:.1f} % of the steps while nothing computes",
                  found.OfStepsPercent()),
      "collectives_us");
  finding.evidence += BesideWork(steps, found);
  finding.formula = "mean over the steps of the time of collectives in which nothing computes";
  findings->push_back(std::move(finding));
  return {};
}

Result<void> CheckCopiesOfTrace(const Checking& checking, std::vector<Finding>* findings) {
  if (checking.trace->whole.overlap) return {};
  AddCopies(checking, StepClass::host_to_device, StepPart::input, "to devices", "input_us",
            findings);
  AddCopies(checking, StepClass::device_to_host, StepPart::output, "from devices", "output_us",
            findings);
  return {};
}

Result<void> CheckInput(const Checking& checking, std::vector<Finding>* findings) {
  const TraceSteps& trace = *checking.trace;
  if (trace.whole.overlap || !(SharesOf(trace.whole).of(StepPart::input) >= kSomeInput)) return {};
  const HostId host = HostOfMostInput(trace.whole, trace.trace);
  PlaceFilter place;
  if (host.some()) place.host = HostName(trace.trace, host);
  TFPROF_ASSIGN(const StepAnswer steps,
                AskSteps(trace.trace, checking.recorded, place, checking.context));
  Finding finding = DescribeInput(checking, steps, host);
  TFPROF_TRY(AddCause(checking, steps, place, &finding));
  findings->push_back(std::move(finding));
  return {};
}

}  // namespace tfprof
