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

std::span<const uint32_t> MemoryOf(NodeId node, uint32_t event, const ExecTables& tables) {
  const Column<ExecMemory>& rows = tables.store.exec_memory;
  const std::span<const uint32_t> all = tables.memory.Of(node);
  const auto first = std::lower_bound(
      all.begin(), all.end(), event,
      [&](uint32_t row, uint32_t wanted) { return rows[row].event.value < wanted; });
  auto end = first;
  while (end != all.end() && rows[*end].event.value == event) ++end;
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
    out.Int(6, row.requested);
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

}  // namespace

void WriteMemories(NodeId node, LaneId counting, std::span<const Piece> pieces, ExecTables& tables,
                   WireWriter& out) {
  if (tables.store.exec_memory.empty()) return;
  struct Late {
    uint32_t memory;
    LaneId lane;
  };
  std::vector<Late> late;
  for (const Piece& piece : pieces) {
    if (!Counts(piece, counting, tables)) continue;
    for (const uint32_t event : RowsOf(piece, tables)) {
      std::span<const uint32_t> memory = MemoryOf(node, event, tables);
      if (IsPlaced(event, tables.store)) {
        if (memory.empty()) {
          WriteNoMemory(event, tables, out);
          continue;
        }
        WriteMemory(memory.front(), piece.lane, tables, out);
        memory = memory.subspan(1);
      }
      for (const uint32_t row : memory) late.push_back({row, piece.lane});
    }
  }
  for (const Late& row : late) WriteMemory(row.memory, row.lane, tables, out);
}

}  // namespace tfprof
