// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/store/rounded_time.h"
#include "proto/step_stats_fields.h"
#include "proto/tfprof_log_fields.h"
#include "writers/exec_tables.h"

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
    out.IntIfPresent(Memory::requested_bytes,
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

// Writes ExecProfile.memory_execs and .allocations of one node and step. Memory is that of the
// canonical device, or of the device without a name if the node has no canonical device. The i-th
// memory record belongs to the i-th run with a time, so such a run without memory gets a record
// with only its time. Records of other runs follow. Allocations are those of accelerators.
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

// All executions of one node and step.
struct Exec {
  std::vector<Piece> pieces;  // by the text of their lanes
  LaneId counting;
  int64_t runs = 0;
  int64_t first_start_us = 0;  // 0: none
  int64_t last_end_us = 0;
};

uint32_t TextOf(const Piece& piece, const ExecTables& tables) {
  return tables.lanes[piece.lane.value].text;
}

LaneText::Kind KindOf(const Piece& piece, const ExecTables& tables) {
  return tables.lanes[piece.lane.value].kind;
}

int64_t StartUs(uint32_t row, const ExecTables& tables) {
  return Micros(tables.store.events.start_ps[row], tables);
}

// Rounded; at least 1, as in the original.
int64_t DurationUs(uint32_t row, const Store& store) {
  if (store.has_nanoseconds) return std::max<int64_t>(1, RoundedLength(store, row) / kPsPerUs);
  const int64_t ps = store.events.duration_ps[row];
  return std::max<int64_t>(1, SaturatingAdd(ps, kPsPerUs / 2) / kPsPerUs);
}

// Returns true if start and duration of a placed event are whole microseconds.
bool IsWhole(uint32_t row, const Store& store) {
  const int64_t rest_ps = store.epoch_ns % kNsPerUs * kPsPerNs;
  return store.events.duration_ps[row] % kPsPerUs == 0 &&
         (store.events.start_ps[row] % kPsPerUs + rest_ps) % kPsPerUs == 0;
}

// ---- summing up --------------------------------------------------------------------------------

int64_t Occurrences(uint32_t row, const Store& store) {
  const auto at = std::lower_bound(
      store.aggregates.begin(), store.aggregates.end(), row,
      [](const Aggregate& aggregate, uint32_t r) { return aggregate.event.value < r; });
  if (at != store.aggregates.end() && at->event.value == row) return at->occurrences;
  return IsPlaced(row, store) ? 1 : 0;
}

void CountLosses(const Piece& piece, uint32_t row, ExecTables& tables) {
  if (KindOf(piece, tables) == LaneText::silent) {
    tables.losses.silent_devices.Add(tables.store.events.duration_ps[row],
                                     tables.texts[TextOf(piece, tables)]);
  } else if (!IsWhole(row, tables.store)) {
    ++tables.losses.rounded;
  }
}

void SumUp(const Piece& piece, ExecTables& tables, Exec* exec) {
  const bool counts = piece.lane == exec->counting;
  for (const uint32_t row : RowsOf(piece, tables)) {
    if (counts) exec->runs = WrapAdd(exec->runs, Occurrences(row, tables.store));
    if (!IsPlaced(row, tables.store)) continue;
    CountLosses(piece, row, tables);
    const int64_t start_us = StartUs(row, tables);
    const int64_t first = exec->first_start_us;
    exec->first_start_us = first == 0 ? start_us : std::min(first, start_us);
    exec->last_end_us =
        std::max(exec->last_end_us, WrapAdd(start_us, DurationUs(row, tables.store)));
  }
}

// Takes first start and last end from the source file, which has them for devices without times.
void TakeDeclared(const Declared& row, const ExecTables& tables, Exec* exec) {
  const auto time = [&](int64_t ps) { return ps == kNoTime ? 0 : Micros(ps, tables); };
  exec->first_start_us = time(row.first_start_ps);
  exec->last_end_us = time(row.last_end_ps);
}

// ---- writing -----------------------------------------------------------------------------------

void WriteTimes(const Piece& piece, const ExecTables& tables, WireWriter& out) {
  for (const uint32_t row : RowsOf(piece, tables)) {
    if (!IsPlaced(row, tables.store)) continue;
    out.Message(field::ExecTime::times, [&] {
      out.Message(field::Tuple::int64_values,
                  [&] {  // packed numbers have the encoding of a message
                    out.Varint(static_cast<uint64_t>(StartUs(row, tables)));
                    out.Varint(static_cast<uint64_t>(DurationUs(row, tables.store)));
                  });
    });
  }
}

// Writes the pieces of one device text: its name, and its times if it has any.
void WriteDevice(std::span<const Piece> pieces, const ExecTables& tables, WireWriter& out) {
  const LaneText& lane = tables.lanes[pieces.front().lane.value];
  const std::string& text = tables.texts[lane.text];
  out.Bytes(field::ExecProfile::devices, text);
  const bool any = std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return IsPlaced(RowsOf(piece, tables).back(), tables.store);  // unplaced rows come first
  });
  if (lane.kind == LaneText::silent || !any) return;
  out.Message(lane.kind == LaneText::accelerator ? field::ExecProfile::accelerator_execs
                                                 : field::ExecProfile::cpu_execs,
              [&] {
                out.Bytes(field::ExecTimeEntry::key, text);
                out.Message(field::ExecTimeEntry::value, [&] {
                  for (const Piece& piece : pieces) WriteTimes(piece, tables, out);
                });
              });
}

void WriteFields(NodeId node, const Exec& exec, ExecTables& tables, WireWriter& out) {
  out.Int(field::ExecProfile::run_count, exec.runs);
  out.Int(field::ExecProfile::all_start_micros, exec.first_start_us);
  out.Int(field::ExecProfile::latest_end_micros, exec.last_end_us);
  const std::span<const Piece> pieces = exec.pieces;
  for (size_t first = 0, end = 0; first < pieces.size(); first = end) {
    const uint32_t text = TextOf(pieces[first], tables);
    while (end < pieces.size() && TextOf(pieces[end], tables) == text) ++end;
    WriteDevice(pieces.subspan(first, end - first), tables, out);
  }
  WriteMemories(node, exec.counting, pieces, tables, out);
}

void WriteExec(NodeId node, Exec* exec, ExecTables& tables, WireWriter& out) {
  const StepId step = exec->pieces.front().step;
  std::stable_sort(exec->pieces.begin(), exec->pieces.end(), [&](const Piece& a, const Piece& b) {
    return TextOf(a, tables) < TextOf(b, tables);
  });
  for (const Piece& piece : exec->pieces) SumUp(piece, tables, exec);
  const Declared* declared = FindDeclared(node, step, tables);
  if (declared != nullptr) TakeDeclared(*declared, tables, exec);
  out.Message(field::ProfileNode::execs, [&] {
    // Executions without a step get a number that is not among the profile's steps.
    out.Int(MapEntryField::key, step.some() ? tables.store.steps[step.value].number : -1);
    out.Message(MapEntryField::value, [&] { WriteFields(node, *exec, tables, out); });
  });
}

void CountSecondDevice(const Piece& piece, ExecTables& tables) {
  for (const uint32_t row : RowsOf(piece, tables)) {
    const bool placed = IsPlaced(row, tables.store);
    tables.losses.second_devices.Add(placed ? tables.store.events.duration_ps[row] : 0,
                                     tables.texts[TextOf(piece, tables)]);
  }
}

}  // namespace

void WriteExecs(NodeId node, LaneId counting, ExecTables& tables, WireWriter& out) {
  const std::span<const uint32_t> rows = tables.events.Of(node);
  const uint32_t base = tables.events.first[node.value];
  Exec exec{.pieces = {}, .counting = counting};
  for (uint32_t i = 0, end = 0; i < rows.size(); i = end) {
    const EventRun& run = RunOf(tables.runs, EventId(rows[i]));
    while (end < rows.size() && rows[end] >= rows[i] && rows[end] < run.end) ++end;
    const Piece piece{run.lane, run.step, base + i, base + end};
    if (!exec.pieces.empty() && exec.pieces.front().step != run.step) {
      WriteExec(node, &exec, tables, out);
      exec = {.pieces = {}, .counting = counting};
    }
    if (KindOf(piece, tables) == LaneText::device && run.lane != counting) {
      CountSecondDevice(piece, tables);
    } else {
      exec.pieces.push_back(piece);
    }
  }
  if (!exec.pieces.empty()) WriteExec(node, &exec, tables, out);
}

}  // namespace tfprof
