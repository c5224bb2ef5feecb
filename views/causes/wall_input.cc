// SPDX-License-Identifier: Apache-2.0
#include "views/causes/wall_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/place.h"
#include "analysis/steps/times.h"
#include "core/store/op_name.h"
#include "views/advice/input_cause.h"
#include "views/tfdata/advice.h"

namespace tfprof {
namespace {

struct LongestStep {
  int64_t ps = 0;
  int64_t number = 0;
};

LongestStep LongestWait(const HostWall& wall) {
  LongestStep longest;
  for (size_t i = 0; i < wall.steps.steps.size(); ++i) {
    const Interval& step = wall.steps.steps[i];
    int64_t ps = 0;
    for (const WallSegment& segment : wall.segments) {
      if (segment.part >= wall.parts.size()) continue;
      if (wall.parts[segment.part].kind != WallKind::input) continue;
      const int64_t from_ps = std::max(step.start_ps, segment.start_ps);
      ps += std::max<int64_t>(std::min(step.end_ps, segment.end_ps) - from_ps, 0);
    }
    if (ps > longest.ps) longest = {ps, wall.steps.numbers[i]};
  }
  return longest;
}

}  // namespace

Result<void> AddLoader(const StepFacts& facts, Finding* finding) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  const std::vector<WallCause> causes =
      CausesOf(WallsOf(facts, *times), WallKind::input, kInputThreshold);
  if (causes.empty()) return {};
  const WallPart& part = causes[0].part;
  std::vector<Value>& values = finding->values;
  values.push_back(TextIfAny("loader", part.name));
  // Workers make the input in other processes: what is called beside waiting for them is short.
  const bool makes = !part.calls.empty() && part.calls[0].amount >= part.ps / 10;
  values.push_back(TextIfAny("maker", makes ? part.calls[0].name : ""));
  values.push_back(TextIfAny("sleeps", Sleeps(part) ? kSleep : ""));
  return {};
}

void AddStage(const InputOps& ops, Finding* finding) {
  const InputOp* costliest = ops.Costliest();
  if (costliest == nullptr) return;
  const IteratorFacts& of = ops.of_costliest;
  const bool python = of.IsPython();
  const bool ahead = costliest->name.find("::Prefetch") != costliest->name.npos;
  std::vector<Value>& values = finding->values;
  values.push_back(Text("stage", LastIterator(costliest->name)));
  values.push_back(When("pyfunc", python));
  values.push_back(TextIfAny("in_operation", python ? "" : of.operation));
  values.push_back(When("serial", !python && of.parallelism == 1));
  values.push_back(When("inline", !ahead));
}

Result<std::optional<Finding>> InputOfWall(const StepFacts& facts, double other_percent) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  const std::vector<WallCause> causes =
      CausesOf(WallsOf(facts, *times), WallKind::input, kInputThreshold);
  // The parts of steps show less of it where other threads work meanwhile.
  const bool known =
      other_percent >= kModerateInput &&
      (facts.trace.hosts.size() > 1 || causes.empty() || causes[0].Percent() <= 2 * other_percent);
  if (causes.empty() || known) return std::nullopt;
  const auto& [wall, part] = causes[0];
  Finding finding = DescribeCause(facts, FindingId::input_bound, wall, part.ps, kWallInputShares);
  PlaceFilter place = facts.place;
  if (facts.trace.hosts.size() > 1) place.host = HostName(facts.trace, wall.host);
  TFPROF_ASSIGN(const InputOps ops, OpsOfWaiting(facts, place));
  const LongestStep longest = LongestWait(wall);
  const InputOp* costliest = ops.Costliest();
  std::vector<Value>& values = finding.values;
  values.push_back(Number("steps", static_cast<int64_t>(wall.steps.steps.size())));
  values.push_back(Time("longest", longest.ps == 0 ? part.ps : longest.ps));
  values.push_back(Text("step", wall.steps.steps.empty()
                                    ? std::string("the capture")
                                    : StepName(facts.trace, wall.host, longest.number)));
  values.push_back(When("waits", true));
  values.push_back(When("of_steps", !wall.steps.steps.empty()));
  values.push_back(When("of_capture", wall.steps.steps.empty()));
  values.push_back(When("of_host", facts.trace.hosts.size() > 1));
  values.push_back(HostWord(facts.trace, wall.host));
  values.push_back(When("no_iterator", costliest == nullptr));
  AddStage(ops, &finding);
  TFPROF_TRY(AddLoader(facts, &finding));
  if (costliest != nullptr) {
    values.push_back(Text("iterator", costliest->name));
    values.push_back(Time("iterator_time", costliest->OwnPs()));
    values.push_back(Number("calls", costliest->count));
    values.push_back(TextIfAny("python", DisplayTextOf(ops.of_costliest)));
    values.push_back(
        Text("iterator_advice", AdviceFor(LastIterator(costliest->name), ops.of_costliest)));
  }
  return finding;
}

}  // namespace tfprof
