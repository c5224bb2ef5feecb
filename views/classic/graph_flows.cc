// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "views/classic/graph_export.h"

namespace tfprof {
namespace {

// Lists by node: list i is values[first[i] .. first[i + 1]).
template <class T>
struct Lists {
  Column<uint32_t> first;
  std::vector<T> values;

  std::span<const T> Of(NodeId node) const {
    return std::span<const T>(values).subspan(first[node.value],
                                              first[node.value + 1] - first[node.value]);
  }
};

// `each(add)` calls add(node, value) for every entry. It is called twice and must add the same
// entries both times.
template <class T, class Each>
Lists<T> MakeLists(size_t nodes, Each each) {
  Lists<T> lists;
  lists.first.Resize(nodes + 1);
  each([&](NodeId node, const T&) { ++lists.first[node.value + 1]; });
  for (size_t i = 0; i < nodes; ++i) lists.first[i + 1] += lists.first[i];
  lists.values.resize(lists.first[nodes]);
  Column<uint32_t> next;
  for (size_t i = 0; i < nodes; ++i) next.Push(lists.first[i]);
  each([&](NodeId node, const T& value) { lists.values[next[node.value]++] = value; });
  return lists;
}

struct Consumer {
  NodeId node;
  int32_t input_slot = 0;
};

// A flow that is ready, with its sort key among the flows of one source.
struct Due {
  uint32_t device = 0;  // of the consumer, ordered by name
  int64_t to_ps = 0;
  int32_t input_slot = 0;
  TraceFlow flow;
};

struct FlowPosition {
  ExportedGraphPtr exported;
  Lists<Consumer> consumers;   // of every node: its exported consumers
  Lists<uint32_t> executions;  // of every node: its executions on the counting device
  size_t next_source = 0;
  std::vector<Due> due;  // of the last source
  size_t next_due = 0;
};

Lists<Consumer> ConsumersOf(const ExportedGraph& exported) {
  const Store& store = exported.store();
  return MakeLists<Consumer>(store.nodes.size(), [&](auto add) {
    for (uint32_t i = 0; i < store.nodes.size(); ++i) {
      if (!exported.IsShown(NodeId(i)) || exported.ran[i] == 0) continue;
      for (const Edge& edge : store.Inputs(store.nodes[i])) {
        if (edge.producer.some()) add(edge.producer, Consumer{NodeId(i), edge.input_slot});
      }
    }
  });
}

Lists<uint32_t> ExecutionsOf(const ExportedGraph& exported) {
  return MakeLists<uint32_t>(exported.store().nodes.size(), [&](auto add) {
    for (uint32_t i = 0; i < exported.executions.size(); ++i) {
      const Execution& execution = exported.executions[i];
      if (execution.lane == exported.CountingLane(execution.node)) add(execution.node, i);
    }
  });
}

// Adds flows from `source` to the executions of nodes that take `producer` as input.
void AddFlows(const Execution& source, NodeId producer, FlowPosition* at) {
  const ExportedGraph& exported = *at->exported;
  const Store& store = exported.store();
  const std::string_view name = store.Text(store.nodes[source.node.value].name);
  for (const Consumer& consumer : at->consumers.Of(producer)) {
    const LaneId lane = exported.CountingLane(consumer.node);
    if (lane == source.lane) continue;
    for (const uint32_t i : at->executions.Of(consumer.node)) {
      const Execution& to = exported.executions[i];
      const int64_t from_ps = WrapAdd(source.start_ps, source.duration_ps);
      at->due.push_back(
          {exported.by_name[lane.value], to.start_ps, consumer.input_slot,
           TraceFlow{from_ps, to.start_ps, name, source.track, source.level, to.track, to.level}});
    }
  }
}

// The original merges executions that started at the same time on one device: the flows of all of
// them start at `source`.
void AddFlowsOf(const Execution& source, FlowPosition* at) {
  const ExportedGraph& exported = *at->exported;
  const Store& store = exported.store();
  const Lane& lane = store.lanes[source.lane.value];
  const auto starts = store.events.start_ps.Rows(lane.rows.first, lane.rows.count);
  const int64_t next_ps =
      store.has_nanoseconds ? SaturatingAdd(source.start_ps, kPsPerUs - 1) : source.start_ps;
  const auto begin = std::lower_bound(starts.begin(), starts.end(), source.start_ps);
  const auto end = std::upper_bound(begin, starts.end(), next_ps);
  for (auto start = begin; start != end; ++start) {
    const EventId event(lane.rows.first + static_cast<uint64_t>(start - starts.begin()));
    const NodeId node = store.labels[store.events.label[event.value].value].node;
    if (!node.some() || RunOf(exported.runs, event).step != exported.step) continue;
    if (exported.CountingLane(node) != source.lane || exported.ran[node.value] == 0) continue;
    if (exported.what->Counts(node)) AddFlows(source, node, at);
  }
  std::sort(at->due.begin(), at->due.end(), [](const Due& a, const Due& b) {
    return std::tie(a.device, a.to_ps, a.input_slot) < std::tie(b.device, b.to_ps, b.input_slot);
  });
}

size_t Next(FlowPosition& at, std::span<TraceFlow> out) {
  const std::vector<Execution>& executions = at.exported->executions;
  size_t filled = 0;
  while (filled < out.size()) {
    if (at.next_due < at.due.size()) {
      out[filled++] = at.due[at.next_due++].flow;
      continue;
    }
    at.due.clear();
    at.next_due = 0;
    if (at.next_source == executions.size()) break;
    const Execution& source = executions[at.next_source++];
    if (at.exported->what->accounts->lane_counts[source.lane.value]) AddFlowsOf(source, &at);
  }
  return filled;
}

}  // namespace

Result<Cursor<TraceFlow>> FlowsOf(ExportedGraphPtr exported, Context& context) {
  auto position = std::make_shared<FlowPosition>();
  TFPROF_TRY(Poll(context));
  position->consumers = ConsumersOf(*exported);
  TFPROF_TRY(Poll(context));
  position->executions = ExecutionsOf(*exported);
  position->exported = std::move(exported);
  return CursorFrom<TraceFlow>(std::move(position), Next);
}

}  // namespace tfprof
