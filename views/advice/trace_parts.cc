// SPDX-License-Identifier: Apache-2.0
// Checkers of the parts of a trace's steps, with the shares that overview and input show
// (views/steps/answer.h).
#include <algorithm>
#include <cmath>

#include "analysis/contents.h"
#include "analysis/place.h"
#include "core/store/op_name.h"
#include "views/advice/class_sums.h"
#include "views/advice/input_cause.h"
#include "views/advice/thresholds.h"
#include "views/causes/copy_callers.h"
#include "views/causes/wall_input.h"
#include "views/tfdata/advice.h"

namespace tfprof {
namespace {

Value StepOf(const StepFacts& facts, const SumInSteps& sum) {
  return Text("step", StepName(facts.trace, sum.host->host, sum.step->number));
}

Finding DescribePart(const StepFacts& facts, FindingId id, const SumInSteps& sum, Shares limits) {
  return {.id = id,
          .severity = SeverityOfShare(sum.OfStepsPercent(), limits),
          .cost_ps = sum.MeanPs(),
          .values = {Share("share", sum.sum_ps, sum.steps_ps), Time("longest", sum.max_ps),
                     StepOf(facts, sum)}};
}

Result<void> AddCopies(const StepFacts& facts, FindingId id, StepClass direction, StepPart part,
                       std::vector<Finding>* findings) {
  const SumInSteps copies = SumOf(facts.steps, part, direction);
  if (copies.step == nullptr || !copies.host->has_device()) return {};
  if (copies.OfStepsPercent() < kCopiesThreshold) return {};
  findings->push_back(DescribePart(facts, id, copies, kCopyShares));
  const bool is_input = part == StepPart::input;
  if (is_input) findings->back().explained_by = {FindingId::input_bound};
  TFPROF_ASSIGN(
      const std::string caller,
      CallerOfCopies(facts, is_input ? EventRole::copy_to_device : EventRole::copy_to_host));
  findings->back().values.push_back(TextIfAny("function", caller));
  return {};
}

// With several hosts, returns the host with the most input time: shares and costs summed over hosts
// with different steps describe none of them. None: there is one host, or its name cannot be typed.
HostId HostOfMostInput(const StepAnswer& steps, const Store& trace) {
  if (trace.hosts.size() < 2) return {};
  std::vector<int64_t> input_ps(trace.hosts.size(), 0);
  EachCommonStep(steps, [&](const HostSteps& host, const StepTime& step) {
    int64_t& sum_ps = input_ps[host.host.value];
    sum_ps = SaturatingAdd(sum_ps, ZeroIfAbsent(At(PartsOf(host, step), StepPart::input)));
  });
  const auto max = std::max_element(input_ps.begin(), input_ps.end());
  const HostId host(static_cast<size_t>(max - input_ps.begin()));
  return WordFor(HostName(trace, host)).empty() ? HostId() : host;
}

// Describes the input time of these steps, which are those of `host` only if it is set.
Finding DescribeInput(const StepFacts& facts, const StepAnswer& steps, HostId host) {
  const SumInSteps copies = SumOf(steps, StepPart::input, StepClass::host_to_device);
  SumInSteps input = SumOf(steps, StepPart::input, StepClass::input_wait);
  const bool waits = input.sum_ps > 0, copied = copies.sum_ps > 0;
  input.sum_ps = SaturatingAdd(input.sum_ps, copies.sum_ps);
  const double percent = SharesOf(steps).of(StepPart::input);
  Finding finding{.id = FindingId::input_bound,
                  .severity = SeverityOfShare(
                      percent, input.host != nullptr && !input.host->has_device() ? kWallInputShares
                                                                                  : kInputShares),
                  .cost_ps = input.MeanPs(),
                  .values = {{"share", percent / 100, Unit::fraction},
                             Number("steps", static_cast<int64_t>(steps.common.size())),
                             Time("longest", input.max_ps),
                             StepOf(facts, input),
                             When("of_steps", true),
                             When("waits", waits),
                             When("copies", copied),
                             When("waits_and_copies", waits && copied),
                             When("of_host", host.some())}};
  if (host.some()) {
    finding.values.push_back(Text("host", HostName(facts.trace, host)));
    finding.values.push_back(HostWord(facts.trace, host));
  }
  return finding;
}

// Adds what produces the input that the steps wait for: findings on it would be about the same
// time.
Result<void> AddCause(const StepFacts& facts, const StepAnswer& steps, const PlaceFilter& place,
                      Finding* finding) {
  if (!WaitsForInput(steps)) {
    finding->values.push_back(When("only_copies", true));
    return {};
  }
  TFPROF_TRY(AddLoader(facts, finding));
  std::vector<Value>& values = finding->values;
  TFPROF_ASSIGN(const InputOps ops, OpsOfWaiting(facts, place));
  const InputOp* costliest = ops.Costliest();
  values.push_back(When("no_iterator", costliest == nullptr));
  if (costliest == nullptr) return {};
  values.push_back(Text("iterator", costliest->name));
  values.push_back(Time("iterator_time", costliest->OwnPs()));
  values.push_back(Number("calls", costliest->count));
  values.push_back(TextIfAny("python", DisplayTextOf(ops.of_costliest)));
  AddStage(ops, finding);
  values.push_back(
      Text("iterator_advice", AdviceFor(LastIterator(costliest->name), ops.of_costliest)));
  return {};
}

}  // namespace

Result<void> CheckCollectives(const StepFacts& facts, std::vector<Finding>* findings) {
  const StepAnswer& steps = facts.steps;
  if (steps.overlap) return {};
  const SumInSteps exposed = SumOf(steps, StepPart::collectives, StepClass::collectives);
  if (exposed.step == nullptr || exposed.OfStepsPercent() < kModerateCollectives) return {};
  const SumInSteps running =
      SumOf(steps, StepPart::collectives,
            [](const HostSteps&, const StepTime& step) { return step.collectives_ps; });
  findings->push_back(
      DescribePart(facts, FindingId::exposed_collectives, exposed, kCollectiveShares));
  const int64_t overlapped_ps = std::max<int64_t>(running.sum_ps - exposed.sum_ps, 0);
  findings->back().values.push_back(Share("running", running.sum_ps, running.steps_ps));
  findings->back().values.push_back(Share("overlapped", overlapped_ps, running.sum_ps));
  return {};
}

Result<void> CheckCopiesInSteps(const StepFacts& facts, std::vector<Finding>* findings) {
  if (facts.steps.overlap) return {};
  TFPROF_TRY(AddCopies(facts, FindingId::exposed_copies_in, StepClass::host_to_device,
                       StepPart::input, findings));
  return AddCopies(facts, FindingId::exposed_copies_out, StepClass::device_to_host,
                   StepPart::output, findings);
}

Result<void> CheckInput(const StepFacts& facts, std::vector<Finding>* findings) {
  const double of_steps = facts.steps.overlap ? kNoReal : SharesOf(facts.steps).of(StepPart::input);
  TFPROF_ASSIGN(auto of_wall, InputOfWall(facts, std::isnan(of_steps) ? 0 : of_steps));
  if (of_wall) {
    findings->push_back(std::move(*of_wall));
    return {};
  }
  if (!(of_steps >= kModerateInput)) return {};
  const HostId host =
      facts.place.host.empty() ? HostOfMostInput(facts.steps, facts.trace) : HostId();
  PlaceFilter place = facts.place;
  if (host.some()) place.host = HostName(facts.trace, host);
  TFPROF_ASSIGN(const StepAnswer of_host,
                host.some() ? AnswerSteps(facts.trace, facts.indexes, place, facts.context)
                            : Result<StepAnswer>(StepAnswer()));
  const StepAnswer& steps = host.some() ? of_host : facts.steps;
  Finding finding = DescribeInput(facts, steps, host);
  TFPROF_TRY(AddCause(facts, steps, place, &finding));
  findings->push_back(std::move(finding));
  return {};
}

Result<void> CheckStalls(const StepFacts& facts, std::vector<Finding>* findings) {
  const SumInSteps stalls = SumOf(facts.steps, StepPart::stalled);
  if (facts.steps.overlap || stalls.step == nullptr) return {};
  if (stalls.OfStepsPercent() < kModerateStalls) return {};
  findings->push_back(DescribePart(facts, FindingId::stalled_on_async, stalls, kStallShares));
  return {};
}

}  // namespace tfprof
