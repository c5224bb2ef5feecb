// SPDX-License-Identifier: Apache-2.0
#include "writers/exec_memory.h"

#include <algorithm>

namespace tfprof {
namespace {

const std::string& TextOf(LaneId lane, const ExecTables& tables) {
  return tables.texts[tables.lanes[lane.value].text];
}

bool Counts(const Piece& piece, LaneId counting, const ExecTables& tables) {
  return counting.some() ? piece.lane == counting : TextOf(piece.lane, tables).empty();
}

// The rows of `table`, among those of one node, that belong to `event`.
template <class Rows>
std::span<const uint32_t> RowsOfEvent(uint32_t event, std::span<const uint32_t> of_node,
                                      const Rows& table) {
  const auto first = std::lower_bound(
      of_node.begin(), of_node.end(), event,
      [&](uint32_t row, uint32_t wanted) { return table[row].event.value < wanted; });
  auto end = first;
  while (end != of_node.end() && table[*end].event.value == event) ++end;
  return {first, end};
}

void WriteOutput(const OutputMemory& output, WireWriter& out) {
  out.Message(11, [&] {
    out.Int(1, output.slot);
    out.Message(2, [&] {
      out.Int(1, output.bytes);
      out.Int(2, static_cast<int64_t>(output.address));
    });
  });
}

void WriteMemory(uint32_t memory, LaneId lane, ExecTables& tables, WireWriter& out) {
  const ExecMemory& row = tables.store.exec_memory[memory];
  const bool on_host = TextOf(lane, tables).find("cpu") != std::string::npos;
  ++tables.losses.memory;
  out.Message(7, [&] {
    if (row.time_ps != kNoTime) out.Int(1, Micros(row.time_ps, tables));
    out.Int(on_host ? 2 : 4, row.temp);
    out.Int(on_host ? 3 : 5, row.persistent);
    out.ToldInt(6, row.requested);  // a record of 0 bytes is not one of a run without memory
    out.Int(7, row.peak);
    out.Int(8, row.residual);
    out.Int(9, row.output);
    if (row.in_use != kNoInt) out.Int(10, row.in_use);
    const Range outputs = tables.store.OutputsOf(memory);
    for (const OutputMemory& output : tables.store.outputs.Rows(outputs.first, outputs.count)) {
      WriteOutput(output, out);
    }
  });
}

void WriteNoMemory(uint32_t event, const ExecTables& tables, WireWriter& out) {
  const Events& events = tables.store.events;
  const int64_t end_ps = SaturatingAdd(events.start_ps[event], events.duration_ps[event]);
  out.Message(7, [&] { out.Int(1, Micros(end_ps, tables)); });
}

bool IsOfAccelerator(const Allocation& row) {
  return row.allocator.data() == nullptr || row.allocator.find("GPU") != std::string_view::npos;
}

void WriteAllocation(const Allocation& row, ExecTables& tables, WireWriter& out) {
  ++tables.losses.allocations;
  out.Message(11, [&] {
    if (row.time_ps != kNoTime) out.Int(1, Micros(row.time_ps, tables));
    out.Int(2, row.bytes);
  });
}

struct Late {
  uint32_t memory;
  LaneId lane;
};

void WriteMemoryOf(uint32_t event, NodeId node, LaneId lane, ExecTables& tables,
                   std::vector<Late>* late, WireWriter& out) {
  std::span<const uint32_t> rows =
      RowsOfEvent(event, tables.memory.Of(node), tables.store.exec_memory);
  if (IsPlaced(event, tables.store)) {
    if (rows.empty()) return WriteNoMemory(event, tables, out);
    WriteMemory(rows.front(), lane, tables, out);
    rows = rows.subspan(1);
  }
  for (const uint32_t row : rows) late->push_back({row, lane});
}

}  // namespace

void WriteMemories(NodeId node, LaneId counting, std::span<const Piece> pieces, ExecTables& tables,
                   WireWriter& out) {
  const Store& store = tables.store;
  if (store.exec_memory.empty() && tables.allocations.empty()) return;
  std::vector<Late> late;
  for (const Piece& piece : pieces) {
    if (!Counts(piece, counting, tables)) continue;
    for (const uint32_t event : RowsOf(piece, tables)) {
      WriteMemoryOf(event, node, piece.lane, tables, &late, out);
      for (const uint32_t row :
           RowsOfEvent(event, tables.allocations_of.Of(node), tables.allocations)) {
        const Allocation& allocation = tables.allocations[row];
        if (IsOfAccelerator(allocation)) WriteAllocation(allocation, tables, out);
      }
    }
  }
  for (const Late& row : late) WriteMemory(row.memory, row.lane, tables, out);
}

}  // namespace tfprof
