// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/device_runs.h"

#include <algorithm>
#include <map>

#include "analysis/place.h"
#include "analysis/runs/gpu_runs.h"
#include "core/base/arith.h"

namespace tfprof {
namespace {

Interval IntervalOf(const Events& events, uint32_t row) {
  return {events.start_ps[row], events.EndPs(row)};
}

// "jit_step(123)" -> jit_step.
std::string_view ProgramName(std::string_view recorded) {
  return recorded.substr(0, recorded.find('('));
}

// Calls take(program, row) for the events on the line of programs that the device recorded.
template <class Take>
void EachOnLineOfPrograms(const Store& store, const Process& process, const Take& take) {
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.role != LaneRole::modules || lane.derived) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      const NameId name = store.labels[store.events.label[row].value].name;
      take(ProgramName(store.Text(name)), row);
    }
  }
}

Result<std::vector<Interval>> OfKernels(const Store& store, const Indexes& indexes,
                                        ProcessId device, std::string_view program,
                                        Context& context) {
  TFPROF_ASSIGN(const auto modules, indexes.Details(device, AttributeKey::module, context));
  TFPROF_ASSIGN(const auto of_kernels, indexes.Get<GpuRuns>(device, context));
  std::vector<Interval> runs(of_kernels->executions.size(), {kMaxPs, kMinPs});
  for (const Lane* lane : LanesThatMeasure(store, device, Measures::accelerator_time)) {
    for (const uint32_t row : lane->PlacedRows()) {
      const uint32_t execution = of_kernels->ExecutionOf(row);
      if (execution == GpuRuns::kNone || ProgramName(modules->Text(row)) != program) continue;
      const Interval kernel = IntervalOf(store.events, row);
      Interval& run = runs[execution];
      run = {std::min(run.start_ps, kernel.start_ps), std::max(run.end_ps, kernel.end_ps)};
    }
  }
  std::erase_if(runs, [](const Interval& run) { return run.end_ps < run.start_ps; });
  return runs;
}

}  // namespace

Result<std::string> MainProgramOn(const Store& store, const Indexes& indexes, ProcessId device,
                                  Context& context) {
  std::map<std::string_view, int64_t> times;
  const auto add = [&](std::string_view name, uint32_t row) {
    int64_t& ps = times[name];
    ps = SaturatingAdd(ps, store.events.duration_ps[row]);
  };
  EachOnLineOfPrograms(store, store.processes[device.value], add);
  TFPROF_ASSIGN(const auto modules, indexes.Details(device, AttributeKey::module, context));
  if (times.empty()) {
    for (uint32_t row = modules->rows.first; row < modules->rows.After(); ++row) {
      const bool placed = store.events.start_ps[row] != kNoTime;
      if (placed && modules->Has(row)) add(ProgramName(modules->Text(row)), row);
    }
  }
  const auto most = std::ranges::max_element(times, {}, [](const auto& of) { return of.second; });
  return most == times.end() ? std::string() : std::string(most->first);
}

Result<std::vector<Interval>> RunsOnDevice(const Store& store, const Indexes& indexes,
                                           ProcessId device, std::string_view program,
                                           Context& context) {
  const Process& process = store.processes[device.value];
  std::vector<Interval> runs;
  EachOnLineOfPrograms(store, process, [&](std::string_view name, uint32_t row) {
    if (name == program) runs.push_back(IntervalOf(store.events, row));
  });
  if (runs.empty() && DeviceKindOf(store, process) == DeviceKind::gpu) {
    TFPROF_ASSIGN(runs, OfKernels(store, indexes, device, program, context));
  }
  std::ranges::sort(runs, {}, &Interval::start_ps);
  return runs;
}

}  // namespace tfprof
