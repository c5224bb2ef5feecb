// SPDX-License-Identifier: Apache-2.0
#include "writers/exec_memory.h"

#include <algorithm>

#include "proto/step_stats_fields.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

const std::string& TextOf(LaneId lane, const ExecTables& tables) {
  return tables.texts[tables.lanes[lane.value].text];
}

bool Counts(const Piece& piece, LaneId counting, const ExecTables& tables) {
  return counting.some() ? piece.lane == counting : TextOf(piece.lane, tables).empty();
}

// Returns the rows of `table` for `event`, among the rows of one node.
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
  out.Message(field::ExecMemory::output_memory, [&] {
    out.Int(MapEntryField::key, output.slot);
    out.Message(MapEntryField::value, [&] {
      out.Int(field::Memory::bytes, output.bytes);
      out.Int(field::Memory::ptr, static_cast<int64_t>(output.address));
    });
  });
}

void WriteMemory(uint32_t memory, LaneId lane, ExecTables& tables, WireWriter& out) {
  using Memory = field::ExecMemory;
  const ExecMemory& row = tables.store.exec_memory[memory];
  const bool on_host = TextOf(lane, tables).find("cpu") != std::string::npos;
  ++tables.losses.memory;
  out.Message(field::ExecProfile::memory_execs, [&] {
    if (row.time_ps != kNoTime) out.Int(Memory::memory_micros, Micros(row.time_ps, tables));
    out.Int(on_host ? Memory::host_temp_bytes : Memory::accelerator_temp_bytes, row.temp);
    out.Int(on_host ? Memory::host_persistent_bytes : Memory::accelerator_persistent_bytes,
            row.persistent);
    out.ToldInt(Memory::requested_bytes,
                row.requested);  // a record of 0 bytes differs from a run without memory
    out.Int(Memory::peak_bytes, row.peak);
    out.Int(Memory::residual_bytes, row.residual);
    out.Int(Memory::output_bytes, row.output);
    if (row.in_use != kNoInt) out.Int(Memory::allocator_bytes_in_use, row.in_use);
    const Range outputs = tables.store.OutputsOf(memory);
    for (const OutputMemory& output : tables.store.outputs.Rows(outputs.first, outputs.count)) {
      WriteOutput(output, out);
    }
  });
}

void WriteNoMemory(uint32_t event, const ExecTables& tables, WireWriter& out) {
  const Events& events = tables.store.events;
  const int64_t end_ps = SaturatingAdd(events.start_ps[event], events.duration_ps[event]);
  out.Message(field::ExecProfile::memory_execs,
              [&] { out.Int(field::ExecMemory::memory_micros, Micros(end_ps, tables)); });
}

bool IsOfAccelerator(const Allocation& row) {
  return row.allocator.data() == nullptr || row.allocator.find("GPU") != std::string_view::npos;
}

void WriteAllocation(const Allocation& row, ExecTables& tables, WireWriter& out) {
  ++tables.losses.allocations;
  out.Message(field::ExecProfile::allocations, [&] {
    if (row.time_ps != kNoTime)
      out.Int(field::AllocationRecord::alloc_micros, Micros(row.time_ps, tables));
    out.Int(field::AllocationRecord::alloc_bytes, row.bytes);
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
