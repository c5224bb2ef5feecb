// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/event_roots.h"

#include <algorithm>

#include "analysis/indexes.h"

namespace tfprof {
namespace {

constexpr std::string_view kRunsOfFunctions[] = {"FunctionRun", "SessionRun", "RunGraph",
                                                 "ExecutorState::Process"};
constexpr std::string_view kOldStepMarker = "TraceContext";  // of recorders before `root_level`

bool IsRunOfFunction(std::string_view name) {
  return std::find(std::begin(kRunsOfFunctions), std::end(kRunsOfFunctions), name) !=
         std::end(kRunsOfFunctions);
}

// By label of the process: the level of a root by that name alone; -1: it is none.
std::vector<int8_t> LevelsByName(const Store& store, const Process& process) {
  std::vector<int8_t> levels(process.labels.count, -1);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const std::string_view name = store.Text(store.labels[process.labels.first + i].name);
    if (name == kOldStepMarker) levels[i] = 1;
    if (IsRunOfFunction(name)) levels[i] = 0;
  }
  return levels;
}

void AddRoots(const Store& store, const Process& process, const DetailColumn& level_column,
              std::vector<EventRoot>* roots) {
  const std::vector<int8_t> by_name = LevelsByName(store, process);
  const bool any_name =
      std::any_of(by_name.begin(), by_name.end(), [](int8_t l) { return l >= 0; });
  if (!any_name && level_column.rows.count == 0) return;
  const Range rows = RowsOf(store, process);
  for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
    int64_t level = -1;
    if (level_column.rows.count > 0 && level_column.Has(row)) level = level_column.Integer(row);
    const uint32_t label = store.events.label[row].value - process.labels.first;
    if (level <= 0 && label < by_name.size()) level = by_name[label];
    if (level < 0) continue;
    const std::string_view name = store.Text(store.labels[store.events.label[row].value].name);
    roots->push_back({row, level, level > 0 && !IsRunOfFunction(name)});
  }
}

}  // namespace

Range RowsOf(const Store& store, const Process& process) {
  if (process.lanes.count == 0) return {};
  const Lane& first = store.lanes[process.lanes.first];
  const Lane& last = store.lanes[process.lanes.first + process.lanes.count - 1];
  return {first.rows.first, last.rows.first + last.rows.count - first.rows.first};
}

Result<std::vector<EventRoot>> FindRoots(const Store& store, const Indexes& indexes,
                                         std::span<const ProcessId> processes, Context& context) {
  std::vector<EventRoot> roots;
  for (const ProcessId id : processes) {
    TFPROF_ASSIGN(const auto levels, indexes.Details(id, AttributeKey::root_level, context));
    AddRoots(store, store.processes[id.value], *levels, &roots);
  }
  std::sort(roots.begin(), roots.end(), [&](const EventRoot& a, const EventRoot& b) {
    if (a.level != b.level) return a.level > b.level;
    const Events& events = store.events;
    const int64_t a_ps = events.start_ps[a.row], b_ps = events.start_ps[b.row];
    if (a_ps != b_ps) return a_ps < b_ps;
    const int64_t a_long = events.duration_ps[a.row], b_long = events.duration_ps[b.row];
    return a_long != b_long ? a_long > b_long : a.row < b.row;
  });
  return roots;
}

}  // namespace tfprof
