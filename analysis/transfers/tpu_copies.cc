// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <unordered_map>

#include "analysis/intervals/nesting.h"
#include "analysis/transfers/copies.h"
#include "analysis/transfers/hlo_text.h"
#include "analysis/transfers/overlapped_time.h"
#include "core/base/context.h"

namespace tfprof {
namespace {

enum class Moves : uint8_t { nothing, copy, copy_start, copy_done, infeed, outfeed };

// An instruction of the device, by label of its process.
struct LabelMoves {
  Moves moves = Moves::nothing;
  Direction direction = Direction::other;
  std::string_view started_by;  // for copy-done: the name of its copy-start
  std::string_view name;
  int64_t bytes = kNoInt;
  NameId from, to;
};

Moves MovesOf(std::string_view opcode) {
  if (opcode == "copy") return Moves::copy;
  if (opcode == "copy-start") return Moves::copy_start;
  if (opcode == "copy-done") return Moves::copy_done;
  if (opcode == "infeed") return Moves::infeed;
  return opcode == "outfeed" ? Moves::outfeed : Moves::nothing;
}

std::string MemoryName(int64_t space) {
  if (space == PrintedTensor::kDeviceSpace) return "device";
  return space == PrintedTensor::kHostSpace ? "host" : "S(" + std::to_string(space) + ")";
}

Direction DirectionOf(int64_t from_space, int64_t to_space) {
  const bool from_host = from_space == PrintedTensor::kHostSpace;
  const bool to_host = to_space == PrintedTensor::kHostSpace;
  if (from_host) return to_host ? Direction::host_to_host : Direction::host_to_device;
  return to_host ? Direction::device_to_host : Direction::device_to_device;
}

// copy-start produces (destination, source, synchronization value); copy only the first.
void DescribeCopy(const PrintedInstruction& read, LabelMoves* label, Names* texts) {
  if (read.made.empty()) return;
  const PrintedTensor& to = read.made[0];
  label->bytes = to.bytes;
  label->to = texts->Intern(MemoryName(to.memory_space));
  const bool is_start = label->moves == Moves::copy_start;
  const std::vector<PrintedTensor>& sources = is_start ? read.made : read.operands;
  const size_t source = is_start ? 1 : 0;
  if (sources.size() <= source) return;
  const int64_t from_space = sources[source].memory_space;
  label->direction = DirectionOf(from_space, to.memory_space);
  label->from = texts->Intern(MemoryName(from_space));
}

int64_t Sum(const std::vector<PrintedTensor>& tensors) {
  int64_t bytes = 0;
  for (const PrintedTensor& tensor : tensors) bytes = SaturatingAdd(bytes, tensor.bytes);
  return bytes;
}

LabelMoves Describe(std::string_view text, Names* texts) {
  LabelMoves label;
  const PrintedInstruction read = ParseInstruction(text);
  label.moves = MovesOf(read.opcode);
  label.name = read.name;
  switch (label.moves) {
    case Moves::infeed:
      label.direction = Direction::host_to_device;
      if (read.has_types) label.bytes = Sum(read.made);
      break;
    case Moves::outfeed:
      label.direction = Direction::device_to_host;
      if (read.has_types) label.bytes = Sum(read.operands);
      break;
    case Moves::copy_done:
      if (!read.operand_names.empty()) label.started_by = read.operand_names[0];
      break;
    case Moves::copy:
    case Moves::copy_start: DescribeCopy(read, &label, texts); break;
    case Moves::nothing: break;
  }
  return label;
}

struct CopyFinder {
  const Store& store;
  DeviceCopies* found;
  uint32_t first_label;
  std::vector<LabelMoves> labels;
  std::vector<LaneId> lanes = {};  // lanes of its work

  const LabelMoves& Of(uint32_t row) const {
    return labels[store.events.label[row].value - first_label];
  }
  void Add(uint32_t row, LaneId lane, int64_t end_ps) {
    const LabelMoves& label = Of(row);
    Copy& copy = found->copies.emplace_back();
    copy.event = EventId(row);
    copy.lane = lane;
    copy.direction = label.direction;
    copy.start_ps = store.events.start_ps[row];
    copy.duration_ps = SaturatingAdd(end_ps, -copy.start_ps);
    copy.bytes = label.bytes;
    copy.from = label.from;
    copy.to = label.to;
  }
};

// The background copies that a lane has started, by name of the instruction: their rows.
using Started = std::unordered_map<std::string_view, uint32_t>;

void Start(uint32_t row, CopyFinder* finding, Started* started) {
  const auto [open, is_new] = started->try_emplace(finding->Of(row).name, row);
  if (!is_new) ++finding->found->unfinished;
  open->second = row;
}

// Returns true if it was started.
bool Finish(uint32_t row, LaneId lane, CopyFinder* finding, Started* started) {
  const auto open = started->find(finding->Of(row).started_by);
  if (open == started->end()) return false;
  finding->Add(open->second, lane, finding->store.events.EndPs(row));
  started->erase(open);
  return true;
}

// Rows that start together may be in any order: earlier copies end first, then others start, which
// may end at once.
void AddSimultaneousRows(uint32_t first, uint32_t end, LaneId lane, CopyFinder* finding,
                         Started* started) {
  std::vector<uint32_t> unmatched;
  for (uint32_t row = first; row < end; ++row) {
    const Moves moves = finding->Of(row).moves;
    if (moves == Moves::copy_done) {
      if (!Finish(row, lane, finding, started)) unmatched.push_back(row);
    } else if (moves != Moves::nothing && moves != Moves::copy_start) {
      finding->Add(row, lane, finding->store.events.EndPs(row));
    }
  }
  for (uint32_t row = first; row < end; ++row) {
    if (finding->Of(row).moves == Moves::copy_start) Start(row, finding, started);
  }
  for (const uint32_t row : unmatched) Finish(row, lane, finding, started);
}

// Adds the copies of a lane, by start.
Result<void> FindIn(LaneId id, CopyFinder* finding, Context& context) {
  const Lane& lane = finding->store.lanes[id.value];
  const Column<int64_t>& start_ps = finding->store.events.start_ps;
  const size_t before = finding->found->copies.size();
  Started started;
  const uint32_t end = lane.rows.After();
  for (uint32_t row = lane.PlacedRows().first; row < end;) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    uint32_t after = row + 1;
    while (after < end && start_ps[after] == start_ps[row]) ++after;
    AddSimultaneousRows(row, after, id, finding, &started);
    row = after;
  }
  finding->found->unfinished += static_cast<int64_t>(started.size());
  const auto first = finding->found->copies.begin() + static_cast<ptrdiff_t>(before);
  std::ranges::stable_sort(first, finding->found->copies.end(), {}, &Copy::event);
  return {};
}

// Compute is everything that neither moves data nor only encloses other instructions (a loop).
Result<void> MeasureOverlapped(const CopyFinder& finding, Context& context) {
  const Store& store = finding.store;
  const Lane& first = store.lanes[finding.lanes.front().value];
  const Lane& last = store.lanes[finding.lanes.back().value];
  const uint32_t first_row = first.rows.first;
  std::vector<bool> computes(last.rows.After() - first_row, true);
  LaneNesting nesting;
  for (const LaneId lane : finding.lanes) {
    NestEvents(store, store.lanes[lane.value], &nesting);
    for (uint32_t i = 0; i < nesting.parent.size(); ++i) {
      const uint32_t row = nesting.first + i;
      if (finding.Of(row).moves != Moves::nothing) computes[row - first_row] = false;
      if (nesting.parent[i] != kNoRow) computes[nesting.parent[i] - first_row] = false;
    }
  }
  const IsKernel is_kernel = [&](uint32_t row) { return computes[row - first_row]; };
  return MeasureOverlapped(store, finding.lanes, is_kernel, &finding.found->copies, context);
}

Result<void> ReadDetails(const CopyFinder& finding, Context& context) {
  const Store& store = finding.store;
  DeviceCopies* found = finding.found;
  std::vector<EventId> events;
  for (const Copy& copy : found->copies) events.push_back(copy.event);
  constexpr DetailKey kKeys[] = {AttributeKey::op, AttributeKey::bytes_accessed};
  TFPROF_ASSIGN(const std::vector<DetailColumn> columns,
                ReadColumns(store, found->device, events, kKeys, context));
  const DetailColumn &ops = columns[0], &accessed = columns[1];
  for (uint32_t i = 0; i < events.size(); ++i) {
    Copy& copy = found->copies[i];
    if (ops.rows.count > 0 && ops.TextId(i).some()) copy.op = found->texts.Intern(ops.Text(i));
    const Moves moves = finding.Of(copy.event.value).moves;
    const bool is_feed = moves == Moves::infeed || moves == Moves::outfeed;
    if (is_feed && copy.bytes == kNoInt && accessed.rows.count > 0) {
      copy.bytes = accessed.Integer(i);
    }
  }
  return {};
}

}  // namespace

Result<void> FindTpuCopies(const Store& store, DeviceCopies* found, Context& context) {
  const Process& process = store.processes[found->device.value];
  CopyFinder finding{store, found, process.labels.first, {}};
  for (const Label& label : store.LabelsOf(process)) {
    finding.labels.push_back(Describe(store.Text(label.name), &found->texts));
  }
  for (const uint32_t i : process.lanes) {
    const LaneId lane(i);
    if (store.lanes[lane.value].measures != Measures::accelerator_time) continue;
    finding.lanes.push_back(lane);
    TFPROF_TRY(FindIn(lane, &finding, context));
  }
  if (found->copies.empty()) return {};
  TFPROF_TRY(ReadDetails(finding, context));
  return MeasureOverlapped(finding, context);
}

}  // namespace tfprof
