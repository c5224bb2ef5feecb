// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/part.h"

#include <span>

#include "core/base/hash.h"

namespace tfprof {
namespace {

__attribute__((noinline)) void AddInvalidTime(InvalidTime invalid, RunPart* part) {
  part->invalid_times.push_back(invalid);
}

int64_t TimeOf(int64_t micros, RunPart* part) {
  return TimeFromMicros(micros, part->epoch_us,
                        [=](InvalidTime invalid) { AddInvalidTime(invalid, part); });
}

// True if a record has its times in ns, too. Nanoseconds that contradict its microseconds are none:
// older recorders wrote only some of them.
bool HasNanoseconds(const RunRecord& record) {
  const int64_t start_us = record.start_ns / kNsPerUs;
  const int64_t end_us = WrapAdd(record.start_ns, record.duration_ns) / kNsPerUs;
  return record.start_ns > 0 && record.duration_ns >= 0 && start_us == record.start_us &&
         WrapAdd(end_us, -start_us) == record.duration_us;
}

// Makes the times of an execution exact to the ns. The whole us of both ends stay as recorded.
void AddNanoseconds(const RunRecord& record, int64_t* start_ps, int64_t* duration_ps) {
  const int64_t rest_ps = record.start_ns % kNsPerUs * kPsPerNs;
  bool clamped = false;
  *start_ps = SaturatingAdd(*start_ps, rest_ps, &clamped);
  if (*duration_ps < kMaxPs) *duration_ps = SaturatingMul(record.duration_ns, kPsPerNs, &clamped);
}

void AddMemory(EventId event, RunRecord* record, RunPart* part) {
  record->memory.event = event;
  record->memory.first_output = static_cast<uint32_t>(part->outputs.size());
  record->memory.time_ps = TimeOf(WrapAdd(record->start_us, record->duration_us), part);
  for (const OutputMemory& output : record->outputs) part->outputs.Push(output);
  part->memory.Push(record->memory);
}

void AddLabel(const RunPart::Read& read, int64_t duration_ps, const StoredRuns& known,
              RunPart* part) {
  const char* const place = read.message.data();
  if (!read.label.some()) {
    const auto row = static_cast<uint32_t>(part->events.label.size());
    part->new_labels.push_back(
        {row, read.name, read.name_hash, read.record.name, read.record.timeline_label, place});
    return;
  }
  const NodeId node = known.store.label(read.label).node;
  if (!node.some()) {
    part->foreign.Add(place, duration_ps);
    return;
  }
  if (!known.store.IsCovered(node)) part->covered.push_back(node);
  if (!known.lanes_of_labels.Has(read.label, part->devices.back().lane)) {
    part->new_on_lane.push_back(read.label);
  }
}

void AddRow(const StoredRuns& known, RunPart::Read* read, RunPart* part) {
  RunRecord& record = read->record;
  Events& events = part->events;
  const char* const place = read->message.data();
  int64_t duration_ps = DurationFromMicros(
      record.duration_us, [=](InvalidTime invalid) { AddInvalidTime(invalid, part); });
  const bool has_time = record.start_us > 0;
  int64_t start_ps = has_time ? TimeOf(record.start_us, part) : kNoTime;
  if (has_time && HasNanoseconds(record)) {
    AddNanoseconds(record, &start_ps, &duration_ps);
    part->has_nanoseconds = true;
  }
  AddLabel(*read, duration_ps, known, part);
  const EventId event(events.label.size());
  events.start_ps.Push(start_ps);
  events.duration_ps.Push(duration_ps);
  events.label.Push(read->label);
  if (!has_time) return part->no_time.Add(place);
  const RunPart::Device& device = part->devices.back();
  if (device.may_copy) {
    part->copies.Push({event, record.name, record.timeline_label, device.text});
  }
  if (record.has_memory) AddMemory(event, &record, part);
  if (record.has_allocations) part->allocations.Push({read->message, event});
  if (record.gpu_allocators > 1) part->several_gpu_allocators.Add(place);
}

void AddBatch(const StoredRuns& known, RunPart* part) {
  const Names& names = known.store.names();
  const std::span<RunPart::Read> batch(part->batch.data(), part->batched);
  part->batched = 0;
  for (const RunPart::Read& read : batch) names.PrefetchEntry(read.name_hash);
  for (const RunPart::Read& read : batch) names.PrefetchText(read.name_hash);
  for (RunPart::Read& read : batch) {
    read.name = names.Find(read.record.name, read.name_hash);
    read.label = read.name.some() ? known.store.FindLabel(read.name) : LabelId();
  }
  for (RunPart::Read& read : batch) AddRow(known, &read, part);
}

}  // namespace

void Clear(RunPart* part) {
  Events& events = part->events;
  events.start_ps.Clear();
  events.duration_ps.Clear();
  events.label.Clear();
  part->memory.Clear();
  part->outputs.Clear();
  part->allocations.Clear();
  part->copies.Clear();
  part->devices.clear();
  part->new_labels.clear();
  part->new_on_lane.clear();
  part->covered.clear();
  part->invalid_times.clear();
  part->has_nanoseconds = false;
  part->no_time = part->malformed = part->foreign = part->several_gpu_allocators = {};
}

void AddRecord(std::string_view message, const StoredRuns& known, RunPart* part) {
  RunPart::Read& read = part->batch[part->batched];
  if (ReadRunRecord(message, &read.record) != nullptr) {
    part->malformed.Add(message.data());
    return;
  }
  read.message = message;
  read.name_hash = Hash(read.record.name);
  known.store.names().PrefetchSlot(read.name_hash);
  if (++part->batched == RunPart::kBatch) AddBatch(known, part);
}

void EndRecords(const StoredRuns& known, RunPart* part) {
  AddBatch(known, part);
  RunPart::Device& device = part->devices.back();
  device.rows_end = static_cast<uint32_t>(part->events.label.size());
  device.new_labels_end = static_cast<uint32_t>(part->new_labels.size());
  device.new_on_lane_end = static_cast<uint32_t>(part->new_on_lane.size());
}

}  // namespace tfprof
