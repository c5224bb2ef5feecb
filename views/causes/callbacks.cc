// SPDX-License-Identifier: Apache-2.0
// Part of ProgramCallChecker: what programs call on the host while they run.
#include "views/causes/callbacks.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "analysis/wall/python_names.h"
#include "core/base/sorting.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// The function of the program that a callback runs: the outermost one on a thread of the host,
// within the instruction.
std::string FunctionOfCallbacks(const Store& store, const HostWall& wall) {
  std::map<std::string, int64_t> functions;
  for (const Lane& lane : store.LanesOf(store.processes[wall.process.value])) {
    for (const uint32_t row : lane.PlacedRows()) {
      const PythonName name = PythonNameOfEvent(store, row);
      if (name.kind != PythonKind::user) continue;
      const int64_t start_ps = store.events.start_ps[row];
      const int64_t end_ps = store.events.EndPs(row);
      for (const Interval& callback : wall.executions.callbacks.intervals) {
        if (start_ps >= callback.start_ps && end_ps <= callback.end_ps) {
          functions[DisplayText(name)] += end_ps - start_ps;
        }
      }
    }
  }
  const auto max = std::ranges::max_element(functions, {}, [](const auto& f) { return f.second; });
  return max == functions.end() ? std::string() : max->first;
}

// What the program calls, by time: the types of operations, or the names of instructions.
std::vector<NamedAmount> CallbackNames(const Store& store, const HostWall& wall) {
  std::map<std::string, int64_t> names;
  for (const uint32_t row : wall.executions.callbacks.rows) {
    const Label& label = store.labels[store.events.label[row].value];
    std::string_view name = store.Text(OpText(label));
    const OpName op = OpNameOf(label.of, name);
    name = op ? op.type : name.substr(0, name.find('.'));
    names[std::string(name)] += store.events.duration_ps[row];
  }
  return LargestFirst(names);
}

}  // namespace

void AddCallbacks(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                  std::vector<Finding>* findings) {
  const std::vector<WallCause> causes = CausesOf(walls, WallKind::callback);
  if (causes.empty()) return;
  const auto& [wall, part] = causes[0];
  Finding finding = DescribeCause(facts, FindingId::python_callback, wall, part.ps);
  const Callback what = wall.executions.callbacks.what;
  finding.values.push_back(When("printing", what == Callback::printing));
  finding.values.push_back(When("summaries", what == Callback::summaries));
  finding.values.push_back(When("python", what == Callback::python));
  std::string_view program = wall.thread.main_program;
  if (program.empty()) program = wall.thread.main_call;
  finding.values.push_back(Text("program", program.empty() ? "the program" : program));
  finding.values.push_back(Text("callback", LargestNames(CallbackNames(facts.trace, wall), 2)));
  finding.values.push_back(TextIfAny(
      "function", what == Callback::python ? FunctionOfCallbacks(facts.trace, wall) : ""));
  findings->push_back(std::move(finding));
}

}  // namespace tfprof
