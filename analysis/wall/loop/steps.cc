// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/loop/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "analysis/wall/loop/repetition.h"

namespace tfprof {
namespace {

Interval SpanOfRow(const Store& store, uint32_t row) {
  const int64_t start_ps = store.events.start_ps[row];
  return {start_ps, SaturatingAdd(start_ps, store.events.duration_ps[row])};
}

// Where a host only starts programs, markers end before the work does: the last executions that
// were started belong to the steps.
int64_t EndOfWork(const DrivingThread& thread, const HostExecutions& executions,
                  const Interval& marked) {
  size_t started = 0, counted = 0;
  for (const ProgramCall& call : thread.calls) {
    started += call.start_ps >= marked.start_ps && call.start_ps < marked.end_ps;
  }
  int64_t end_ps = marked.end_ps;
  for (const HostExecution& run : executions.executions) {
    if (run.start_ps < marked.start_ps) continue;
    if (++counted > started) break;
    end_ps = std::max(end_ps, run.end_ps);
  }
  return end_ps;
}

// "train step" of "train step 7" and "train step 8".
std::string NameOfMarkers(const Store& store, const DrivingThread& thread) {
  const auto name_of = [&](uint32_t row) {
    return store.Text(store.labels[store.events.label[row].value].name);
  };
  std::string_view name = name_of(thread.markers.front());
  if (name == name_of(thread.markers.back())) return std::string(name);
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
  while (!name.empty() && (name.back() == ' ' || name.back() == '#')) name.remove_suffix(1);
  return std::string(name);
}

WallSteps MarkedSteps(const Store& store, const DrivingThread& thread,
                      const HostExecutions& executions) {
  WallSteps found{.origin = StepOrigin::marked};
  for (const uint32_t row : thread.markers) {
    const Interval step = SpanOfRow(store, row);
    // A marker within another one numbers parts of a step.
    if (!found.steps.empty() && step.start_ps < found.steps.back().end_ps) continue;
    found.steps.push_back(step);
    const DetailColumn& numbers = *thread.columns.step_number;
    const int64_t number = numbers.rows.count == 0 ? kNoInt : numbers.Integer(row);
    found.numbers.push_back(number == kNoInt ? static_cast<int64_t>(found.numbers.size()) : number);
  }
  found.of = NameOfMarkers(store, thread);
  found.window = {found.steps.front().start_ps, found.steps.back().end_ps};
  found.window.end_ps = EndOfWork(thread, executions, found.window);
  return found;
}

WallSteps Between(std::span<const int64_t> starts, std::string of) {
  WallSteps found{.of = std::move(of)};
  if (starts.size() < kMinRepeats) return found;
  for (size_t i = 1; i < starts.size(); ++i) {
    found.steps.push_back({starts[i - 1], starts[i]});
    found.numbers.push_back(static_cast<int64_t>(i - 1));
  }
  found.window = {starts.front(), starts.back()};
  return found;
}

// Each repetition of the sequence of runs.
WallSteps OfCycle(std::span<const Run> runs, const Cycle& cycle, std::string_view what) {
  std::vector<int64_t> starts;
  for (size_t i = cycle.first; i < runs.size(); i += cycle.period) {
    starts.push_back(runs[i].start_ps);
  }
  return Between(starts, fmt::format("a sequence of {} {}", cycle.period, what));
}

// Returns true if the main program is an operation among many of each repetition, as in a loop that
// starts operations one by one: different programs run between its runs. Between steps with an
// evaluation now and then, mostly the same ones do.
bool IsOneOfMany(std::span<const Run> runs, const Cycle& cycle, std::string_view main) {
  constexpr size_t kMany = 10;
  if (cycle.period < kMany) return false;
  size_t at = cycle.first;
  while (at < cycle.first + cycle.period && runs[at].name != main) ++at;
  std::map<std::vector<std::string_view>, size_t> between;
  std::vector<std::string_view> names;
  size_t count = 0, most = 0;
  for (const Run& run : runs.subspan(at + 1, cycle.period)) {
    if (run.name != main) {
      names.push_back(run.name);
      continue;
    }
    most = std::max(most, ++between[std::exchange(names, {})]);
    ++count;
  }
  return count > 1 && most * 2 < count;
}

// The steps from one start of the main program to the next one. Where these differ widely, or the
// program is one of many operations, and the sequence of all programs repeats, a step is one
// repetition.
WallSteps OfRuns(std::span<const Run> runs, std::string_view main) {
  std::vector<int64_t> starts;
  for (const Run& run : runs) {
    if (run.name == main) starts.push_back(run.start_ps);
  }
  WallSteps found = Between(starts, std::string(main));
  if (found.steps.empty()) return found;
  const Cycle cycle = CycleOf(runs);
  if (cycle.period < 2 || !(Vary(found.steps) || IsOneOfMany(runs, cycle, main))) return found;
  return OfCycle(runs, cycle, "programs");
}

WallSteps OfExecutions(const DrivingThread& thread, const HostExecutions& executions) {
  std::vector<Run> runs;
  for (const HostExecution& run : executions.executions) {
    runs.push_back({run.program, run.start_ps});
  }
  return OfRuns(runs, thread.main_program);
}

WallSteps OfCalls(const DrivingThread& thread) {
  std::vector<Run> runs;
  for (const ProgramCall& call : thread.calls) runs.push_back({call.name, call.start_ps});
  return OfRuns(runs, thread.main_call);
}

WallSteps OfIterator(const Store& store, const DrivingThread& thread) {
  std::vector<int64_t> starts;
  std::string_view name;
  for (const uint32_t row : thread.nesting.order) {
    const Label& label = store.labels[store.events.label[row].value];
    if (label.role != EventRole::root_iterator) continue;
    starts.push_back(store.events.start_ps[row]);
    name = store.Text(label.name);
  }
  return Between(starts, std::string(name));
}

// From one update of what the program learns to the next, else from one element of input to the
// next.
WallSteps OfRegions(const Store& store, const DrivingThread& thread) {
  std::vector<int64_t> updates, inputs;
  std::string_view update, input;
  for (const uint32_t row : thread.nesting.order) {
    const Label& label = store.labels[store.events.label[row].value];
    if (label.of != EventClass::annotation) continue;
    const bool updates_it = label.role == EventRole::update;
    if (!updates_it && label.role != EventRole::input_fetch) continue;
    (updates_it ? updates : inputs).push_back(store.events.start_ps[row]);
    const std::string_view name = store.Text(label.display.some() ? label.display : label.name);
    (updates_it ? update : input) = name;
  }
  WallSteps found = Between(updates, std::string(update));
  return found.steps.empty() ? Between(inputs, std::string(input)) : found;
}

// Of operations that the thread starts one by one.
WallSteps OfEagerOps(const Store& store, const DrivingThread& thread) {
  std::vector<Run> runs;
  for (const uint32_t row : thread.nesting.order) {
    if (!thread.columns.IsEagerOp(store, row)) continue;
    runs.push_back({thread.columns.EagerOp(row), store.events.start_ps[row]});
  }
  const Cycle cycle = CycleOf(runs);
  return cycle.period < 2 ? WallSteps() : OfCycle(runs, cycle, "operations");
}

WallSteps OfDevices(const HostSteps& host) {
  WallSteps found{.origin = StepOrigin::marked,
                  .of = host.device == DeviceKind::gpu ? "GPUs" : "TPUs"};
  Interval& window = found.window;
  window = {host.steps[0].start_ps, host.steps[0].EndPs()};
  for (const StepTime& step : host.steps) {
    found.steps.push_back({step.start_ps, step.EndPs()});
    found.numbers.push_back(step.number);
    window.start_ps = std::min(window.start_ps, step.start_ps);
    window.end_ps = std::max(window.end_ps, step.EndPs());
  }
  return found;
}

// Returns true if the program marks these steps on the thread, and not by time: devices record
// where they begin to work for a step, and the program where the step begins.
bool AreMarkedOn(const Store& store, const DrivingThread& thread, const WallSteps& marked,
                 const HostSteps& of_devices) {
  const LabelId marker = store.events.label[thread.markers.front()];
  return of_devices.device == DeviceKind::gpu &&
         store.labels[marker.value].of != EventClass::annotation &&
         std::ranges::equal(marked.numbers, of_devices.steps, {}, {}, &StepTime::number);
}

}  // namespace

WallSteps StepsOnThread(const Store& store, const DrivingThread& thread,
                        const HostExecutions& executions, const HostSteps* of_devices,
                        Interval capture) {
  WallSteps found;
  if (!thread.markers.empty()) found = MarkedSteps(store, thread, executions);
  if (of_devices != nullptr && !of_devices->steps.empty()) {
    const bool on_thread = !found.steps.empty() && AreMarkedOn(store, thread, found, *of_devices);
    if (!on_thread) return OfDevices(*of_devices);
  }
  if (found.steps.empty()) found = OfExecutions(thread, executions);
  if (found.steps.empty()) found = OfCalls(thread);
  if (found.steps.empty()) found = OfIterator(store, thread);
  if (found.steps.empty()) found = OfRegions(store, thread);
  if (found.steps.empty()) found = OfEagerOps(store, thread);
  if (found.steps.empty()) found.window = capture;
  found.on_thread = found.steps;
  return found;
}

WallSteps StepsOnDevice(WallSteps of_host, std::span<const Interval> runs,
                        std::string_view program) {
  if (of_host.origin == StepOrigin::marked || runs.size() < kMinRepeats) return of_host;
  // The window ends with the last call; of a host that is not ahead, its program begins about then.
  const bool ahead = SpanOf(of_host.window.end_ps, runs.back().start_ps) > of_host.StepPs();
  if (!of_host.steps.empty() && !ahead) return of_host;
  WallSteps found{.on_device = true, .of = std::string(program)};
  for (size_t i = 0; i < runs.size(); ++i) {
    const bool is_last = i + 1 == runs.size();
    found.steps.push_back({runs[i].start_ps, is_last ? runs[i].end_ps : runs[i + 1].start_ps});
    found.numbers.push_back(static_cast<int64_t>(i));
  }
  found.window = {runs.front().start_ps, runs.back().end_ps};
  return found;
}

void ExcludeWarmUp(int64_t compiling_ps, WallSteps* steps) {
  constexpr size_t kMinSteps = 3;
  constexpr int64_t kTimes = 3;
  if (steps->origin != StepOrigin::marked || steps->steps.size() < kMinSteps) return;
  std::vector<int64_t> others;
  for (size_t i = 1; i < steps->steps.size(); ++i) {
    others.push_back(SpanOf(steps->steps[i].start_ps, steps->steps[i].end_ps));
  }
  const auto median = others.begin() + static_cast<ptrdiff_t>(others.size() / 2);
  std::ranges::nth_element(others, median);
  const Interval first = steps->steps.front();
  const int64_t first_ps = SpanOf(first.start_ps, first.end_ps);
  if (first_ps / kTimes < *median || compiling_ps >= first_ps / 2) return;
  steps->warm_up = steps->numbers.front();
  steps->warm_up_ps = first_ps;
  steps->steps.erase(steps->steps.begin());
  steps->numbers.erase(steps->numbers.begin());
  if (!steps->on_thread.empty()) steps->on_thread.erase(steps->on_thread.begin());
  steps->window.start_ps = steps->steps.front().start_ps;
}

}  // namespace tfprof
