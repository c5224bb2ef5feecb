// SPDX-License-Identifier: Apache-2.0
#include "writers/node_rows.h"

#include <algorithm>
#include <utility>

#include "core/base/context.h"

namespace tfprof {
namespace {

NodeId NodeOf(const Store& store, uint32_t event) {
  return store.labels[store.events.label[event].value].node;
}

// `each(take)` calls take(node, row) for every row. It is called twice and must keep the order.
template <class Each>
Result<NodeRows> GroupByNode(size_t nodes, Each each) {
  NodeRows out;
  out.first.Resize(nodes + 1, 0);
  TFPROF_TRY(each([&](NodeId node, uint32_t) { ++out.first[node.value]; }));
  uint32_t start = 0;
  for (uint32_t& count : out.first) start += std::exchange(count, start);
  out.row.Extend(start);
  Column<uint32_t> next;
  std::copy(out.first.begin(), out.first.end(), next.Extend(out.first.size()));
  TFPROF_TRY(each([&](NodeId node, uint32_t row) { out.row[next[node.value]++] = row; }));
  return out;
}

// Groups the rows of a table whose rows belong to events.
template <class Rows>
Result<NodeRows> SideRows(const Store& store, const Rows& table, Context& context) {
  const auto each = [&](auto take) -> Result<void> {
    for (uint32_t row = 0; row < table.size(); ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const NodeId node = NodeOf(store, table[row].event.value);
      if (node.some()) take(node, row);
    }
    return {};
  };
  TFPROF_ASSIGN(NodeRows rows, GroupByNode(store.nodes.size(), each));
  for (size_t node = 0; node < store.nodes.size(); ++node) {
    std::stable_sort(rows.row.begin() + rows.first[node], rows.row.begin() + rows.first[node + 1],
                     [&](uint32_t a, uint32_t b) { return table[a].event < table[b].event; });
  }
  return rows;
}

}  // namespace

Result<NodeRows> EventsOfNodes(const Store& store, std::vector<EventRun> runs, Context& context) {
  std::stable_sort(runs.begin(), runs.end(), [](const EventRun& a, const EventRun& b) {
    return a.step != b.step ? a.step < b.step : a.lane < b.lane;
  });
  return GroupByNode(store.nodes.size(), [&](auto take) -> Result<void> {
    for (const EventRun& run : runs) {
      for (uint32_t row = run.first; row < run.end; ++row) {
        if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
        const NodeId node = NodeOf(store, row);
        if (node.some()) take(node, row);
      }
    }
    return {};
  });
}

Result<NodeRows> MemoryOfNodes(const Store& store, Context& context) {
  return SideRows(store, store.exec_memory, context);
}

Result<NodeRows> AllocationsOfNodes(const Store& store, const std::vector<Allocation>& allocations,
                                    Context& context) {
  return SideRows(store, allocations, context);
}

}  // namespace tfprof
