// SPDX-License-Identifier: Apache-2.0
#include "views/steps/event_groups.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "views/can_tell.h"
#include "views/indexes.h"
#include "views/steps/group_by_roots.h"

namespace tfprof {
namespace {

Range EventsOf(const Store& store, const Process& process) {
  if (process.lanes.count == 0) return {};
  const Lane& first = store.lanes[process.lanes.first];
  const Lane& last = store.lanes[process.lanes.first + process.lanes.count - 1];
  return {first.rows.first, last.rows.first + last.rows.count - first.rows.first};
}

// The host and device processes with events; those of one host in one source together.
std::vector<std::vector<ProcessId>> ProcessesToGroup(const Store& store) {
  std::vector<std::vector<ProcessId>> runs;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::host && process.kind != ProcessKind::device) continue;
    if (EventsOf(store, process).count == 0) continue;
    const Process* last = runs.empty() ? nullptr : &store.processes[runs.back()[0].value];
    if (last == nullptr || last->source != process.source || last->host != process.host) {
      runs.emplace_back();
    }
    runs.back().push_back(ProcessId(i));
  }
  return runs;
}

// Brings the groups from `first` on into the order of their ids.
void SortById(size_t first, std::span<const Range> rows, EventGroups* groups) {
  std::vector<EventGroup>& all = groups->groups;
  const auto by_id = [](const EventGroup& a, const EventGroup& b) { return a.id < b.id; };
  if (std::is_sorted(all.begin() + static_cast<ptrdiff_t>(first), all.end(), by_id)) return;
  std::vector<uint32_t> order(all.size() - first);
  std::iota(order.begin(), order.end(), static_cast<uint32_t>(first));
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return by_id(all[a], all[b]); });
  std::vector<uint32_t> place(order.size());
  std::vector<EventGroup> sorted;
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i] - first] = static_cast<uint32_t>(first + i);
    sorted.push_back(all[order[i]]);
  }
  std::copy(sorted.begin(), sorted.end(), all.begin() + static_cast<ptrdiff_t>(first));
  for (const Range& range : rows) {
    for (uint32_t row = range.first; row < range.first + range.count; ++row) {
      uint32_t& group = groups->of_event[row];
      if (group != EventGroups::kNone) group = place[group - first];
    }
  }
}

// Numbers the groups of a source in the order in which they are met.
struct GroupNumbers {
  HostId host;
  EventGroups* groups;
  std::unordered_map<int64_t, uint32_t> known = {};

  uint32_t IndexOf(int64_t id) {
    const auto fresh = static_cast<uint32_t>(groups->groups.size());
    const auto [found, is_new] = known.try_emplace(id, fresh);
    if (is_new) groups->groups.push_back({host, id, id, EventId(), false});
    return found->second;
  }
};

void TakeColumn(const DetailColumn& column, GroupNumbers* numbers) {
  column.EachRun(column.rows, [&](uint32_t first, uint32_t end) {
    const int64_t id = column.Has(first) ? column.Integer(first) : -1;
    if (id < 0) return;
    std::fill_n(numbers->groups->of_event.data() + first, end - first, numbers->IndexOf(id));
  });
}

Result<bool> AllTellGroups(const Store& store, std::span<const ProcessId> processes,
                           Context& context) {
  for (const ProcessId process : processes) {
    TFPROF_ASSIGN(const bool tells, CanTell(store, process, "group", context));
    if (!tells) return false;
  }
  return true;
}

// REQUIRES: all processes are of one host and tell their groups.
Result<void> TakeStored(const Store& store, const Indexes& indexes,
                        std::span<const ProcessId> processes, GroupsOf asked, EventGroups* groups,
                        Context& context) {
  const size_t first = groups->groups.size();
  GroupNumbers numbers{store.processes[processes[0].value].host, groups};
  std::vector<Range> rows;
  for (const ProcessId process : processes) {
    const bool is_host = store.processes[process.value].kind == ProcessKind::host;
    if (is_host && asked == GroupsOf::devices) continue;
    TFPROF_ASSIGN(const auto column, indexes.Details(process, "group", context));
    rows.push_back(column->rows);
    TakeColumn(*column, &numbers);
  }
  SortById(first, rows, groups);
  return {};
}

}  // namespace

Result<bool> GroupsAreTold(const Store& store, Context& context) {
  for (const std::vector<ProcessId>& processes : ProcessesToGroup(store)) {
    TFPROF_ASSIGN(const bool are_told, AllTellGroups(store, processes, context));
    if (!are_told) return false;
  }
  return true;
}

bool HasDeviceWork(const Store& store, HostId host) {
  for (const Process& process : store.processes) {
    if (process.host != host || !process.device.some()) continue;
    if (store.devices[process.device.value].kind == DeviceKind::other) continue;
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const Lane& lane = store.lanes[process.lanes.first + i];
      if (lane.measures == Measures::accelerator_time && lane.rows.count > 0) return true;
    }
  }
  return false;
}

std::string GroupName(const Store& store, const EventGroup& group) {
  const LabelId label = store.events.label[group.root.value];
  return std::string(store.Text(store.labels[label.value].name)) + " " +
         std::to_string(group.number);
}

Result<EventGroups> GroupEvents(const Store& store, const Indexes& indexes, GroupsOf asked,
                                Context& context) {
  EventGroups groups;
  if (store.processes.empty()) return groups;
  groups.of_event.Resize(store.EventCount(), EventGroups::kNone);
  for (const std::vector<ProcessId>& processes : ProcessesToGroup(store)) {
    TFPROF_ASSIGN(const bool are_told, AllTellGroups(store, processes, context));
    TFPROF_TRY(are_told ? TakeStored(store, indexes, processes, asked, &groups, context)
                        : GroupByRoots(store, indexes, processes, &groups, context));
  }
  return groups;
}

Result<std::vector<bool>> GroupsOfStep(const EventGroups& groups, const Query& query) {
  std::vector<bool> chosen;
  if (query.step < 0) return chosen;
  bool any = false;
  for (const bool marked : {true, false}) {
    chosen.assign(groups.groups.size(), false);
    for (size_t i = 0; i < groups.groups.size(); ++i) {
      const EventGroup& group = groups.groups[i];
      chosen[i] = query.TakesStep(group.number) && (group.is_marked || !marked);
      any = any || chosen[i];
    }
    if (any) return chosen;
  }
  return Fail(ErrorKind::usage, "no step " + query.StepText(), "",
              groups.groups.empty() ? "no step was recorded" : "steps lists them");
}

}  // namespace tfprof
