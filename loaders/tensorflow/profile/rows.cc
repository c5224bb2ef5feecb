// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/rows.h"

#include <algorithm>

#include "core/base/arith.h"
#include "core/base/hash.h"
#include "core/store/note_catalogue.h"
#include "loaders/tensorflow/device_lane.h"
#include "loaders/tensorflow/hosts.h"
#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

// The device lists of an execution have expectations from this index on, after those of its CPU
// list.
constexpr size_t kExpectAccelerators = 4;
constexpr size_t kExpectSilent = 8;

// ---- devices and steps -------------------------------------------------------------------------

__attribute__((noinline)) uint32_t FindDevice(std::string_view text, ProfileRows* rows) {
  constexpr size_t kMaxTried = 8;  // files have few devices, as a rule
  for (uint32_t i = 0; i < std::min(kMaxTried, rows->devices.size()); ++i) {
    if (SameText(rows->devices[i].text, text)) return i;
  }
  const auto next = static_cast<uint32_t>(rows->devices.size());
  const auto [at, is_new] = rows->device_of_text.try_emplace(text, next);
  if (is_new) {
    rows->devices.push_back({text, AddDeviceLane(WithHost(text, rows->host), rows->store)});
  }
  return at->second;
}

// `expected`: the device of the previous execution at this position.
uint32_t DeviceOf(std::string_view text, ProfileRows* rows, uint32_t* expected) {
  const bool known = *expected < rows->devices.size();
  if (known && SameText(rows->devices[*expected].text, text)) return *expected;
  return *expected = FindDevice(text, rows);
}

uint32_t DeviceOf(std::string_view text, ProfileRows* rows) {
  return DeviceOf(text, rows,
                  &rows->expected_devices[rows->devices_named++ % ProfileRows::kExpected]);
}

StepId StepOf(int64_t number, ProfileRows* rows) {
  constexpr size_t kMaxTried = 64;
  if (number == -1 && !rows->has_step_minus_one) return {};
  auto& steps = rows->steps;
  // Every node has the same few steps, mostly in the same order.
  for (size_t i = 0; i < steps.size(); ++i) {
    if (++rows->step_hint >= steps.size()) rows->step_hint = 0;
    if (steps[rows->step_hint].first == number) return steps[rows->step_hint].second;
    if (i == kMaxTried) return rows->store.AddStep(number);
  }
  const StepId step = rows->store.AddStep(number);
  steps.emplace_back(number, step);
  return step;
}

bool IsCanonical(uint32_t device, const ProfileRows& rows) {
  return rows.canonical != ProfileRows::kNoDevice ? device == rows.canonical
                                                  : rows.devices[device].text.empty();
}

// ---- lanes of the current node and execution ---------------------------------------------------

void AddLane(LaneId lane, ProfileRows* rows) {
  const uint64_t bit = lane.value < 64 ? uint64_t{1} << lane.value : 0;
  if ((rows->known_lanes & bit) != 0) return;
  rows->known_lanes |= bit;
  rows->store.AddNodeLane(rows->node, lane);
}

void MarkUsed(LaneId lane, ProfileRows* rows) {
  AddLane(lane, rows);
  if (lane.value >= rows->lane_mark.size()) rows->lane_mark.resize(lane.value + 1);
  rows->lane_mark[lane.value] = rows->executions;
}

bool Marked(LaneId lane, const ProfileRows& rows) {
  return lane.value < rows.lane_mark.size() && rows.lane_mark[lane.value] == rows.executions;
}

// ---- one execution -----------------------------------------------------------------------------

// State while the rows of an execution are added.
struct Adding {
  ProfileRows& rows;
  StepId step;
  const char* place;  // in the file; null: an empty message
  int64_t pairs = 0;
  int64_t first_start_us = 0;  // minimum over the rows; 0: none
  int64_t last_end_us = 0;
  EventId first_canonical;  // the first row on the canonical device; the others follow it
  int64_t canonical_pairs = 0;
  EventId presence;  // the unplaced row on that device
};

const char* AddPair(std::string_view tuple, Adding* adding) {
  ProfileRows& rows = adding->rows;
  int64_t start_us = 0, duration_us = 0;
  if (!ReadPair(tuple, &start_us, &duration_us)) {
    rows.invalid_pairs.Add(tuple.data());
    return nullptr;
  }
  ++adding->pairs;
  int64_t start_ps = kNoTime;
  if (start_us > 0) {
    start_ps = rows.store.TimeFromMicros(start_us);
    const int64_t first = adding->first_start_us;
    adding->first_start_us = first == 0 ? start_us : std::min(first, start_us);
    adding->last_end_us = std::max(adding->last_end_us, WrapAdd(start_us, duration_us));
  } else {
    rows.no_time.Add(tuple.data());
  }
  const int64_t duration_ps = rows.store.DurationFromMicros(duration_us);
  rows.store.AddEvent(start_ps, duration_ps, rows.label);
  return nullptr;
}

// Adds the pairs of one device, in order.
void AddTimes(const MapEntry<std::string_view>& times, Adding* adding) {
  ProfileRows& rows = adding->rows;
  const uint32_t device = DeviceOf(times.key, &rows);
  const LaneId lane = rows.devices[device].lane;
  rows.store.BeginRows(lane, adding->step);
  const EventId next = rows.store.next_event();
  const int64_t before = adding->pairs;
  const auto add = [&](std::string_view tuple) { return AddPair(tuple, adding); };
  if (wire::ReadMessage(times.value, wire::Each<field::ExecTime::times>(add)) != nullptr) {
    rows.invalid_pairs.Add(times.value.data());
  }
  if (adding->pairs == before) return;
  MarkUsed(lane, &rows);
  if (!IsCanonical(device, rows) || adding->first_canonical.some()) return;
  adding->first_canonical = next;
  adding->canonical_pairs = adding->pairs - before;
}

EventId AddUnplaced(LaneId lane, int64_t occurrences, Adding* adding) {
  ProfileRows& rows = adding->rows;
  rows.store.BeginRows(lane, adding->step);
  MarkUsed(lane, &rows);
  const EventId event = rows.store.AddEvent(kNoTime, 0, rows.label);
  rows.store.AddAggregate(event, occurrences);
  return event;
}

LaneId CanonicalLane(ProfileRows* rows) {
  const uint32_t known = rows->canonical;
  return rows->devices[known != ProfileRows::kNoDevice ? known : DeviceOf("", rows)].lane;
}

// Returns a row on the canonical device for facts without a row of their own there.
EventId Presence(Adding* adding) {
  if (!adding->presence.some()) {
    adding->presence = AddUnplaced(CanonicalLane(&adding->rows), 0, adding);
  }
  return adding->presence;
}

// Adds an unplaced row for each device without times.
void AddSilentDevices(Adding* adding) {
  ProfileRows& rows = adding->rows;
  for (const std::string_view text : rows.exec.devices) {
    const uint32_t device = DeviceOf(text, &rows);
    const LaneId lane = rows.devices[device].lane;
    if (Marked(lane, rows)) continue;
    const EventId event = AddUnplaced(lane, 0, adding);
    if (IsCanonical(device, rows)) adding->presence = event;
  }
}

// Adds or subtracts runs where a foreign writer's run count differs from its number of times.
void AddMissingRuns(int64_t cpu_pairs, Adding* adding) {
  ProfileRows& rows = adding->rows;
  const int64_t missing = WrapAdd(rows.exec.run_count, -cpu_pairs);
  if (missing == 0) return;
  if (missing < 0) rows.fewer_runs.Add(adding->place);
  const bool first_of_cpu = rows.canonical == ProfileRows::kNoDevice && !rows.exec.cpu.empty();
  const LaneId lane = first_of_cpu ? rows.devices[DeviceOf(rows.exec.cpu.front().key, &rows)].lane
                                   : CanonicalLane(&rows);
  AddUnplaced(lane, missing, adding);
}

// Restores a duration of 0, which profiles round up to 1 us. The memory record has the true end
// time.
void UnroundDuration(EventId event, int64_t end_us, StoreBuilder& store) {
  if (end_us <= 0 || store.duration_of(event) != kPsPerUs) return;
  if (store.TimeFromMicros(end_us) == store.start_of(event)) store.SetDuration(event, 0);
}

// Adds memory. The i-th memory record belongs to the i-th run on the canonical device.
void AddMemory(int64_t run, std::string_view message, Adding* adding) {
  StoreBuilder& store = adding->rows.store;
  MemoryRecord& record = adding->rows.memory;
  const bool placed = run < adding->canonical_pairs;
  const EventId event = placed ? EventId(adding->first_canonical.value + static_cast<uint64_t>(run))
                               : Presence(adding);
  if (placed) UnroundDuration(event, record.time_us, store);
  if (placed && IsEmpty(record, message)) return;
  record.row.event = event;
  record.row.time_ps = record.time_us > 0 ? store.TimeFromMicros(record.time_us) : kNoTime;
  record.row.first_output = store.next_output();
  for (const OutputMemory& output : record.outputs) store.AddOutput(output);
  store.AddMemory(record.row);
}

void AddMemories(Adding* adding) {
  ProfileRows& rows = adding->rows;
  int64_t run = 0;
  for (const std::string_view message : rows.exec.memories) {
    if (ReadMemoryRecord(message, &rows.memory) == nullptr) {
      AddMemory(run, message, adding);
    } else {
      rows.malformed_memory.Add(message.data());
    }
    ++run;
  }
}

// Adds allocations to the first run: profiles do not record the run of an allocation.
void AddAllocations(std::string_view message, Adding* adding) {
  ProfileRows& rows = adding->rows;
  if (!rows.exec.has_allocations) return;
  const bool placed = adding->first_canonical.some();
  AddAllocationPlace(placed ? adding->first_canonical : Presence(adding), message, rows.file,
                     rows.source, rows.store);
}

void AddDeclared(const Adding& adding) {
  StoreBuilder& store = adding.rows.store;
  const Exec& exec = adding.rows.exec;
  if (exec.first_start_us == adding.first_start_us && exec.last_end_us == adding.last_end_us) {
    return;
  }
  if (!adding.step.some()) return;
  const auto time = [&](int64_t us) { return us > 0 ? store.TimeFromMicros(us) : kNoTime; };
  store.AddDeclared(
      {adding.rows.node, adding.step, time(exec.first_start_us), time(exec.last_end_us)});
}

}  // namespace

void BeginNode(NodeId node, LabelId label, std::string_view canonical_device, ProfileRows* rows) {
  rows->node = node;
  rows->label = label;
  rows->known_lanes = 0;
  rows->canonical = ProfileRows::kNoDevice;
  if (canonical_device.empty()) return;
  rows->canonical = DeviceOf(canonical_device, rows, &rows->expected_canonical);
  AddLane(CanonicalLane(rows), rows);
}

const char* AddExec(int64_t step, std::string_view message, ProfileRows* rows) {
  const char* bad = ReadExec(message, &rows->exec);
  if (bad != nullptr) return bad;
  ++rows->executions;
  rows->devices_named = 0;
  const char* place = message.data();
  Adding adding{*rows, StepOf(step, rows), place};
  for (const auto& times : rows->exec.cpu) AddTimes(times, &adding);
  const int64_t cpu_pairs = adding.pairs;
  rows->devices_named = kExpectAccelerators;
  for (const auto& times : rows->exec.accelerator) AddTimes(times, &adding);
  AddDeclared(adding);
  rows->devices_named = kExpectSilent;
  AddSilentDevices(&adding);
  AddMissingRuns(cpu_pairs, &adding);
  AddMemories(&adding);
  AddAllocations(message, &adding);
  if (adding.pairs == 0 && rows->exec.devices.empty()) Presence(&adding);
  return nullptr;
}

void AddAllNotes(const ProfileRows& rows) {
  const SourceFile& file = rows.file;
  StoreBuilder& store = rows.store;
  rows.invalid_pairs.AddNoteTo(note::malformed_times, file, store);
  rows.no_time.AddNoteTo(note::executions_without_start, file, store);
  rows.fewer_runs.AddNoteTo(note::more_times_than_runs, file, store);
  rows.malformed_memory.AddNoteTo(note::malformed_memory_records, file, store);
}

}  // namespace tfprof
