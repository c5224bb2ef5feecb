// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/grouping/group_by_roots.h"

#include <algorithm>
#include <charconv>

#include "analysis/indexes.h"
#include "analysis/steps/grouping/event_roots.h"
#include "analysis/steps/grouping/linked_events.h"

namespace tfprof {
namespace {

// The linked events that each linked event passes its group on to: children[first[k] .. first[k +
// 1]).
struct EventsWithin {
  std::vector<uint32_t> first;
  std::vector<uint32_t> children;
};

EventsWithin ChildrenOf(const LinkedEvents& linked_events) {
  EventsWithin out;
  out.first.assign(linked_events.row.size() + 1, 0);
  const auto each_edge = [&](const auto& edge) {
    for (uint32_t i = 0; i < linked_events.row.size(); ++i) {
      if (linked_events.around[i] != EventGroups::kNone) edge(linked_events.around[i], i);
    }
    for (const LinkedPair& link : linked_events.links) edge(link.from, link.to);
  };
  each_edge([&](uint32_t from, uint32_t) { ++out.first[from]; });
  uint32_t sum = 0;
  // ends, decremented to the starts while filling
  for (uint32_t& first : out.first) first = sum += first;
  out.children.resize(sum);
  each_edge([&](uint32_t from, uint32_t to) { out.children[--out.first[from]] = to; });
  return out;
}

// Sets the group of everything reachable that has no group yet.
void PropagateGroup(const EventsWithin& children, uint32_t linked_id, uint32_t group,
                    std::vector<uint32_t>* stack, std::vector<uint32_t>* group_of) {
  (*group_of)[linked_id] = group;
  stack->push_back(linked_id);
  while (!stack->empty()) {
    const uint32_t from = stack->back();
    stack->pop_back();
    for (uint32_t i = children.first[from]; i < children.first[from + 1]; ++i) {
      const uint32_t to = children.children[i];
      if ((*group_of)[to] != EventGroups::kNone) continue;
      (*group_of)[to] = group;
      stack->push_back(to);
    }
  }
}

// Creates a group for each root that no earlier root reaches, with everything that the root
// reaches.
void PropagateRoots(const std::vector<EventRoot>& roots, const LinkedEvents& linked_events,
                    const Column<uint32_t>& linked_id_of, HostId host,
                    std::vector<uint32_t>* group_of, EventGroups* groups) {
  const EventsWithin children = ChildrenOf(linked_events);
  const size_t first = groups->groups.size();
  std::vector<uint32_t> stack;
  for (const EventRoot& root : roots) {
    const uint32_t linked_id = linked_id_of[root.row];
    if ((*group_of)[linked_id] != EventGroups::kNone) continue;
    const size_t group = groups->groups.size();
    const auto id = static_cast<int64_t>(group - first);
    groups->groups.push_back({host, id, id, EventId(root.row), root.is_marker});
    PropagateGroup(children, linked_id, static_cast<uint32_t>(group), &stack, group_of);
  }
}

// The text of a TPU step is its number, as a rule.
int64_t NumberOfStep(const Store& store, uint32_t row, int64_t otherwise) {
  const std::string_view text = store.Text(store.labels[store.events.label[row].value].name);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

// Groups the TPU steps that the host does not mark: one group for the n-th step of every TPU.
void GroupSteps(const Store& store, std::span<const GroupedDevice> devices, HostId host,
                int64_t next_id, const Column<uint32_t>& linked_id_of,
                std::vector<uint32_t>* group_of, EventGroups* groups) {
  for (const GroupedDevice& device : devices) {
    const Range rows = store.lanes[device.by.value].rows;
    for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
      if ((*group_of)[linked_id_of[row]] != EventGroups::kNone) return;
    }
  }
  const size_t first = groups->groups.size();
  for (const GroupedDevice& device : devices) {
    const Lane& lane = store.lanes[device.by.value];
    if (lane.role != LaneRole::steps) continue;
    for (uint32_t i = 0; i < lane.rows.count - lane.unplaced; ++i) {
      const uint32_t row = lane.rows.first + lane.unplaced + i;
      if (first + i == groups->groups.size()) {
        const int64_t id = next_id + i;
        groups->groups.push_back({host, id, NumberOfStep(store, row, id), EventId(), false});
      }
      (*group_of)[linked_id_of[row]] = static_cast<uint32_t>(first + i);
    }
  }
}

// Reads the keys for roots, links and nesting in one pass over the events.
Result<void> ReadAhead(const Indexes& indexes, std::span<const ProcessId> processes,
                       Context& context) {
  constexpr DetailKey kKeys[] = {AttributeKey::root_level,   AttributeKey::is_async,
                                 AttributeKey::correlation,  AttributeKey::producer,
                                 AttributeKey::consumer,     AttributeKey::producer_type,
                                 AttributeKey::consumer_type};
  for (const ProcessId process : processes) TFPROF_TRY(indexes.Details(process, kKeys, context));
  return {};
}

// Sets the numbers that the program gives to its steps.
Result<void> NumberSteps(const Store& store, const Indexes& indexes,
                         std::span<const ProcessId> processes, size_t first, EventGroups* groups,
                         Context& context) {
  for (const ProcessId process : processes) {
    const Range rows = RowsOf(store, store.processes[process.value]);
    IndexPtr<DetailColumn> columns[2];
    for (size_t i = first; i < groups->groups.size(); ++i) {
      EventGroup& group = groups->groups[i];
      if (!group.is_marked || !Contains(rows, group.root.value)) continue;
      if (columns[0] == nullptr) {
        TFPROF_ASSIGN(columns[0], indexes.Details(process, AttributeKey::step_number, context));
        TFPROF_ASSIGN(columns[1], indexes.Details(process, AttributeKey::iteration, context));
      }
      for (const auto& column : columns) {
        if (column->rows.count == 0 || !column->Has(group.root.value)) continue;
        const int64_t number = column->Integer(group.root.value);
        if (number != kNoInt) group.number = number;
      }
    }
  }
  return {};
}

// `linked_id_of`: by event; `group_of`: by linked event.
void WriteGroups(const Column<uint32_t>& linked_id_of, const std::vector<uint32_t>& group_of,
                 Range rows, NarrowColumn* of_event) {
  const auto group = [&](uint32_t row) {
    return linked_id_of[row] == EventGroups::kNone ? EventGroups::kNone
                                                   : group_of[linked_id_of[row]];
  };
  NarrowWriter writer(of_event);
  for (uint32_t row = rows.first; row < rows.first + rows.count;) {
    const uint32_t first = row, of_first = group(row);
    do {
      ++row;
    } while (row < rows.first + rows.count && group(row) == of_first);
    writer.Fill({first, row - first}, of_first);
  }
  writer.Finish();
}

}  // namespace

Result<void> GroupByRoots(const Store& store, const Indexes& indexes,
                          std::span<const ProcessId> processes, EventGroups* groups,
                          Context& context) {
  const HostId host = store.processes[processes.front().value].host;
  const Range first_rows = RowsOf(store, store.processes[processes.front().value]);
  const Range last_rows = RowsOf(store, store.processes[processes.back().value]);
  const Range rows{first_rows.first, last_rows.first + last_rows.count - first_rows.first};
  const std::vector<GroupedDevice> devices = GroupedDevices(store, processes);
  TFPROF_TRY(ReadAhead(indexes, processes, context));
  TFPROF_ASSIGN(const auto roots, FindRoots(store, indexes, processes, context));
  Column<uint32_t> linked_id_of;  // by EventId
  linked_id_of.Extend(rows.first + rows.count);
  std::fill_n(linked_id_of.data() + rows.first, rows.count, EventGroups::kNone);
  TFPROF_ASSIGN(
      const LinkedEvents linked_events,
      FindLinkedEvents(store, indexes, processes, roots, devices, rows, &linked_id_of, context));
  std::vector<uint32_t> group_of(linked_events.row.size(), EventGroups::kNone);
  const size_t first = groups->groups.size();
  PropagateRoots(roots, linked_events, linked_id_of, host, &group_of, groups);
  if (!HasDeviceWork(store, host)) {
    TFPROF_TRY(NumberSteps(store, indexes, processes, first, groups, context));
  }
  GroupSteps(store, devices, host, static_cast<int64_t>(groups->groups.size() - first),
             linked_id_of, &group_of, groups);
  WriteGroups(linked_id_of, group_of, rows, &groups->of_event);
  return {};
}

}  // namespace tfprof
