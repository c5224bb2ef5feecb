// SPDX-License-Identifier: Apache-2.0
#include "loaders/profile_exec.h"

#include "loaders/allocation.h"
#include "loaders/profile_memory.h"
#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// ---- reading -----------------------------------------------------------------------------------

const char* ReadDeviceTimes(std::string_view message, MapEntry<std::string_view>* entry) {
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kBytes):
        entry->key = fields.Bytes();
        break;
      case Tag(2, kBytes):
        entry->value = fields.Bytes();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

void Clear(Exec* exec) {
  exec->run_count = exec->first_start_us = exec->last_end_us = 0;
  exec->cpu.clear();
  exec->accelerator.clear();
  exec->devices.clear();
  exec->memories.clear();
  exec->allocations.clear();
}

const char* ReadExec(std::string_view message, Exec* exec) {
  Clear(exec);
  const char* bad = nullptr;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        exec->run_count = fields.Int64();
        break;
      case Tag(2, kVarint):
        exec->first_start_us = fields.Int64();
        break;
      case Tag(3, kVarint):
        exec->last_end_us = fields.Int64();
        break;
      case Tag(4, kBytes):
        bad = ReadDeviceTimes(fields.Bytes(), &exec->accelerator.emplace_back());
        break;
      case Tag(5, kBytes):
        bad = ReadDeviceTimes(fields.Bytes(), &exec->cpu.emplace_back());
        break;
      case Tag(6, kBytes):
        exec->devices.push_back(fields.Bytes());
        break;
      case Tag(7, kBytes):
        exec->memories.push_back(fields.Bytes());
        break;
      case Tag(11, kBytes):
        exec->allocations.push_back(fields.Bytes());
        break;
      default:
        fields.Skip();
    }
    if (bad != nullptr) return bad;
  }
  KeepLast(&exec->cpu);
  KeepLast(&exec->accelerator);
  return fields.bad();
}

// The first two numbers of a Tuple; false where there are fewer, or it is malformed.
bool ReadPair(std::string_view tuple, int64_t* first, int64_t* second) {
  int64_t values[2] = {};
  int count = 0;
  const auto take = [&](uint64_t value) {
    if (count < 2) values[count] = static_cast<int64_t>(value);
    ++count;
  };
  Fields fields(tuple);
  while (fields.Next()) {
    if (fields.tag() == Tag(1, kBytes)) {
      if (!wire::EachPacked(fields.Bytes(), take)) return false;
    } else if (fields.tag() == Tag(1, kVarint)) {
      take(fields.Varint());
    } else {
      fields.Skip();
    }
  }
  *first = values[0];
  *second = values[1];
  return fields.bad() == nullptr && count >= 2;
}

// ---- storing: one execution --------------------------------------------------------------------

// The current execution, while its rows are added.
struct Adding {
  const Executor& executor;
  ExecLoading& loading;
  StepId step;
  const char* place;  // in the file; null: an empty message
  uint32_t detail;
  int64_t pairs = 0;
  int64_t first_start_us = 0;  // as the rows tell it; 0: none
  int64_t last_end_us = 0;
  EventId first_canonical;  // the first row on the device that counts; the others follow it
  int64_t canonical_pairs = 0;
  EventId presence;  // the unplaced row on that device
};

StepId StepOf(int64_t number, ExecLoading* loading) {
  auto& steps = loading->steps;
  // Every node has the same few steps, mostly in the same order.
  for (size_t i = 0; i < steps.size(); ++i) {
    if (++loading->step_hint >= steps.size()) loading->step_hint = 0;
    if (steps[loading->step_hint].first == number) return steps[loading->step_hint].second;
    if (i == 64) return loading->store.AddStep(number);
  }
  const StepId step = loading->store.AddStep(number);
  steps.emplace_back(number, step);
  return step;
}

void Mark(LaneId lane, ExecLoading* loading) {
  if (lane.value >= loading->lane_mark.size()) loading->lane_mark.resize(lane.value + 1);
  loading->lane_mark[lane.value] = loading->executions;
}

bool Marked(LaneId lane, const ExecLoading& loading) {
  return lane.value < loading.lane_mark.size() &&
         loading.lane_mark[lane.value] == loading.executions;
}

void AddPair(std::string_view tuple, Adding* adding) {
  StoreBuilder& store = adding->loading.store;
  int64_t start_us = 0, duration_us = 0;
  if (!ReadPair(tuple, &start_us, &duration_us)) {
    adding->loading.odd_pairs.Add(tuple.data());
    return;
  }
  ++adding->pairs;
  int64_t start_ps = kNoTime;
  if (start_us > 0) {
    start_ps = store.TimeFromMicros(start_us);
    const int64_t first = adding->first_start_us;
    adding->first_start_us = first == 0 ? start_us : std::min(first, start_us);
    adding->last_end_us = std::max(adding->last_end_us, WrapAdd(start_us, duration_us));
  } else {
    adding->loading.no_time.Add(tuple.data());
  }
  const int64_t duration_ps = store.DurationFromMicros(duration_us);
  store.AddEvent(start_ps, duration_ps, adding->executor.label, adding->detail);
}

// The pairs of one device, in order.
void AddTimes(const MapEntry<std::string_view>& times, Adding* adding) {
  StoreBuilder& store = adding->loading.store;
  const LaneId lane = LaneOf(times.key, &adding->loading);
  store.BeginRows(lane, adding->step);
  const EventId next = store.next_event();
  const int64_t before = adding->pairs;
  Fields fields(times.value);
  while (fields.Next()) {
    if (fields.tag() == Tag(1, kBytes)) {
      AddPair(fields.Bytes(), adding);
    } else {
      fields.Skip();
    }
  }
  if (fields.bad() != nullptr) adding->loading.odd_pairs.Add(times.value.data());
  if (adding->pairs == before) return;
  store.AddNodeLane(adding->executor.node, lane);
  Mark(lane, &adding->loading);
  if (times.key != adding->executor.canonical_device || adding->first_canonical.some()) return;
  adding->first_canonical = next;
  adding->canonical_pairs = adding->pairs - before;
}

EventId AddUnplaced(LaneId lane, int64_t occurrences, Adding* adding) {
  StoreBuilder& store = adding->loading.store;
  store.BeginRows(lane, adding->step);
  store.AddNodeLane(adding->executor.node, lane);
  Mark(lane, &adding->loading);
  const EventId event = store.AddEvent(kNoTime, 0, adding->executor.label, adding->detail);
  store.AddAggregate(event, occurrences);
  return event;
}

// A row on the device that counts, for what has no row of its own there.
EventId Presence(Adding* adding) {
  if (!adding->presence.some()) {
    const LaneId lane = LaneOf(adding->executor.canonical_device, &adding->loading);
    adding->presence = AddUnplaced(lane, 0, adding);
  }
  return adding->presence;
}

// Devices that have no times keep an unplaced row.
void AddSilentDevices(Adding* adding) {
  for (const std::string_view device : adding->loading.exec.devices) {
    const LaneId lane = LaneOf(device, &adding->loading);
    if (Marked(lane, adding->loading)) continue;
    const EventId event = AddUnplaced(lane, 0, adding);
    if (device == adding->executor.canonical_device) adding->presence = event;
  }
}

// A foreign writer may count more or fewer runs than it gives times of.
void AddMissingRuns(int64_t cpu_pairs, Adding* adding) {
  const int64_t missing = WrapAdd(adding->loading.exec.run_count, -cpu_pairs);
  if (missing == 0) return;
  if (missing < 0) adding->loading.fewer_runs.Add(adding->place);
  const Exec& exec = adding->loading.exec;
  const std::string_view device = adding->executor.canonical_device.empty() && !exec.cpu.empty()
                                      ? exec.cpu.front().key
                                      : adding->executor.canonical_device;
  AddUnplaced(LaneOf(device, &adding->loading), missing, adding);
}

// Profiles tell a duration of 0 as 1 us; the memory of the run was noted at its true end.
void UnroundDuration(EventId event, int64_t end_us, StoreBuilder& store) {
  if (end_us <= 0 || store.duration_of(event) != kPsPerUs) return;
  if (store.TimeFromMicros(end_us) == store.start_of(event)) store.SetDuration(event, 0);
}

// The i-th memory record belongs to the i-th run on the device that counts.
void AddMemories(Adding* adding) {
  StoreBuilder& store = adding->loading.store;
  MemoryRecord record;
  int64_t index = 0;
  for (const std::string_view message : adding->loading.exec.memories) {
    const int64_t run = index++;
    if (ReadMemoryRecord(message, &record) != nullptr) {
      adding->loading.malformed_memory.Add(message.data());
      continue;
    }
    const bool placed = run < adding->canonical_pairs;
    const EventId event = placed
                              ? EventId(adding->first_canonical.value + static_cast<uint64_t>(run))
                              : Presence(adding);
    if (placed) UnroundDuration(event, record.time_us, store);
    if (placed && IsEmpty(record)) continue;
    record.row.event = event;
    record.row.time_ps = record.time_us > 0 ? store.TimeFromMicros(record.time_us) : kNoTime;
    record.row.first_output = store.next_output();
    for (const OutputMemory& output : record.outputs) store.AddOutput(output);
    store.AddMemory(record.row);
  }
}

// Which run they were made in is not told: they stand at the first one.
void AddAllocations(Adding* adding) {
  for (const std::string_view message : adding->loading.exec.allocations) {
    AllocationRecord record;
    if (ReadAllocation(message, &record) != nullptr) {
      adding->loading.malformed_memory.Add(message.data());
      continue;
    }
    const bool placed = adding->first_canonical.some();
    AddAllocation(placed ? adding->first_canonical : Presence(adding), record,
                  adding->loading.store);
  }
}

void AddDeclared(const Adding& adding) {
  StoreBuilder& store = adding.loading.store;
  const Exec& exec = adding.loading.exec;
  if (exec.first_start_us == adding.first_start_us && exec.last_end_us == adding.last_end_us) {
    return;
  }
  const auto time = [&](int64_t us) { return us > 0 ? store.TimeFromMicros(us) : kNoTime; };
  store.AddDeclared(
      {adding.executor.node, adding.step, time(exec.first_start_us), time(exec.last_end_us)});
}

}  // namespace

LaneId LaneOf(std::string_view device, ExecLoading* loading) {
  constexpr size_t kKept = 32;
  auto& lanes = loading->lanes;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[loading->lane_hint].first == device) return lanes[loading->lane_hint].second;
    if (++loading->lane_hint >= lanes.size()) loading->lane_hint = 0;
  }
  const LaneId lane = loading->store.AddDeviceLane(device);
  if (lanes.size() < kKept) lanes.emplace_back(device, lane);
  return lane;
}

const char* AddExec(const Executor& executor, int64_t step, std::string_view message,
                    ExecLoading* loading) {
  const char* bad = ReadExec(message, &loading->exec);
  if (bad != nullptr) return bad;
  ++loading->executions;
  const char* place = message.data();
  const char* base = loading->file.bytes.data();
  const auto detail = static_cast<uint32_t>(place == nullptr ? 0 : place - base);
  Adding adding{executor, *loading, StepOf(step, loading), place, detail};
  for (const auto& times : loading->exec.cpu) AddTimes(times, &adding);
  const int64_t cpu_pairs = adding.pairs;
  for (const auto& times : loading->exec.accelerator) AddTimes(times, &adding);
  AddDeclared(adding);
  AddSilentDevices(&adding);
  AddMissingRuns(cpu_pairs, &adding);
  AddMemories(&adding);
  AddAllocations(&adding);
  if (adding.pairs == 0 && loading->exec.devices.empty()) Presence(&adding);
  return nullptr;
}

void TellAll(const ExecLoading& loading) {
  const SourceFile& file = loading.file;
  StoreBuilder& store = loading.store;
  loading.odd_pairs.Tell("times that are no pairs of start and duration, skipped", file, store);
  loading.no_time.Tell("executions without a start time", file, store);
  loading.fewer_runs.Tell("executions with more times than runs", file, store);
  loading.malformed_memory.Tell("malformed memory records, skipped", file, store);
}

}  // namespace tfprof
