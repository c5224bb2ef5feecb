// SPDX-License-Identifier: Apache-2.0
#include "views/classic/graph_export.h"

#include <algorithm>
#include <numeric>

#include "analysis/intervals/first_free.h"
#include "core/base/context.h"
#include "core/store/rounded_time.h"

namespace tfprof {
namespace {

// Calls `visit(lane, row)` for the rows of the step.
template <class Visit>
Result<void> EachRow(const ExportedGraph& exported, Context& context, Visit visit) {
  size_t until_poll = 0;
  for (const EventRun& run : exported.runs) {
    if (run.step != exported.step) continue;
    for (uint32_t row = run.first; row < run.end; ++row) {
      if (until_poll++ % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      visit(run.lane, row);
    }
  }
  return {};
}

NodeId NodeOf(const Store& store, uint32_t row) {
  return store.labels[store.events.label[row].value].node;
}

// True if `lane` is a second device of the node, which the original ignores.
bool IsSecondDevice(const ExportedGraph& exported, LaneId lane, NodeId node) {
  return exported.what->accounts->lane_counts[lane.value] && exported.CountingLane(node) != lane;
}

Result<void> MarkExecuted(ExportedGraph* exported, Context& context) {
  const Store& store = exported->store();
  exported->ran.Resize(store.nodes.size());
  const auto visit = [&](LaneId lane, uint32_t row) {
    const NodeId node = NodeOf(store, row);
    if (!node.some() || store.events.start_ps[row] == kNoTime) return;
    if (exported->CountingLane(node).some() && !IsSecondDevice(*exported, lane, node)) {
      exported->ran[node.value] = 1;
    }
  };
  TFPROF_TRY(EachRow(*exported, context, visit));
  for (const Declared& declared : store.declared) {
    if (declared.step != exported->step || !exported->CountingLane(declared.node).some()) continue;
    exported->ran[declared.node.value] = declared.first_start_ps != kNoTime;
  }
  return {};
}

// ---- executions --------------------------------------------------------------------------------

struct ExportedDevice {
  LaneId lane;
  uint32_t first_row = Table::kNoRow;  // the first row of the report that shows it
  std::vector<Execution> executions;   // by start
};

// Of two executions with the same start, the one of the earlier row is kept.
void Keep(const ExportedGraph& exported, const Execution& execution, ExportedDevice* device) {
  const uint32_t row = exported.row_of_node[execution.node.value];
  device->first_row = std::min(device->first_row, row);
  std::vector<Execution>& kept = device->executions;
  if (kept.empty() || kept.back().start_ps != execution.start_ps) {
    kept.push_back(execution);
  } else if (row < exported.row_of_node[kept.back().node.value]) {
    kept.back() = execution;
  }
}

Result<std::vector<ExportedDevice>> Collect(const ExportedGraph& exported, Context& context) {
  const Store& store = exported.store();
  const NodeAccounts& accounts = *exported.what->accounts;
  std::vector<ExportedDevice> devices(store.lanes.size());
  for (size_t i = 0; i < devices.size(); ++i) devices[i].lane = LaneId(i);
  const auto visit = [&](LaneId lane, uint32_t row) {
    const Lane& at = store.lanes[lane.value];
    const bool counts = accounts.lane_counts[lane.value];
    if (!counts && at.measures != Measures::accelerator_time) return;
    const NodeId node = NodeOf(store, row);
    const int64_t start_ps = RoundedStart(store, row);
    if (!node.some() || start_ps == kNoTime || !exported.IsShown(node)) return;
    if (exported.ran[node.value] == 0 || IsSecondDevice(exported, lane, node)) return;
    const int64_t duration_ps = RoundedDuration(store, at, row);
    Keep(exported, {start_ps, duration_ps, EventId(row), lane, node}, &devices[lane.value]);
  };
  TFPROF_TRY(EachRow(exported, context, visit));
  std::erase_if(devices, [](const ExportedDevice& device) { return device.executions.empty(); });
  std::sort(devices.begin(), devices.end(), [&](const ExportedDevice& a, const ExportedDevice& b) {
    if (a.first_row != b.first_row) return a.first_row < b.first_row;
    return exported.by_name[a.lane.value] < exported.by_name[b.lane.value];
  });
  return devices;
}

// ---- groups and tracks -------------------------------------------------------------------------

std::string GroupName(std::string_view device) {
  const bool stream = device.find("stream") != device.npos;
  return (stream ? "Op execution threads: " : "Op scheduling threads: ") + std::string(device);
}

void AddGroup(const Store& store, ExportedDevice* device, ExportedGraph* exported, Trace* trace) {
  const auto group = static_cast<uint32_t>(trace->groups.size());
  trace->groups.push_back({GroupName(store.Text(store.lanes[device->lane.value].name))});
  FirstFree free;
  for (Execution& execution : device->executions) {
    const int64_t end_ps = WrapAdd(execution.start_ps, execution.duration_ps);
    execution.track = group;
    execution.level = free.Place(execution.start_ps, end_ps);
  }
  trace->tracks.push_back({group, ""});
  std::ranges::stable_sort(device->executions, {}, &Execution::level);
  exported->executions.insert(exported->executions.end(), device->executions.begin(),
                              device->executions.end());
}

std::vector<uint32_t> LanesByName(const Store& store) {
  std::vector<uint32_t> order(store.lanes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return store.Text(store.lanes[a].name) < store.Text(store.lanes[b].name);
  });
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return place;
}

// ---- spans -------------------------------------------------------------------------------------

struct SpanPosition {
  ExportedGraphPtr exported;
  size_t next = 0;
};

size_t NextSpans(SpanPosition& at, std::span<TraceSpan> out) {
  const Store& store = at.exported->store();
  const std::vector<Execution>& executions = at.exported->executions;
  size_t filled = 0;
  for (; filled < out.size() && at.next < executions.size(); ++at.next) {
    const Execution& from = executions[at.next];
    const std::string_view name = store.Text(store.nodes[from.node.value].name);
    out[filled++] = {from.start_ps, from.duration_ps, name, from.track, from.level, from.event};
  }
  return filled;
}

Result<Trace> ExportGraph(std::shared_ptr<const GraphExport> what, const Report& report,
                          Context& context) {
  auto exported = std::make_shared<ExportedGraph>();
  exported->what = std::move(what);
  const Store& store = exported->store();
  exported->step = StepOfNumber(store, exported->what->step);
  if (!exported->step.some()) {
    return Fail(ErrorKind::usage, "the timeline of the graph view shows a single step", {},
                "give -step N; `info` lists the steps");
  }
  exported->runs = exported->what->memory->runs;
  exported->by_name = LanesByName(store);
  exported->row_of_node.Resize(store.nodes.size(), Table::kNoRow);
  const std::vector<NodeId>& nodes = report.tables[0].node;
  for (uint32_t row = 0; row < nodes.size(); ++row) {
    if (nodes[row].some()) exported->row_of_node[nodes[row].value] = row;
  }
  TFPROF_TRY(MarkExecuted(exported.get(), context));
  TFPROF_ASSIGN(std::vector<ExportedDevice> devices, Collect(*exported, context));

  Trace trace;
  trace.epoch_ns = store.epoch_ns;
  for (ExportedDevice& device : devices) AddGroup(store, &device, exported.get(), &trace);
  trace.spans =
      CursorFrom<TraceSpan>(std::make_shared<SpanPosition>(SpanPosition{exported}), NextSpans);
  TFPROF_ASSIGN(trace.flows, FlowsOf(exported, context));
  TFPROF_ASSIGN(trace.samples, AddMemory(exported, &trace, context));
  return trace;
}

}  // namespace

TraceExport ExportOf(GraphExport state) {
  return [what = std::make_shared<const GraphExport>(std::move(state))](
             const Report& report, Context& context) { return ExportGraph(what, report, context); };
}

}  // namespace tfprof
