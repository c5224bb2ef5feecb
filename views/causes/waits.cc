// SPDX-License-Identifier: Apache-2.0
// Part of ProgramCallChecker: the program waits for results, or for devices.
#include "views/causes/waits.h"

#include <algorithm>
#include <string>

#include "analysis/steps/spans.h"
#include "analysis/wall/device_waits.h"
#include "analysis/wall/python_names.h"
#include "views/causes/program_starts.h"

namespace tfprof {
namespace {

constexpr int64_t kManyWaits = 3;  // for devices, a step: most trainings read their loss

// The time in which the thread waits for results, whether devices work or not; the call.
struct ResultWaits {
  int64_t ps = 0;
  int64_t count = 0;
  std::string call;
};

ResultWaits WaitsIn(const Store& store, const HostWall& wall) {
  ResultWaits waits;
  for (const HostSegment& segment : wall.causes) {
    if (segment.cause != HostCause::waits || segment.named_by == kNoRow) continue;
    if (segment.start_ps < wall.steps.window.start_ps) continue;
    waits.ps = SaturatingAdd(waits.ps, SpanOf(segment.start_ps, segment.end_ps));
    if (!waits.call.empty()) continue;
    waits.call = "float()";
    for (uint32_t row = segment.named_by; row != kNoRow; row = wall.thread.nesting.ParentOf(row)) {
      const PythonName name = PythonNameOfEvent(store, row);
      if (name.function == "__array__") waits.call = "np.asarray()";
      if (name.function == "__int__") waits.call = "int()";
      if (name.function == "__bool__") waits.call = "bool()";
      if (name.function == "item") waits.call = "item()";
    }
  }
  return waits;
}

}  // namespace

// The program that waits for each result starts the next one late: what it does in between delays
// the device.
void AddWaitsForResults(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                        std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const ResultWaits waits = WaitsIn(facts.trace, *wall);
    if (wall->Percent(waits.ps) < kMuchOfWall) continue;
    const auto function = std::ranges::find_if(
        wall->parts, [](const WallPart& part) { return part.kind == WallKind::python; });
    if (function == wall->parts.end() || wall->Percent(function->ps) < kMuchOfWall) continue;
    Finding finding = DescribeCause(facts, FindingId::waits_for_results, *wall, function->ps);
    finding.explained_by = {FindingId::steps_get_longer, FindingId::copies_in_steps};
    if (MostlyStarts(facts.trace, *wall, *function)) {
      finding.explained_by.push_back(FindingId::many_programs);
    }
    finding.values.push_back(Text("call", waits.call));
    finding.values.push_back(Text("function", function->name));
    findings->push_back(std::move(finding));
    return;
  }
}

void AddWaitsForDevices(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                        std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const DeviceWaits waits = DeviceWaitsOf(facts.trace, *wall);
    const int64_t a_step = waits.count / StepsIn(*wall);
    if (a_step <= kManyWaits || wall->Percent(waits.idle_ps) < kWallThreshold) continue;
    Finding finding = DescribeCause(facts, FindingId::waits_for_devices, *wall, waits.idle_ps);
    finding.values.push_back(Number("waits", a_step));
    finding.values.push_back(Number("recorded", waits.recorded));
    finding.values.push_back(Text("call", waits.calls[0].name));
    finding.values.push_back(
        TextIfAny("function", waits.functions.empty() ? "" : waits.functions[0].name));
    findings->push_back(std::move(finding));
    return;
  }
}

}  // namespace tfprof
