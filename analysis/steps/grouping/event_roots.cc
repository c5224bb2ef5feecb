// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/grouping/event_roots.h"

#include <algorithm>

#include "analysis/indexes.h"

namespace tfprof {
namespace {

bool IsRunOfFunction(EventRole role) {
  return role == EventRole::function_run || role == EventRole::graph_run ||
         role == EventRole::graph_executor;
}

// By label of the process: the level of a root by its role alone; -1: it is none.
std::vector<int8_t> LevelsByRole(const Store& store, const Process& process) {
  std::vector<int8_t> levels(process.labels.count, -1);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const EventRole role = store.labels[process.labels.first + i].role;
    if (role == EventRole::root_step_marker) levels[i] = 1;
    if (IsRunOfFunction(role)) levels[i] = 0;
  }
  return levels;
}

void AddRoots(const Store& store, const Process& process, const DetailColumn& level_column,
              std::vector<EventRoot>* roots) {
  const std::vector<int8_t> by_role = LevelsByRole(store, process);
  const bool any_role =
      std::any_of(by_role.begin(), by_role.end(), [](int8_t l) { return l >= 0; });
  if (!any_role && level_column.rows.count == 0) return;
  const Range rows = RowsOf(store, process);
  for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
    int64_t level = -1;
    if (level_column.rows.count > 0 && level_column.Has(row)) level = level_column.Integer(row);
    const uint32_t label = store.events.label[row].value - process.labels.first;
    if (level <= 0 && label < by_role.size()) level = by_role[label];
    if (level < 0) continue;
    const EventRole role = store.labels[store.events.label[row].value].role;
    roots->push_back({row, level, level > 0 && !IsRunOfFunction(role)});
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
