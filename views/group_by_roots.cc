// SPDX-License-Identifier: Apache-2.0
#include "views/group_by_roots.h"

#include <algorithm>
#include <charconv>

#include "core/parallel.h"
#include "views/event_links.h"
#include "views/indexes.h"
#include "views/nesting.h"
#include "views/thread_regions.h"

// Most events only follow what lies around them. The others are the knots: events that are linked,
// or roots. Groups are found among the knots; every other event takes that of its knot.

namespace tfprof {
namespace {

constexpr uint32_t kNone = EventGroups::kNone;
constexpr uint32_t kMarked = kNone - 1;  // in of_event: will be a knot

constexpr std::string_view kRunsOfFunctions[] = {"FunctionRun", "SessionRun", "RunGraph",
                                                 "ExecutorState::Process"};
constexpr std::string_view kOldStepMarker = "TraceContext";  // of recorders before `root_level`

struct Root {
  uint32_t row = 0;
  int64_t level = 0;  // 0: it is one only if no other reaches it
};

struct Link {
  uint32_t from = 0;  // rows; later knots
  uint32_t to = 0;
};

// A device whose events belong with those of one of its lanes.
struct Grouped {
  Range rows;  // of all of its lanes
  LaneId by;
};

struct Knots {
  std::vector<uint32_t> row;
  std::vector<uint32_t> around;  // the knot that the event lies in, or kNone
  std::vector<uint32_t> group;   // of EventGroups::groups, or kNone
};

// The knots that each knot hands its group on to: children[first[k] .. first[k + 1]).
struct Children {
  std::vector<uint32_t> first;
  std::vector<uint32_t> children;
};

Range RowsOf(const Store& store, const Process& process) {
  if (process.lanes.count == 0) return {};
  const Lane& first = store.lanes[process.lanes.first];
  const Lane& last = store.lanes[process.lanes.first + process.lanes.count - 1];
  return {first.rows.first, last.rows.first + last.rows.count - first.rows.first};
}

bool Contains(Range rows, uint32_t row) {
  return row >= rows.first && row - rows.first < rows.count;
}

// ---- roots -------------------------------------------------------------------------------------

// By label of the process: the level of a root by that name alone; -1: it is none.
std::vector<int8_t> LevelsByName(const Store& store, const Process& process) {
  std::vector<int8_t> levels(process.labels.count, -1);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const std::string_view name = store.Text(store.labels[process.labels.first + i].name);
    if (name == kOldStepMarker) levels[i] = 1;
    if (std::find(std::begin(kRunsOfFunctions), std::end(kRunsOfFunctions), name) !=
        std::end(kRunsOfFunctions)) {
      levels[i] = 0;
    }
  }
  return levels;
}

void AddRoots(const Store& store, const Process& process, const DetailColumn& level_column,
              std::vector<Root>* roots) {
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
    if (level >= 0) roots->push_back({row, level});
  }
}

// In the order in which they take what belongs to them.
Result<std::vector<Root>> FindRoots(const Store& store, const Indexes& indexes,
                                    std::span<const ProcessId> processes, Context& context) {
  std::vector<Root> roots;
  for (const ProcessId id : processes) {
    TFPROF_ASSIGN(const auto levels, indexes.Details(id, "root_level", context));
    AddRoots(store, store.processes[id.value], *levels, &roots);
  }
  std::sort(roots.begin(), roots.end(), [&](const Root& a, const Root& b) {
    if (a.level != b.level) return a.level > b.level;
    const Events& events = store.events;
    const int64_t a_ps = events.start_ps[a.row], b_ps = events.start_ps[b.row];
    if (a_ps != b_ps) return a_ps < b_ps;
    const int64_t a_long = events.duration_ps[a.row], b_long = events.duration_ps[b.row];
    return a_long != b_long ? a_long > b_long : a.row < b.row;
  });
  return roots;
}

// ---- links -------------------------------------------------------------------------------------

// None: not of a TPU, or one without steps and programs.
LaneId GroupingLane(const Store& store, const Process& process) {
  if (!process.device.some()) return {};
  if (store.devices[process.device.value].kind != DeviceKind::tpu) return {};
  LaneId found;
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const LaneId id(process.lanes.first + i);
    const Lane& lane = store.lanes[id.value];
    if (lane.rows.count == lane.unplaced) continue;
    if (lane.role == LaneRole::steps) return id;
    if (lane.role == LaneRole::modules && !found.some()) found = id;
  }
  return found;
}

std::vector<Grouped> GroupedDevices(const Store& store, std::span<const ProcessId> processes) {
  std::vector<Grouped> grouped;
  for (const ProcessId id : processes) {
    const Process& process = store.processes[id.value];
    const LaneId by = GroupingLane(store, process);
    if (by.some()) grouped.push_back({RowsOf(store, process), by});
  }
  return grouped;
}

// The event of `lane` that runs at that time, the last that began; kNoRow: none.
uint32_t RowAround(const Store& store, const Lane& lane, int64_t time_ps) {
  const int64_t* starts = store.events.start_ps.data();
  const int64_t* first = starts + lane.rows.first + lane.unplaced;
  const int64_t* after =
      std::upper_bound(first, starts + lane.rows.first + lane.rows.count, time_ps);
  if (after == first) return kNoRow;
  const auto row = static_cast<uint32_t>(after - starts - 1);
  const int64_t end_ps = SaturatingAdd(starts[row], store.events.duration_ps[row]);
  return time_ps < end_ps || time_ps == starts[row] ? row : kNoRow;
}

// What stands for an event when groups are handed on: of a TPU its step.
uint32_t Delegate(const Store& store, std::span<const Grouped> devices, uint32_t row) {
  for (const Grouped& device : devices) {
    if (!Contains(device.rows, row)) continue;
    const Lane& by = store.lanes[device.by.value];
    return Contains(by.rows, row) ? row : RowAround(store, by, store.events.start_ps[row]);
  }
  return row;
}

std::vector<Link> LinksWithin(const Store& store, const EventLinks& all, Range rows,
                              std::span<const Grouped> devices) {
  std::vector<Link> links;
  for (size_t i = all.FirstTo(rows.first); i < all.size(); ++i) {
    if (!Contains(rows, all.to[i].value)) break;
    if (!Contains(rows, all.from[i].value)) continue;
    const uint32_t from = Delegate(store, devices, all.from[i].value);
    const uint32_t to = Delegate(store, devices, all.to[i].value);
    if (from != kNoRow && to != kNoRow && from != to) links.push_back({from, to});
  }
  return links;
}

// ---- knots -------------------------------------------------------------------------------------

// of_event of a knot becomes its number.
Knots NumberKnots(const Store& store, const std::vector<Root>& roots,
                  const std::vector<Link>& links, std::span<const Grouped> devices, Range rows,
                  Column<uint32_t>* of_event) {
  for (const Root& root : roots) (*of_event)[root.row] = kMarked;
  for (const Link& link : links) (*of_event)[link.from] = (*of_event)[link.to] = kMarked;
  for (const Grouped& device : devices) {
    const Range by = store.lanes[device.by.value].rows;
    std::fill_n(of_event->data() + by.first, by.count, kMarked);
  }
  Knots knots;
  for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
    if ((*of_event)[row] != kMarked) continue;
    (*of_event)[row] = static_cast<uint32_t>(knots.row.size());
    knots.row.push_back(row);
  }
  knots.around.assign(knots.row.size(), kNone);
  knots.group.assign(knots.row.size(), kNone);
  return knots;
}

// The knot of every event of a lane. What runs asynchronously encloses nothing and lies in nothing.
void FollowNesting(const Store& store, const Lane& lane, const DetailColumn& is_async,
                   const RegionLabels& regions, Knots* knots, Column<uint32_t>* of_event) {
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  std::vector<uint32_t> inside(nesting.parent.size(), kNone);  // the knot of what lies in the event
  uint32_t region = kNoRow;
  for (const uint32_t row : nesting.order) {
    const LabelId label = store.events.label[row];
    const uint32_t parent = InnerOf(store, nesting.ParentOf(row), region);
    if (label == regions.stop) region = kNoRow;
    const uint32_t around = parent == kNoRow ? kNone : inside[parent - nesting.first];
    uint32_t& knot = (*of_event)[row];
    if (is_async.rows.count > 0 && is_async.Has(row) && is_async.Integer(row) > 0) {
      inside[row - nesting.first] = around;
      continue;
    }
    if (knot == kNone) {
      knot = around;
    } else {
      knots->around[knot] = around;
    }
    inside[row - nesting.first] = knot;
    if (label == regions.start) region = row;
  }
}

// An event of a TPU has the knot of the step in which it begins.
void FollowLane(const Store& store, const Lane& lane, const Lane& by, Column<uint32_t>* of_event) {
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    const uint32_t around = RowAround(store, by, store.events.start_ps[row]);
    if (around != kNoRow) (*of_event)[row] = (*of_event)[around];
  }
}

struct LaneTask {
  LaneId lane;
  LaneId by;  // none: nesting tells
  IndexPtr<DetailColumn> is_async;
  RegionLabels regions;
};

Result<std::vector<LaneTask>> LaneTasks(const Store& store, const Indexes& indexes,
                                        std::span<const ProcessId> processes, Context& context) {
  std::vector<LaneTask> tasks;
  for (const ProcessId id : processes) {
    const Process& process = store.processes[id.value];
    const LaneId by = GroupingLane(store, process);
    TFPROF_ASSIGN(const auto is_async, indexes.Details(id, "is_async", context));
    const RegionLabels regions = RegionLabelsOf(store, process);
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const LaneId lane(process.lanes.first + i);
      if (lane != by) tasks.push_back({lane, by, is_async, regions});
    }
  }
  return tasks;
}

Result<void> FollowLanes(const Store& store, const std::vector<LaneTask>& tasks, Knots* knots,
                         Column<uint32_t>* of_event, Context& context) {
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  return ForEachTask(tasks.size(), threads, context, [&](size_t i) {
    const Lane& lane = store.lanes[tasks[i].lane.value];
    if (tasks[i].by.some()) {
      FollowLane(store, lane, store.lanes[tasks[i].by.value], of_event);
    } else {
      FollowNesting(store, lane, *tasks[i].is_async, tasks[i].regions, knots, of_event);
    }
  });
}

Children ChildrenOf(const Knots& knots, const std::vector<Link>& links) {
  Children out;
  out.first.assign(knots.row.size() + 1, 0);
  const auto each_edge = [&](const auto& edge) {
    for (uint32_t i = 0; i < knots.row.size(); ++i) {
      if (knots.around[i] != kNone) edge(knots.around[i], i);
    }
    for (const Link& link : links) edge(link.from, link.to);
  };
  each_edge([&](uint32_t from, uint32_t) { ++out.first[from]; });
  uint32_t sum = 0;
  for (uint32_t& first : out.first) first = sum += first;  // ends, which go down to the beginnings
  out.children.resize(sum);
  each_edge([&](uint32_t from, uint32_t to) { out.children[--out.first[from]] = to; });
  return out;
}

// ---- groups ------------------------------------------------------------------------------------

// Gives the group to all that the knot reaches and that has none.
void Spread(const Children& children, uint32_t knot, uint32_t group, std::vector<uint32_t>* stack,
            Knots* knots) {
  knots->group[knot] = group;
  stack->push_back(knot);
  while (!stack->empty()) {
    const uint32_t from = stack->back();
    stack->pop_back();
    for (uint32_t i = children.first[from]; i < children.first[from + 1]; ++i) {
      const uint32_t to = children.children[i];
      if (knots->group[to] != kNone) continue;
      knots->group[to] = group;
      stack->push_back(to);
    }
  }
}

bool IsRunOfFunction(const Store& store, uint32_t row) {
  const std::string_view name = store.Text(store.labels[store.events.label[row].value].name);
  return std::find(std::begin(kRunsOfFunctions), std::end(kRunsOfFunctions), name) !=
         std::end(kRunsOfFunctions);
}

// The text of a step of a TPU is its number, as a rule.
int64_t NumberOfStep(const Store& store, uint32_t row, int64_t otherwise) {
  const std::string_view text = store.Text(store.labels[store.events.label[row].value].name);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

// The steps of TPUs that the host does not tell: one group for the n-th of each.
void GroupSteps(const Store& store, std::span<const Grouped> devices, HostId host, int64_t next_id,
                const Column<uint32_t>& of_event, Knots* knots, EventGroups* groups) {
  for (const Grouped& device : devices) {
    const Range rows = store.lanes[device.by.value].rows;
    for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
      if (knots->group[of_event[row]] != kNone) return;
    }
  }
  const size_t first = groups->groups.size();
  for (const Grouped& device : devices) {
    const Lane& lane = store.lanes[device.by.value];
    if (lane.role != LaneRole::steps) continue;
    for (uint32_t i = 0; i < lane.rows.count - lane.unplaced; ++i) {
      const uint32_t row = lane.rows.first + lane.unplaced + i;
      if (first + i == groups->groups.size()) {
        const int64_t id = next_id + i;
        groups->groups.push_back({host, id, NumberOfStep(store, row, id), EventId(), false});
      }
      knots->group[of_event[row]] = static_cast<uint32_t>(first + i);
    }
  }
}

// The program's own numbers of its steps.
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
        TFPROF_ASSIGN(columns[0], indexes.Details(process, "step_num", context));
        TFPROF_ASSIGN(columns[1], indexes.Details(process, "iter_num", context));
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

}  // namespace

Result<void> GroupByRoots(const Store& store, const Indexes& indexes,
                          std::span<const ProcessId> processes, EventGroups* groups,
                          Context& context) {
  const HostId host = store.processes[processes.front().value].host;
  const Range first_rows = RowsOf(store, store.processes[processes.front().value]);
  const Range last_rows = RowsOf(store, store.processes[processes.back().value]);
  const Range rows{first_rows.first, last_rows.first + last_rows.count - first_rows.first};
  const std::vector<Grouped> devices = GroupedDevices(store, processes);
  TFPROF_ASSIGN(const std::vector<Root> roots, FindRoots(store, indexes, processes, context));
  TFPROF_ASSIGN(const auto all_links, indexes.Links(context));
  std::vector<Link> links = LinksWithin(store, *all_links, rows, devices);
  Column<uint32_t>& of_event = groups->of_event;
  Knots knots = NumberKnots(store, roots, links, devices, rows, &of_event);
  TFPROF_ASSIGN(const auto tasks, LaneTasks(store, indexes, processes, context));
  TFPROF_TRY(FollowLanes(store, tasks, &knots, &of_event, context));
  for (Link& link : links) link = {of_event[link.from], of_event[link.to]};
  const Children children = ChildrenOf(knots, links);
  const size_t first = groups->groups.size();
  std::vector<uint32_t> stack;
  for (const Root& root : roots) {
    const uint32_t knot = of_event[root.row];
    if (knots.group[knot] != kNone) continue;
    const size_t group = groups->groups.size();
    const auto id = static_cast<int64_t>(group - first);
    const bool marked = root.level > 0 && !IsRunOfFunction(store, root.row);
    groups->groups.push_back({host, id, id, EventId(root.row), marked});
    Spread(children, knot, static_cast<uint32_t>(group), &stack, &knots);
  }
  if (!HasDeviceWork(store, host)) {
    TFPROF_TRY(NumberSteps(store, indexes, processes, first, groups, context));
  }
  GroupSteps(store, devices, host, static_cast<int64_t>(groups->groups.size() - first), of_event,
             &knots, groups);
  for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
    if (of_event[row] != kNone) of_event[row] = knots.group[of_event[row]];
  }
  return {};
}

}  // namespace tfprof
