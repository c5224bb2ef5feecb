// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/grouping/event_groups.h"

#include <algorithm>
#include <map>

#include "analysis/flops/device_type.h"
#include "analysis/indexes.h"
#include "analysis/place.h"
#include "analysis/recorded_keys.h"
#include "analysis/steps/grouping/group_by_roots.h"
#include "analysis/steps/grouping/group_by_times.h"
#include "analysis/steps/step_selection.h"

namespace tfprof {
namespace {

// The processes whose groups are needed; see GroupsOfDevices.
enum class GroupsOf : uint8_t { all, devices };

// Returns the host and device processes with events, grouped by host within one source.
std::vector<std::vector<ProcessId>> ProcessesToGroup(const Store& store) {
  std::vector<std::vector<ProcessId>> runs;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::host && process.kind != ProcessKind::device) continue;
    if (!HasEvents(store, process)) continue;
    const Process* last = runs.empty() ? nullptr : &store.processes[runs.back()[0].value];
    if (last == nullptr || last->source != process.source || last->host != process.host) {
      runs.emplace_back();
    }
    runs.back().push_back(ProcessId(i));
  }
  return runs;
}

// Calls take(rows, id) for each run of events with one group.
template <class Take>
void EachRecordedValue(const DetailColumn& column, Take take) {
  column.EachRun(column.rows, [&](uint32_t first, uint32_t end) {
    const int64_t id = column.Has(first) ? column.Integer(first) : -1;
    if (id >= 0) take(Range{first, end - first}, id);
  });
}

// Adds the groups that these columns record, by id, after the existing groups.
void TakeColumns(std::span<const IndexPtr<DetailColumn>> columns, HostId host,
                 EventGroups* groups) {
  std::map<int64_t, uint32_t> index_of;  // by id
  for (const auto& column : columns) {
    int64_t last = -1;
    EachRecordedValue(*column, [&](Range, int64_t id) {
      if (id != last) index_of.try_emplace(id);
      last = id;
    });
  }
  for (auto& [id, index] : index_of) {
    index = static_cast<uint32_t>(groups->groups.size());
    groups->groups.push_back({host, id, id, EventId(), false});
  }
  NarrowWriter writer(&groups->of_event);
  for (const auto& column : columns) {
    auto last = index_of.end();
    EachRecordedValue(*column, [&](Range rows, int64_t id) {
      if (last == index_of.end() || last->first != id) last = index_of.find(id);
      writer.Fill(rows, last->second);
    });
  }
  writer.Finish();
}

Result<bool> AllRecordGroups(const Store& store, std::span<const ProcessId> processes,
                             Context& context) {
  for (const ProcessId process : processes) {
    TFPROF_ASSIGN(const bool is_conclusive,
                  IsKeyRecorded(store, process, AttributeKey::group, context));
    if (!is_conclusive) return false;
  }
  return true;
}

// REQUIRES: all processes are on one host and record their groups.
Result<void> TakeStored(const Store& store, const Indexes& indexes,
                        std::span<const ProcessId> processes, GroupsOf selected,
                        EventGroups* groups, Context& context) {
  std::vector<IndexPtr<DetailColumn>> columns;
  for (const ProcessId process : processes) {
    const bool is_host = store.processes[process.value].kind == ProcessKind::host;
    if (is_host && selected == GroupsOf::devices) continue;
    TFPROF_ASSIGN(columns.emplace_back(), indexes.Details(process, AttributeKey::group, context));
  }
  TakeColumns(columns, store.processes[processes[0].value].host, groups);
  return {};
}

Result<bool> GroupsAreRecorded(const Store& store, Context& context) {
  for (const std::vector<ProcessId>& processes : ProcessesToGroup(store)) {
    TFPROF_ASSIGN(const bool are_recorded, AllRecordGroups(store, processes, context));
    if (!are_recorded) return false;
  }
  return true;
}

Result<EventGroups> GroupEvents(const Indexes& indexes, GroupsOf selected, Context& context) {
  const Store& store = *indexes.store();
  EventGroups groups;
  if (!store.IsTrace()) return groups;
  groups.of_event = NarrowColumn(store.EventCount());
  for (const std::vector<ProcessId>& processes : ProcessesToGroup(store)) {
    TFPROF_ASSIGN(const bool are_recorded, AllRecordGroups(store, processes, context));
    if (are_recorded) {
      TFPROF_TRY(TakeStored(store, indexes, processes, selected, &groups, context));
    } else if (HasStepMarkers(store, processes)) {
      TFPROF_TRY(GroupByMarkers(store, indexes, processes, &groups, context));
    } else {
      TFPROF_TRY(GroupByRoots(store, indexes, processes, &groups, context));
    }
  }
  return groups;
}

struct DeviceGroups {
  using Value = EventGroups;
  static Result<EventGroups> Build(const Indexes& indexes, Context& context) {
    return GroupEvents(indexes, GroupsOf::devices, context);
  }
};

}  // namespace

bool HasDeviceWork(const Store& store, HostId host) {
  return std::ranges::any_of(store.processes, [&](const Process& process) {
    return process.host == host && DeviceKindOf(store, process) != DeviceKind::other &&
           WasActive(store, process, Measures::accelerator_time);
  });
}

std::string GroupName(const Store& store, const EventGroup& group) {
  const LabelId label = store.events.label[group.root.value];
  const std::string name(store.Text(store.labels[label.value].name));
  const std::string number = std::to_string(group.number);
  return name.ends_with("#" + number) ? name : name + " " + number;
}

Result<EventGroups> EventGroups::Build(const Indexes& indexes, Context& context) {
  return GroupEvents(indexes, GroupsOf::all, context);
}

Result<IndexPtr<EventGroups>> GroupsOfDevices(const Indexes& indexes, Context& context) {
  TFPROF_ASSIGN(const bool are_recorded, GroupsAreRecorded(*indexes.store(), context));
  if (!are_recorded) return indexes.Get<EventGroups>(context);
  return indexes.Get<DeviceGroups>(context);
}
Result<std::vector<bool>> GroupsOfStep(const EventGroups& groups, const PlaceFilter& place) {
  std::vector<bool> chosen;
  if (place.step < 0) return chosen;
  bool any = false;
  for (const bool marked : {true, false}) {
    chosen.assign(groups.groups.size(), false);
    for (size_t i = 0; i < groups.groups.size(); ++i) {
      const EventGroup& group = groups.groups[i];
      chosen[i] = place.TakesStep(group.number) && (group.is_marked || !marked);
      any = any || chosen[i];
    }
    if (any) return chosen;
  }
  return NoSuchStep(place, NumbersOf(groups));
}

}  // namespace tfprof
